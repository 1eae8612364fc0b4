import WeirEngine
import WeirPackets

/// One of the six parts of the handshake (RTMP §5.2).
package struct RTMPHandshakePart: Message, Hashable {
    /// The kind of part.
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

        /// The length in octets (RTMP §5.2.2 to §5.2.4).
        package var octets: Int { self == .c0 || self == .s0 ? 1 : 1_536 }
        /// Whether the client sends it.
        package var isClients: Bool { self == .c0 || self == .c1 || self == .c2 }
        /// Whether it is C1 or S1.
        package var isFirst: Bool { self == .c1 || self == .s1 }
        /// Whether it is C2 or S2.
        package var isAnswer: Bool { self == .c2 || self == .s2 }
    }

    /// The handshake scheme, by which the peers verify each other.
    package enum Scheme: String, Sendable, Hashable {
        /// The scheme of the specification: octets are echoed.
        case simple
        /// With a digest whose offset is in octets 8 to 11.
        case digest0
        /// With a digest whose offset is in octets 772 to 775.
        case digest1
    }

    /// The content of a C2 or S2, compared with the peer's part.
    package enum Answer: Sendable, Hashable {
        /// The peer's random octets, as specified.
        case echo
        /// A valid digest that answers the peer's.
        case digest
        /// The sender's own first part repeated, exactly or almost: a second C1 in place of C2.
        case ownFirstPart
        /// Neither; with the offset of the first octet that differs from the peer's, and the number of differences.
        case other(firstDifference: Int, differing: Int)
    }

    /// A part that the sender should have awaited.
    package enum Awaited: String, Sendable, Hashable {
        /// S0 and S1 require C0.
        case c0 = "C0"
        /// S2 requires C1.
        case c1 = "C1"
        /// C2 requires S1.
        case s1 = "S1"
        /// Client data after the handshake requires S2.
        case s2 = "S2"
        /// Server data after the handshake requires C2.
        case c2 = "C2"
    }

    /// The kind of part.
    package let packet: Packet
    /// C0, S0: the version, 3 for RTMP (RTMP §5.2.2).
    package internal(set) var version: UInt8?
    /// All but C0 and S0: the time in milliseconds, by the sender's clock, or in C2 and S2 by the peer's.
    package internal(set) var time: UInt32?
    /// All but C0 and S0: octets 4 to 7. In C1 and S1 zero (RTMP §5.2.3) or, for many peers, a program version; in C2
    /// and S2 the time at which the peer's part was read (RTMP §5.2.4).
    package internal(set) var secondField: UInt32?
    /// C1, S1: whether and where a digest was found. C2, S2: the kind of answer. Nil if unknown.
    package internal(set) var scheme: Scheme?
    /// C2, S2: the kind of answer. Nil if the capture does not contain both parts.
    package internal(set) var answer: Answer?
    /// C2, S2: the time in the peer's S1 or C1, or nil if unknown.
    package internal(set) var peerTime: UInt32?
    /// C2, S2: octets 4 to 7 of the peer's S1 or C1, or nil if unknown.
    package internal(set) var peerSecondField: UInt32?
    /// C1, S1: the kind of random octets.
    package internal(set) var filling: HandshakeFilling?
    /// The part that the sender should have awaited, if the capture shows that it was sent later (RTMP §5.2.1). Nil if
    /// that part may be missing from the capture.
    package var prematureOf: Awaited?
    /// For an answer whose echo starts before or after its position: by how many octets the sender's first part was
    /// too short, or too long if negative.
    package var shift: Int?
    /// For an echo that has octets which the peer's part lacks: how many.
    package var shortPeer: Int?
    /// For an echo whose last octets are the start of a chunk: how many are missing.
    package var missing: Int?
    /// Octets of the part that were sent, captured or not.
    package internal(set) var octets: Int
    /// Whether the capture contains only the start of this part.
    package internal(set) var isCut = false
    /// Whether the connection ended before the part was complete.
    package internal(set) var isUnfinished = false
    /// The frame that contains its first octet.
    package internal(set) var firstFrame: Int?

    /// Parses a part, which may be truncated; `passed` octets of it were sent.
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

    /// C2, S2: whether the random octets are those of the peer's S1 or C1. Nil if unknown, and for a digest.
    package var echoes: Bool? {
        switch answer {
        case .echo: true
        case .ownFirstPart, .other: false
        case .digest, nil: nil
        }
    }
    /// C2, S2: whether the time is that of the peer's part. Nil if unknown, and for a digest, which has no time.
    package var echoesTime: Bool? {
        answer == .digest ? nil : peerTime.flatMap { peer in time.map { $0 == peer } }
    }
    /// C2, S2: the offset of the first octet that differs from the peer's part, except octets 4 to 7, or nil if there
    /// is none.
    package var mismatchOffset: Int? {
        if echoesTime == false { return 0 }
        if case .other(let first, _)? = answer { return first }
        return nil
    }
    /// C0, S0: whether the version is RTMPE (6, or 8 and 9 with other ciphers), after which everything is encrypted.
    package var isEncrypting: Bool { version.map(Self.encryptedVersions.contains) ?? false }

    static let encryptedVersions: [UInt8] = [6, 8, 9]
}
