import WeirPackets

/// Parses RTP and RTCP frames over TCP: a two-octet length, then a packet (RFC 4571 §2). Frames have no start marker,
/// so frame boundaries are validated by the packet headers.
enum RTPFrameWalk {
    /// Octets of the length field.
    static let prefix = 2
    /// Octets of the longest frame, length field included.
    static let longest = prefix + 0xFFFF
    /// Consecutive consistent frames required when no source is known yet.
    private static let chained = 3

    /// The frame at an offset.
    enum Frame: Equatable {
        /// Too few octets to decide.
        case unfinished
        /// Neither RTP nor RTCP.
        case none
        /// The null packet: a length of 0.
        case empty
        /// An RTP packet, with its length in octets, source and sequence number.
        case media(length: Int, ssrc: UInt32, sequence: UInt16)
        /// An RTCP packet, with its length in octets and sender.
        case reports(length: Int, ssrc: UInt32)

        /// Octets of the frame, length field included.
        var octets: Int? {
            switch self {
            case .unfinished, .none: nil
            case .empty: prefix
            case .media(let length, _, _), .reports(let length, _): prefix &+ length
            }
        }

        /// The sender of the packet.
        var ssrc: UInt32? {
            switch self {
            case .media(_, let ssrc, _), .reports(_, let ssrc): ssrc
            case .unfinished, .none, .empty: nil
            }
        }
    }

    /// Parses the frame at `place` from its length and packet header; the rest of the packet need not be present.
    static func frame(_ bytes: RawSpan, at place: Int) -> Frame {
        guard let length = bytes.uint16(at: place).map(Int.init) else { return .unfinished }
        if length == 0 { return .empty }
        // The shortest packet is RTCP: a header and an SSRC.
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

    /// The result of following a run of frames.
    enum Chain {
        /// Consistent frames.
        case proven
        /// Not RTP frames.
        case broken
        /// Too few frames received to decide.
        case unfinished
        /// Too few frames received to decide, but those present are consistent.
        case promising
    }

    /// Checks whether consecutive frames from `place` on share a source and have sequence numbers that advance by small
    /// steps.
    static func chain(_ bytes: RawSpan, at place: Int) -> Chain {
        var place = place
        var found = 0
        var last: (ssrc: UInt32, sequence: UInt16)?
        while true {
            let frame = frame(bytes, at: place)
            switch frame {
            case .none: return .broken
            // Two frames of one source, or one that ends at a segment boundary, are probably real.
            case .unfinished: return found > 1 || found == 1 && place == bytes.byteCount ? .promising : .unfinished
            // A run of zeros is not a run of packets.
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

    /// Searches for the next frame from `start` on: one of a known source that is followed by another frame or by the
    /// end of the data; without known sources, the first of a chain. If none is found, returns where to resume.
    static func search(_ bytes: RawSpan, from start: Int, known: [UInt32]) -> (place: Int, isFound: Bool) {
        var place = start
        while place &+ 14 <= bytes.byteCount {
            // Most octets cannot begin a header.
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
