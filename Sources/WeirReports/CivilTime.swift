import WeirPackets

/// A date and time in UTC (proleptic Gregorian calendar, without leap seconds), as in RFC 3339.
package struct CivilTime: Sendable, Hashable {
    /// Year, such as 2016.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int
    /// Seconds since midnight.
    package let secondOfDay: Int
    /// 0 to 999 999 999.
    package let nanosecond: Int

    /// Creates the UTC time of a timestamp.
    ///
    /// The date is computed from the day number in eras of 400 years (146 097 days) from 0000-03-01, such that the leap
    /// day is the last day of a year.
    package init(_ time: Timestamp) {
        let perDay: Int64 = 86_400_000_000_000
        var days = time.nanoseconds / perDay
        var rest = time.nanoseconds % perDay
        if rest < 0 {
            days -= 1
            rest += perDay
        }
        secondOfDay = Int(rest / 1_000_000_000)
        nanosecond = Int(rest % 1_000_000_000)
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Parses an RFC 3339 time, such as `2016-08-10T05:41:02.5Z` or with an offset `+08:00`; nil if it is invalid.
    package static func timestamp(rfc3339 text: String) -> Timestamp? {
        let octets = Array(text.utf8)
        guard octets.count >= 20, octets[4] == 0x2D, octets[7] == 0x2D, octets[13] == 0x3A, octets[16] == 0x3A,
            [0x54, 0x74, 0x20].contains(octets[10]),
            let year = number(octets[0..<4]), let month = number(octets[5..<7]), let day = number(octets[8..<10]),
            let hour = number(octets[11..<13]), let minute = number(octets[14..<16]),
            let second = number(octets[17..<19]),
            (1970..<2262).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var rest = octets[19...]
        var nanosecond = 0
        if rest.first == 0x2E {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count <= 9, let fraction = number(digits) else { return nil }
            nanosecond = (digits.count..<9).reduce(fraction) { value, _ in value * 10 }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let zone = zone(rest) else { return nil }
        // Days since 1970-01-01, with years that start in March, so that the leap day is the last of a year.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - zone
        return Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(nanosecond))
    }

    /// Parses the time zone offset, `Z` or `+hh:mm`, as seconds east of UTC.
    private static func zone(_ text: ArraySlice<UInt8>) -> Int? {
        let octets = Array(text)
        if octets == [0x5A] || octets == [0x7A] { return 0 }
        guard octets.count == 6, octets[0] == 0x2B || octets[0] == 0x2D, octets[3] == 0x3A,
            let hours = number(octets[1..<3]), let minutes = number(octets[4..<6]), hours < 24, minutes < 60
        else { return nil }
        return (octets[0] == 0x2B ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    private static func number(_ octets: ArraySlice<UInt8>) -> Int? {
        guard octets.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return octets.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `2016-08-10 05:41:02.036300`: microseconds, truncated as in captures.
    var precise: String { "\(readable.dropLast(4)).\(padded(nanosecond / 1_000, 6))" }

    /// `2016-08-10 05:41:02 UTC`.
    package var readable: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) \(padded(secondOfDay / 3600, 2)):"
            + "\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2)) UTC"
    }
}

/// Returns a number with leading zeros.
func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return digits.utf8.count >= width ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
}

/// Returns a number with a fixed number of decimals, rounded to nearest; the same on every platform.
func decimal(_ value: Double, places: Int) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(24)
    digits.appendFixed(value, places: places)
    return String(decoding: digits, as: UTF8.self)
}

extension [UInt8] {
    /// Appends a number like `decimal`.
    mutating func appendFixed(_ value: Double, places: Int) {
        let (units, divisor) = units(of: value, places: places)
        if value < 0, units > 0 { append(UInt8(ascii: "-")) }
        appendDecimal(units / divisor)
        guard divisor > 1 else { return }
        append(UInt8(ascii: "."))
        appendDecimal((units % divisor).magnitude, width: places)
    }

    /// Appends a number like `decimal`, without trailing zeros.
    mutating func appendDecimal(_ value: Double, places: Int) {
        let (units, divisor) = units(of: value, places: places)
        if value < 0, units > 0 { append(UInt8(ascii: "-")) }
        appendDecimal(units / divisor)
        var (fraction, width) = (units % divisor, places)
        guard fraction > 0 else { return }
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        append(UInt8(ascii: "."))
        appendDecimal(fraction.magnitude, width: width)
    }
}

/// Returns the magnitude of a number in units of its last decimal, rounded to nearest, and how many of them are one;
/// without decimals if it is too large for them.
private func units(of value: Double, places: Int) -> (units: Int, divisor: Int) {
    guard value.isFinite, abs(value) < 1e15 else { return (0, 1) }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let units = (abs(value) * scale).rounded()
    return units < 9e18 ? (Int(units), Int(scale)) : (Int(abs(value)), 1)
}
