import WeirPackets

/// Reads the frames of RTP and RTCP over TCP: two octets of length, then a packet (RFC 4571 §2). Nothing marks where a frame
/// begins, so the fields of the packets' headers have to show it.
enum RTPFrameWalk {
    /// Octets of the length.
    static let prefix = 2
    /// Octets of the longest frame.
    static let longest = prefix + 0xFFFF
    /// Frames in a row that must fit together where nothing else is known.
    private static let chained = 3

    /// What stands at a place.
    enum Frame: Equatable {
        /// Too few octets to tell.
        case unfinished
        /// Neither RTP nor RTCP.
        case none
        /// A length of 0: the null packet.
        case empty
        /// A packet of RTP: octets of the packet, its source and number.
        case media(length: Int, ssrc: UInt32, sequence: UInt16)
        /// A packet of RTCP: octets of the packet, and who sends it.
        case reports(length: Int, ssrc: UInt32)

        /// Octets with the length before them.
        var octets: Int? {
            switch self {
            case .unfinished, .none: nil
            case .empty: prefix
            case .media(let length, _, _), .reports(let length, _): prefix &+ length
            }
        }

        /// Who sends the packet.
        var ssrc: UInt32? {
            switch self {
            case .media(_, let ssrc, _), .reports(_, let ssrc): ssrc
            case .unfinished, .none, .empty: nil
            }
        }
    }

    /// What stands at `place`, by the length and the header behind it; the packet itself need not be there.
    static func frame(_ bytes: RawSpan, at place: Int) -> Frame {
        guard let length = bytes.uint16(at: place).map(Int.init) else { return .unfinished }
        if length == 0 { return .empty }
        // The shortest packet is one of RTCP: a header and a source.
        guard length >= 8 else { return .none }
        guard let first = bytes.byte(at: place &+ 2) else { return .unfinished }
        guard first >> 6 == 2 else { return .none }
        guard let second = bytes.byte(at: place &+ 3) else { return .unfinished }
        if RTCPPacket.isRTCP(secondOctet: second) {
            guard let words = bytes.uint16(at: place &+ 4), let ssrc = bytes.uint32(at: place &+ 6) else {
                return .unfinished
            }
            return (Int(words) &+ 1) &* 4 <= length ? .reports(length: length, ssrc: ssrc) : .none
        }
        guard length >= 12 &+ Int(first & 0x0F) &* 4 else { return .none }
        guard let sequence = bytes.uint16(at: place &+ 4), let ssrc = bytes.uint32(at: place &+ 10) else {
            return .unfinished
        }
        return .media(length: length, ssrc: ssrc, sequence: sequence)
    }

    /// How a run of frames goes on.
    enum Chain {
        /// Frames that fit together.
        case proven
        /// They are something else.
        case broken
        /// Not enough of them has come.
        case unfinished
        /// The same, but what has come speaks for it.
        case promising
    }

    /// Whether frames of one source of media whose numbers advance by little follow each other from `place` on.
    static func chain(_ bytes: RawSpan, at place: Int) -> Chain {
        var place = place
        var found = 0
        var last: (ssrc: UInt32, sequence: UInt16)?
        while true {
            let frame = frame(bytes, at: place)
            switch frame {
            case .none: return .broken
            // Two of one source, or one that ends where a segment does, may well be what they look like.
            case .unfinished: return found > 1 || found == 1 && place == bytes.byteCount ? .promising : .unfinished
            // A run of zeros is no run of packets.
            case .empty: if found == 0 { return .broken }
            case .reports: break
            case .media(_, let ssrc, let sequence):
                if let last {
                    guard ssrc == last.ssrc, 1...64 ~= sequence &- last.sequence else { return .broken }
                }
                last = (ssrc, sequence)
                found &+= 1
                if found >= chained { return .proven }
            }
            place &+= frame.octets ?? prefix
        }
    }

    /// Where the next frame begins, looking from `start` on: one of a known source behind which another frame, or nothing
    /// yet, stands; of none that is known the first of a chain. Where none is found: where to go on looking.
    static func search(_ bytes: RawSpan, from start: Int, known: [UInt32]) -> (place: Int, isFound: Bool) {
        var place = start
        while place &+ 14 <= bytes.byteCount {
            // Most octets cannot be the first of a header.
            if let first = bytes.byte(at: place &+ 2), first >> 6 == 2 {
                switch known.isEmpty ? chain(bytes, at: place) : follow(bytes, at: place, known) {
                case .proven: return (place, true)
                case .promising: return (place, false)
                case .broken, .unfinished: break
                }
            }
            place &+= 1
        }
        return (place, false)
    }

    private static func follow(_ bytes: RawSpan, at place: Int, _ known: [UInt32]) -> Chain {
        let found = frame(bytes, at: place)
        guard let ssrc = found.ssrc, known.contains(ssrc), let octets = found.octets else { return .broken }
        return frame(bytes, at: place &+ octets) == .none ? .broken : .proven
    }
}
