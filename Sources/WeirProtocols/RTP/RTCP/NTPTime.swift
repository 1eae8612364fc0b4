import WeirEngine
import WeirPackets

/// An NTP timestamp: seconds since 1900-01-01 00:00:00 UTC in the upper 32 bits, fraction of a second in the lower ones
/// (RFC 3550 §4).
public struct NTPTime: Sendable, Hashable, CustomStringConvertible {
    /// The 64-bit timestamp.
    public let value: UInt64

    /// Creates a time from the 64-bit timestamp.
    public init(_ value: UInt64) {
        self.value = value
    }

    /// Seconds since 1900.
    public var seconds: UInt32 { UInt32(truncatingIfNeeded: value >> 32) }
    /// The fraction of the second, in nanoseconds.
    public var nanoseconds: Int { Int(((value & 0xFFFF_FFFF) &* 1_000_000_000) >> 32) }
    /// Seconds since 1900, with fraction.
    public var secondsWithFraction: Double { Double(value) / 4_294_967_296 }

    /// Whether it is a plausible wall-clock time: 1970 or later. A sender without a clock may count from its start or
    /// send 0 (RFC 3550 §6.4.1).
    public var isWallClock: Bool { seconds >= 2_208_988_800 }

    /// `2016-08-10 05:41:02.123` in UTC, or seconds since the sender's start if it is not a wall-clock time.
    public var description: String {
        var octets: [UInt8] = []
        octets.append(self)
        return String(decoding: octets, as: UTF8.self)
    }

    /// Returns the civil date of a day; years are counted from 1 March, so that leap days end a year.
    fileprivate static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}

extension [UInt8] {
    /// Appends a time in the format of its description.
    package mutating func append(_ time: NTPTime) {
        let milliseconds = time.nanoseconds / 1_000_000
        guard time.isWallClock else {
            appendDecimal(Int(time.seconds))
            append(".", milliseconds, width: 3)
            append(" s")
            return
        }
        let unix = Int(time.seconds) - 2_208_988_800
        let (day, second) = (unix / 86_400, unix % 86_400)
        let date = NTPTime.date(daysSince1970: day)
        appendDecimal(date.year)
        append("-", date.month, width: 2)
        append("-", date.day, width: 2)
        append(" ", second / 3_600, width: 2)
        append(":", second / 60 % 60, width: 2)
        append(":", second % 60, width: 2)
        append(".", milliseconds, width: 3)
    }

    /// Appends a separator and the last `width` digits of a non-negative number.
    private mutating func append(_ sign: Unicode.Scalar, _ number: Int, width: Int) {
        append(UInt8(ascii: sign))
        appendDecimal(number.magnitude, width: width)
    }
}
