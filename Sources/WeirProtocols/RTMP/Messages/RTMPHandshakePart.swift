import WeirEngine
import WeirPackets

/// One of the six parts of the handshake (RTMP §5.2).
package struct RTMPHandshakePart: Message, Hashable {
    /// Which part it is.
    package enum Packet: String, Sendable, Hashable, CaseIterable {
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
        package var octets: Int { self == .c0 || self == .s0 ? 1 : 1_536 }
        /// Whether the client sends it.
        package var isClients: Bool { self == .c0 || self == .c1 || self == .c2 }
        /// Whether it is C1 or S1.
        package var isFirst: Bool { self == .c1 || self == .s1 }
        /// Whether it is C2 or S2.
        package var isAnswer: Bool { self == .c2 || self == .s2 }
    }

    /// How the peers make sure of each other.
    package enum Scheme: String, Sendable, Hashable {
        /// The one of the specification: octets are echoed.
        case simple
        /// With a digest whose place octets 8 to 11 tell.
        case digest0
        /// With a digest whose place octets 772 to 775 tell.
        case digest1
    }

    /// What a C2 or S2 is, compared with what the peer sent.
    package enum Answer: Sendable, Hashable {
        /// The peer's random octets, as the specification has it.
        case echo
        /// The digest that answers the peer's; it verifies.
        case digest
        /// The sender's own first part once more, to the last octet or nearly: a second C1 in the place of C2.
        case ownFirstPart
        /// Neither; the first octet of the part that differs from the peer's, and how many do.
        case other(firstDifference: Int, differing: Int)
    }

    /// What the sender should have waited for.
    package enum Awaited: String, Sendable, Hashable {
        /// S0 and S1 wait for C0.
        case c0 = "C0"
        /// S2 waits for C1.
        case c1 = "C1"
        /// C2 waits for S1.
        case s1 = "S1"
        /// What the client says after the handshake waits for S2.
        case s2 = "S2"
        /// What the server says after the handshake waits for C2.
        case c2 = "C2"
    }

    /// Which part it is.
    package let packet: Packet
    /// C0, S0: the version; 3 for RTMP (RTMP §5.2.2).
    package internal(set) var version: UInt8?
    /// All but C0 and S0: time in milliseconds of the sender's, or in C2 and S2 of the peer's clock.
    package internal(set) var time: UInt32?
    /// All but C0 and S0: octets 4 to 7. Zero in C1 and S1 (RTMP §5.2.3), where many peers write a program version; in C2
    /// and S2 the time at which the peer's part was read (RTMP §5.2.4).
    package internal(set) var secondField: UInt32?
    /// C1, S1: whether a digest was found, and where. C2, S2: by what they answer. Nil when that is not known.
    package internal(set) var scheme: Scheme?
    /// C2, S2: what they are. Nil when the capture does not hold both parts.
    package internal(set) var answer: Answer?
    /// C2, S2: the time that the peer sent in S1 or C1; nil when not known.
    package internal(set) var peerTime: UInt32?
    /// C2, S2: octets 4 to 7 of the peer's S1 or C1; nil when not known.
    package internal(set) var peerSecondField: UInt32?
    /// C1, S1: what the random octets look like.
    package internal(set) var filling: HandshakeFilling?
    /// What the sender had to wait for, when the capture shows it to come later (RTMP §5.2.1). Nil when it may be
    /// that the capture lacks it.
    package var hurriesAhead: Awaited?
    /// Octets of the part that came, in the capture or not.
    package internal(set) var octets: Int
    /// The capture holds only the beginning of this part.
    package internal(set) var isCut = false
    /// The connection ended before the part was complete.
    package internal(set) var isUnfinished = false
    /// The frame that brought its first octet.
    package internal(set) var firstFrame: Int?

    /// Reads a part, of which less than its length may be there; `passed` octets of it were on the wire.
    init(_ packet: Packet, _ bytes: RawSpan, passed: Int) {
        self.packet = packet
        let isVersion = packet.octets == 1
        version = isVersion ? bytes.byte(at: 0) : nil
        time = isVersion ? nil : bytes.uint32(at: 0)
        secondField = isVersion ? nil : bytes.uint32(at: 4)
        octets = passed
        isCut = bytes.byteCount < passed
        isUnfinished = passed < packet.octets
    }

    /// C2, S2: whether the random octets are those that the peer sent in S1 or C1. Nil when that is not known, and when a
    /// digest stands in their place.
    package var echoes: Bool? {
        switch answer {
        case .echo: true
        case .ownFirstPart, .other: false
        case .digest, nil: nil
        }
    }
    /// C2, S2: whether the time is the one that the peer sent. Nil when that is not known, and for a digest, which
    /// has random octets there.
    package var echoesTime: Bool? {
        answer == .digest ? nil : peerTime.flatMap { peer in time.map { $0 == peer } }
    }
    /// C2, S2: offset of the first octet that is not as the peer sent it, octets 4 to 7 apart; nil when all are.
    package var mismatchOffset: Int? {
        if echoesTime == false { return 0 }
        if case .other(let first, _)? = answer { return first }
        return nil
    }
    /// C0, S0: the version of RTMPE (6, and 8 and 9 with other ciphers), after which all is encrypted.
    package var isEncrypting: Bool { version.map(Self.encryptedVersions.contains) ?? false }

    static let encryptedVersions: Set<UInt8> = [6, 8, 9]
}
