internal import WeirPackets

/// One of the six parts of the handshake (RTMP §5.2).
public struct RTMPHandshakePart: Message, Hashable {
    /// Which part it is.
    public enum Packet: String, Sendable, Hashable, CaseIterable {
        /// The client's version.
        case c0 = "C0"
        /// The client's time and random octets.
        case c1 = "C1"
        /// The client's answer to S1.
        case c2 = "C2"
        /// The server's version.
        case s0 = "S0"
        /// The server's time and random octets.
        case s1 = "S1"
        /// The server's answer to C1.
        case s2 = "S2"

        /// Length on the wire in octets (RTMP §5.2.2 to §5.2.4).
        public var octets: Int { self == .c0 || self == .s0 ? 1 : 1_536 }
    }

    /// Which part it is.
    public let packet: Packet
    /// C0, S0: the version; 3 for RTMP (RTMP §5.2.2).
    public let version: UInt8?
    /// All but C0 and S0: time in milliseconds of the sender's, or in C2 and S2 of the peer's clock.
    public let time: UInt32?
    /// All but C0 and S0: octets 4 to 7. Zero in C1 and S1 (RTMP §5.2.3), where many peers write a program version; in C2
    /// and S2 the time at which the peer's part was read (RTMP §5.2.4).
    public let secondField: UInt32?
    /// C2, S2: whether the random octets are those that the peer sent in S1 or C1. Nil when that is not known.
    public internal(set) var echoes: Bool?
    /// C2, S2: whether the time is the one that the peer sent. Nil when that is not known.
    public internal(set) var echoesTime: Bool?
    /// C2, S2: the sender sent the random octets of its own first part a second time.
    public internal(set) var repeatsOwn = false
    /// The capture holds only the beginning of this part.
    public internal(set) var isCut = false

    /// Reads a part, of which less than its length may be there.
    init(_ packet: Packet, _ bytes: RawSpan) {
        self.packet = packet
        let isVersion = packet.octets == 1
        version = isVersion ? bytes.byte(at: 0) : nil
        time = isVersion ? nil : bytes.uint32(at: 0)
        secondField = isVersion ? nil : bytes.uint32(at: 4)
        isCut = bytes.byteCount < packet.octets
    }

    /// Compares a C2 or S2 with the peer's first part and with the sender's own.
    mutating func compare(_ own: [UInt8], peer: [UInt8]?, first: [UInt8]?) {
        guard packet == .c2 || packet == .s2, own.count == packet.octets else { return }
        if let peer, peer.count == own.count {
            echoes = own[8...] == peer[8...]
            echoesTime = own[..<4] == peer[..<4]
        }
        if let first, first.count == own.count, echoes != true { repeatsOwn = own[8...] == first[8...] }
    }
}

extension RTMPHandshakePart {
    /// `rtmp`.
    public var protocolName: String { "rtmp" }
    /// `handshake`.
    public var kind: String { "handshake" }

    /// The part with what can be said of it.
    public func summary(_ secrets: SecretPolicy) -> String {
        var facts: [String] = []
        if let version { facts.append("version \(version)") }
        if let time { facts.append("time \(time)") }
        if let secondField, packet == .c1 || packet == .s1 {
            facts.append(secondField == 0 ? "zero field 0" : "zero field holds \(Self.dotted(secondField))")
        }
        let (peer, own) = packet == .c2 ? ("S1", "C1") : ("C1", "S1")
        if repeatsOwn {
            facts.append("repeats \(own)")
        } else if let echoes {
            facts.append(echoes ? "echoes \(peer)" : "does not echo \(peer)")
            if echoes, echoesTime == false { facts.append("but another time") }
        }
        if isCut { facts.append("cut by the capture") }
        return ([packet.rawValue] + facts).joined(separator: ", ")
    }

    /// What the part is for.
    public var note: Text? {
        if repeatsOwn { return Text("rtmp.handshake.repeats") }
        return Text("rtmp.handshake.\(packet.rawValue)")
    }

    /// The members of the report's `fields`.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("packet", packet.rawValue)
        fields.add("version", version.map { Int($0) })
        if packet == .c1 || packet == .s1 { fields.add("version", secondField.map(Self.dotted)) }
        fields.add("time", time.map { Int($0) })
        if packet == .c2 || packet == .s2 { fields.add("time2", secondField.map { Int($0) }) }
        fields.add("echoes", echoes)
        fields.add("echoesTime", echoesTime)
        if repeatsOwn { fields.add("repeatsOwn", true) }
        return fields
    }

    private static func dotted(_ value: UInt32) -> String {
        "\(value >> 24).\(value >> 16 & 0xFF).\(value >> 8 & 0xFF).\(value & 0xFF)"
    }
}
