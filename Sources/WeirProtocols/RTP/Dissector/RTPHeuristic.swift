package import WeirPackets

/// Decides whether the datagrams of one direction of an undecided UDP flow are RTP that nobody announced.
///
/// A single packet proves nothing: the header is mostly numbers that may be anything. RTP is believed when three packets
/// of one source have sequence numbers that advance by little, and no other source but these came before. The headers
/// seen until then are kept, so that the packets count.
package struct RTPHeuristic: Sendable {
    /// Headers kept while undecided.
    package static let maximumPackets = 8
    /// Packets of one source that must fit together.
    static let neededPackets = 3
    /// The same for packets whose source and timestamp are 0, as some error correction for MPEG transport streams has;
    /// there every number must follow.
    static let neededEmptyPackets = 5

    /// A packet seen while undecided.
    package struct Seen: Sendable {
        /// Its header.
        package var header: RTPHeader
        /// When, in which frame, and how long.
        package var info: FrameInfo
        /// Octets of the datagram on the wire.
        package var wireLength: Int
    }

    /// The answer after a packet.
    package enum Answer: Sendable {
        /// The packets in `seen` and this one are RTP.
        case yes
        /// The flow is something else.
        case no
        /// More packets will tell.
        case needMore
    }

    /// The packets seen so far, in order; on `yes` without the one just judged.
    package private(set) var seen: [Seen] = []
    private var answer = Answer.needMore
    /// Datagrams that nothing is known of.
    private var unknownDatagrams = 0
    /// As many may come: one opens a port, asks who is there, or tells something before the media.
    private static let mostUnknownDatagrams = 3

    /// Whether it found RTP.
    var isDecided: Bool { if case .yes = answer { true } else { false } }

    /// Begins undecided.
    package init() {}

    /// The first datagram was something else.
    package static var refused: Self {
        var heuristic = Self()
        heuristic.unknownDatagrams = 1
        return heuristic
    }

    /// Whether a datagram can be RTP at all, by its first octets: version 2, a payload type that is in use, and a length
    /// that fits the header (RFC 3550 §A.1); and whether it is not rather STUN, DTLS or TURN (RFC 7983 §7), or RTCP.
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

    /// BACnet over IP: type, function and its own length, which stands where RTP has its sequence number.
    private static func isBACnet(_ bytes: RawSpan, _ wireLength: Int) -> Bool {
        guard bytes.byte(at: 0) == 0x81, let function = bytes.byte(at: 1), function <= 0x0C else { return false }
        return bytes.uint16(at: 2).map { Int($0) == max(wireLength, bytes.byteCount) } ?? false
    }

    /// Judges a datagram: `bytes` as captured, `wireLength` octets on the wire.
    package mutating func observe(_ bytes: RawSpan, wireLength: Int, _ info: FrameInfo) -> Answer {
        guard case .needMore = answer else { return answer }
        guard let header = Self.header(bytes, wireLength) else {
            // A datagram that is no RTP among those that may be: keep-alives, STUN and RTCP share the port.
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

    /// Whether two packets of one source can follow each other: the sequence number moves on a little, or one packet
    /// overtook another; the timestamp moves less than a minute of the fastest usual clock, and not without the
    /// sequence number.
    private static func fits(_ later: RTPHeader, after earlier: RTPHeader) -> Bool {
        let step = Int16(bitPattern: later.sequenceNumber &- earlier.sequenceNumber)
        let ticks = Int32(bitPattern: later.timestamp &- earlier.timestamp)
        if later.ssrc == 0, later.timestamp == 0 { return step == 1 }
        guard step != 0, -8...64 ~= step, ticks.magnitude < 60 * 90_000, soundMovesOn(later, step, ticks) else {
            return false
        }
        // The same format goes on; comfort noise and telephone events alternate with the audio they belong to.
        return later.payloadType == earlier.payloadType || ticks.magnitude < 8_000 * 60
    }

    /// Ticks that a packet of sound has at least: 1 ms at 8 kHz.
    private static let fewestTicks: Int32 = 8
    /// What calls have as a rule: there a sender whose clock stands still is likelier than a game.
    private static let usualSound: Set<UInt8> = [0, 8]

    /// Whether timestamps move on with the numbers where the payload type says that it is sound (RFC 3551 §6): each packet has
    /// samples of its own, where other protocols have a counter or what never changes. Only MPEG audio may be in fragments (RFC 2250
    /// §3.5).
    private static func soundMovesOn(_ later: RTPHeader, _ step: Int16, _ ticks: Int32) -> Bool {
        guard let type = StaticPayloadTypes.all[later.payloadType], type.media == .audio, type.encoding != "MPA",
            !usualSound.contains(later.payloadType)
        else { return true }
        return !(0..<fewestTicks ~= ticks / Int32(step))
    }

    /// Whether a datagram is one of those that share a port with RTP (RFC 7983 §7): STUN, ZRTP, DTLS, TURN channels,
    /// RTCP, or a keep-alive of a few octets (RFC 6263 §4).
    private static func mayShareRTPPort(_ bytes: RawSpan) -> Bool {
        guard let first = bytes.byte(at: 0), bytes.byteCount > 4 else { return true }
        switch first {
        case 0...3, 16...79: return true
        case 128...191: return bytes.byte(at: 1).map(RTCPPacket.isRTCP) ?? false
        default: return false
        }
    }
}
