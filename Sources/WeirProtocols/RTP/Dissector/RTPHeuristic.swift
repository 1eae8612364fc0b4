package import WeirPackets

/// Decides whether the datagrams of one direction of an unclassified UDP flow are RTP that was not signaled.
///
/// A single packet proves nothing, since most header fields may have any value. RTP is assumed when three packets of
/// one source have sequence numbers that advance by small steps and no other source was seen before. Headers seen until
/// then are kept, so that the packets are counted.
package struct RTPHeuristic: Sendable {
    /// Headers kept while undecided.
    package static let maximumPackets = 8
    /// Packets of one source that must be consistent.
    static let neededPackets = 3
    /// The equivalent for packets with SSRC and timestamp 0, as in some FEC for MPEG transport streams; their sequence
    /// numbers must be consecutive.
    static let neededEmptyPackets = 5

    /// A packet seen while undecided.
    package struct Seen: Sendable {
        /// The RTP header.
        package var header: RTPHeader
        /// Frame number, time and length.
        package var info: FrameInfo
        /// Octets of the datagram on the wire.
        package var wireLength: Int
    }

    /// The decision after a packet.
    package enum Answer: Sendable {
        /// RTP: the packets in `seen` and this one.
        case yes
        /// Not RTP.
        case no
        /// More packets are needed.
        case needMore
    }

    /// The packets seen so far, in order; on `yes`, without the current one.
    package private(set) var seen: [Seen] = []
    private var answer = Answer.needMore
    /// Unclassifiable datagrams so far.
    private var unknownDatagrams = 0
    /// Unclassifiable datagrams allowed: senders open ports, probe for the peer or send other data before the media.
    private static let mostUnknownDatagrams = 3

    /// Whether RTP was found.
    var isDecided: Bool { if case .yes = answer { true } else { false } }

    /// Creates an undecided heuristic.
    package init() {}

    /// A heuristic that is decided: the first datagram was not RTP.
    package static var refused: Self {
        var heuristic = Self()
        heuristic.unknownDatagrams = 1
        return heuristic
    }

    /// Returns whether the first octets of a datagram can be RTP: version 2, a payload type in use, and a length that
    /// fits the header (RFC 3550 §A.1), and not STUN, DTLS or TURN (RFC 7983 §7) or RTCP.
    package static func mayBeRTP(_ bytes: RawSpan, wireLength: Int = 0) -> Bool {
        header(bytes, wireLength) != nil
    }

    private static func header(_ bytes: RawSpan, _ wireLength: Int) -> RTPHeader? {
        guard let first = bytes.byte(at: 0), 128...191 ~= first, let second = bytes.byte(at: 1) else { return nil }
        guard !RTCPPacket.isRTCP(secondOctet: second), !isBACnet(bytes, wireLength) else { return nil }
        guard let header = try? RTPHeader(bytes, wireLength: wireLength), header.payloadLength > 0 else { return nil }
        // Payload types 1, 2 and 19 are reserved, 20–24, 27, 29, 30 and 35–71 unassigned, 72–76 collide with RTCP, and
        // 77–95 are unassigned (RFC 3551 §6); with RTP and RTCP on one port 64–95 must not be used (RFC 5761 §4).
        switch header.payloadType {
        case 1, 2, 19...24, 27, 29, 30, 39...95: return nil
        default: break
        }
        return header
    }

    /// Returns whether a datagram is BACnet/IP: type, function and a length field, at the offset of the RTP sequence
    /// number.
    private static func isBACnet(_ bytes: RawSpan, _ wireLength: Int) -> Bool {
        guard bytes.byte(at: 0) == 0x81, let function = bytes.byte(at: 1), function <= 0x0C else { return false }
        return bytes.uint16(at: 2).map { Int($0) == max(wireLength, bytes.byteCount) } ?? false
    }

    /// Evaluates a datagram: `bytes` as captured, `wireLength` octets on the wire.
    package mutating func observe(_ bytes: RawSpan, wireLength: Int, _ info: FrameInfo) -> Answer {
        guard case .needMore = answer else { return answer }
        guard let header = Self.header(bytes, wireLength) else {
            // Other traffic that shares an RTP port: keep-alives, STUN and RTCP.
            guard !Self.mayShareRTPPort(bytes) else { return answer }
            unknownDatagrams += 1
            if unknownDatagrams > Self.mostUnknownDatagrams { answer = .no }
            return .no
        }
        var fitting = 1
        var previous = header
        for packet in seen.reversed() where packet.header.ssrc == header.ssrc {
            guard Self.fits(previous, after: packet.header) else { continue }
            fitting += 1
            previous = packet.header
        }
        let isEmpty = header.ssrc == 0 && header.timestamp == 0
        if fitting >= (isEmpty ? Self.neededEmptyPackets : Self.neededPackets) {
            answer = .yes
        } else if seen.count >= Self.maximumPackets {
            answer = .no
        } else {
            seen.append(Seen(header: header, info: info, wireLength: wireLength))
        }
        return answer
    }

    /// Returns whether two packets of one source are consistent: the sequence number advances by a small step, or the
    /// packets were reordered; the timestamp advances by less than a minute of the fastest usual clock, and not without
    /// the sequence number.
    private static func fits(_ later: RTPHeader, after earlier: RTPHeader) -> Bool {
        let step = Int16(bitPattern: later.sequenceNumber &- earlier.sequenceNumber)
        let ticks = Int32(bitPattern: later.timestamp &- earlier.timestamp)
        if later.ssrc == 0, later.timestamp == 0 { return step == 1 }
        guard step != 0, -8...64 ~= step, ticks.magnitude < 60 * 90_000, audioTimestampsAdvance(later, step, ticks)
        else {
            return false
        }
        // The same format continues; comfort noise and telephone events alternate with their audio.
        return later.payloadType == earlier.payloadType || ticks.magnitude < 8_000 * 60
    }

    /// Minimum timestamp ticks per audio packet: 1 ms at 8 kHz.
    private static let fewestTicks: Int32 = 8
    /// Payload types usual in calls, where a sender with a stopped clock is likelier than a game protocol.
    private static let usualSound: Set<UInt8> = [0, 8]

    /// Returns whether timestamps advance with sequence numbers where the payload type is audio (RFC 3551 §6): each
    /// packet has its own samples, whereas other protocols have a counter or a constant at that offset. Only MPEG audio
    /// may be fragmented (RFC 2250 §3.5).
    private static func audioTimestampsAdvance(_ later: RTPHeader, _ step: Int16, _ ticks: Int32) -> Bool {
        guard let type = StaticPayloadTypes.all[later.payloadType], type.media == .audio, type.encoding != "MPA",
            !usualSound.contains(later.payloadType)
        else { return true }
        return !(0..<fewestTicks ~= ticks / Int32(step))
    }

    /// Returns whether a datagram is of a protocol that shares ports with RTP (RFC 7983 §7): STUN, ZRTP, DTLS, TURN
    /// channels, RTCP, or a keep-alive of a few octets (RFC 6263 §4).
    static func mayShareRTPPort(_ bytes: RawSpan) -> Bool {
        guard let first = bytes.byte(at: 0), bytes.byteCount > 4 else { return true }
        switch first {
        case 0...3, 16...79: return true
        case 128...191: return bytes.byte(at: 1).map(RTCPPacket.isRTCP) ?? false
        default: return false
        }
    }
}
