import WeirKit

/// The header of an NTP packet (RFC 5905 §7.3): what the bytes say, and nothing of connections or printing.
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +---+-----+-----+---------------+---------------+---------------+
///     |LI | VN  |Mode |    Stratum    |     Poll      |   Precision   |
///     +---+-----+-----+---------------+---------------+---------------+
///     |                          Root Delay                           |
///     |                        Root Dispersion                        |
///     |                         Reference ID                          |
///     |                   Reference Timestamp (64)                    |
///     |                     Origin Timestamp (64)                     |
///     |                    Receive Timestamp (64)                     |
///     |                    Transmit Timestamp (64)                    |
///     +---------------------------------------------------------------+
public struct NTPHeader: Sendable, Hashable {
    /// Octets of the header; extension fields and a message authentication code may follow.
    public static let length = 48

    /// Who is speaking, to whom (RFC 5905 §7.3, figure 10).
    public enum Mode: UInt8, Sendable {
        /// A peer that wants to synchronise, and offers to be synchronised with.
        case symmetricActive = 1
        /// The answer of such a peer.
        case symmetricPassive = 2
        /// A client's question.
        case client = 3
        /// A server's answer.
        case server = 4
        /// The time, told to everybody.
        case broadcast = 5
    }

    /// Leap indicator: 0 no warning, 1 and 2 a minute of 61 or 59 seconds is coming, 3 the clock is not synchronised.
    public let leap: UInt8
    /// Protocol version, 4 at the time of RFC 5905.
    public let version: UInt8
    /// Who is speaking.
    public let mode: Mode
    /// Distance from a reference clock: 1 has one, 2 to 15 are served by another; 0 and 16 are not synchronised.
    public let stratum: UInt8
    /// Longest interval between messages, in log2 seconds.
    public let poll: Int8
    /// Precision of the sender's clock, in log2 seconds.
    public let precision: Int8
    /// Round-trip time to the reference clock, in seconds / 65536.
    public let rootDelay: UInt32
    /// Greatest error against the reference clock, in seconds / 65536.
    public let rootDispersion: UInt32
    /// Which clock, or server, the time comes from; for stratum 0 a kiss code (RFC 5905 §7.4).
    public let referenceID: UInt32
    /// When the sender's clock was last set.
    public let reference: NTPTime
    /// The transmit timestamp of the packet that this one answers, copied bit by bit.
    public let origin: NTPTime
    /// When the packet that this one answers arrived.
    public let receive: NTPTime
    /// When this packet left. Clients may send a random number instead: all that they need of it is that it comes back.
    public let transmit: NTPTime

    /// Reads a header from the start of a datagram.
    ///
    /// - Throws: `DecodeError` when octets are missing, or the mode has another layout (6 and 7) or none (0).
    public init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "NTP")
        let first = try reader.uint8()
        leap = first >> 6
        version = first >> 3 & 0x7
        guard let mode = Mode(rawValue: first & 0x7) else {
            throw DecodeError(.unsupported("mode \(first & 0x7) has no time in it"), layer: "NTP", offset: 0)
        }
        self.mode = mode
        stratum = try reader.uint8()
        poll = Int8(bitPattern: try reader.uint8())
        precision = Int8(bitPattern: try reader.uint8())
        rootDelay = try reader.uint32()
        rootDispersion = try reader.uint32()
        referenceID = try reader.uint32()
        reference = NTPTime(try reader.uint64())
        origin = NTPTime(try reader.uint64())
        receive = NTPTime(try reader.uint64())
        transmit = NTPTime(try reader.uint64())
    }

    /// Whether it asks for the time.
    public var isQuestion: Bool { mode == .client || mode == .symmetricActive }

    /// Whether it answers a question.
    public var isAnswer: Bool { mode == .server || mode == .symmetricPassive }

    /// Whether the sender says that its time can be used.
    public var isSynchronized: Bool { leap != 3 && 1...15 ~= stratum }

    /// The kiss code (RFC 5905 §7.4): four letters with which a server tells a client what it did wrong; nil when
    /// there is none.
    public var kissCode: String? {
        stratum == 0 && mode == .server && referenceID != 0 ? Self.letters(referenceID) : nil
    }

    /// The reference identifier as it is meant: letters for a clock, dotted decimal for a server's address (or, with
    /// IPv6, the beginning of its hash).
    public var referenceName: String {
        stratum < 2 ? Self.letters(referenceID) : Self.octets(referenceID).map { String($0) }.joined(separator: ".")
    }

    /// Four octets as ASCII, zeros at the end left out and what cannot be printed replaced.
    private static func letters(_ value: UInt32) -> String {
        let used = octets(value).prefix { $0 != 0 }
        return String(decoding: used.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func octets(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
