import WeirKit

/// The header of an NTP packet (RFC 5905 §7.3). Independent of flows and presentation.
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
    /// Length of the header in octets; extension fields and a message authentication code may follow.
    public static let length = 48

    /// The association mode (RFC 5905 §7.3, figure 10).
    public enum Mode: UInt8, Sendable {
        /// A peer that requests and offers synchronization.
        case symmetricActive = 1
        /// The response of a symmetric peer.
        case symmetricPassive = 2
        /// A client request.
        case client = 3
        /// A server response.
        case server = 4
        /// An unsolicited broadcast of the time.
        case broadcast = 5
    }

    /// Leap indicator: 0 no warning, 1 and 2 announce a minute of 61 or 59 seconds, 3 the clock is not synchronized.
    public let leap: UInt8
    /// Protocol version, 4 at the time of RFC 5905.
    public let version: UInt8
    /// The association mode.
    public let mode: Mode
    /// Distance from a reference clock: 1 has one, 2 to 15 are served by another; 0 and 16 are not synchronized.
    public let stratum: UInt8
    /// Longest interval between messages, in log2 seconds.
    public let poll: Int8
    /// Precision of the sender's clock, in log2 seconds.
    public let precision: Int8
    /// Round-trip time to the reference clock, in seconds / 65536.
    public let rootDelay: UInt32
    /// Maximum error relative to the reference clock, in seconds / 65536.
    public let rootDispersion: UInt32
    /// The clock or server that the time comes from; for stratum 0 a kiss code (RFC 5905 §7.4).
    public let referenceID: UInt32
    /// The time at which the sender's clock was last set.
    public let reference: NTPTime
    /// The transmit timestamp of the packet being answered, copied bit by bit.
    public let origin: NTPTime
    /// The arrival time of the packet being answered.
    public let receive: NTPTime
    /// The transmission time of this packet. Clients may send a random number instead, since they only compare the
    /// echo.
    public let transmit: NTPTime

    /// Parses a header from the start of a datagram.
    ///
    /// - Throws: `DecodeError` if octets are missing, or the mode is reserved (0) or has another layout (6 and 7).
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

    /// Whether the packet requests the time.
    public var isQuestion: Bool { mode == .client || mode == .symmetricActive }

    /// Whether the packet answers a request.
    public var isAnswer: Bool { mode == .server || mode == .symmetricPassive }

    /// Whether the sender reports a synchronized clock.
    public var isSynchronized: Bool { leap != 3 && 1...15 ~= stratum }

    /// The kiss code (RFC 5905 §7.4), four letters that tell a client why the server refuses; nil if there is none.
    public var kissCode: String? {
        stratum == 0 && mode == .server && referenceID != 0 ? Self.letters(referenceID) : nil
    }

    /// The reference identifier in readable form: letters for a clock, dotted decimal for a server's address (with
    /// IPv6, the first octets of its hash).
    public var referenceName: String {
        stratum < 2 ? Self.letters(referenceID) : Self.octets(referenceID).map { String($0) }.joined(separator: ".")
    }

    /// Four octets as ASCII, without trailing zeros and with unprintable characters replaced.
    private static func letters(_ value: UInt32) -> String {
        let used = octets(value).prefix { $0 != 0 }
        return String(decoding: used.map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private static func octets(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
}
