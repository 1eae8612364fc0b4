internal import WeirPackets

// Formatting of numbers, appended to a buffer or as a string.

extension [UInt8] {
    /// Appends a 32-bit identifier in the form `0x0badcafe`.
    package mutating func appendIdentifier(_ value: UInt32) {
        append("0x")
        appendHexadecimal(value)
    }

    /// Appends eight hexadecimal digits.
    package mutating func appendHexadecimal(_ value: UInt32) {
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            append(Self.hexadecimalDigit(UInt8(truncatingIfNeeded: value >> shift)))
        }
    }

    fileprivate static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        let digit = value & 15
        return digit < 10 ? digit &+ 0x30 : digit &+ 0x57
    }

    /// Appends a number with no-break spaces between groups of thousands: `41 234`.
    package mutating func appendGrouped(_ value: some BinaryInteger) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let magnitude = UInt(truncatingIfNeeded: value.magnitude)
        var left = Self.decimalWidth(magnitude)
        let first = (left &- 1) % 3 &+ 1
        var divisor: UInt = 1
        for _ in first..<left { divisor *= 10 }
        appendDecimal(magnitude / divisor, width: first)
        left &-= first
        while left > 0 {
            divisor /= 1_000
            append(0xC2)
            append(0xA0)
            appendDecimal(magnitude / divisor, width: 3)
            left &-= 3
        }
    }

    /// Appends a number with `places` decimals.
    package mutating func appendRounded(_ value: Double, places: Int) {
        guard value.isFinite, value.magnitude < 1e15 else {
            append("\(value)")
            return
        }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = UInt((value.magnitude * scale).rounded())
        if value < 0, scaled > 0 { append(UInt8(ascii: "-")) }
        let whole = scaled / UInt(scale)
        appendDecimal(whole, width: Self.decimalWidth(whole))
        guard places > 0 else { return }
        append(UInt8(ascii: "."))
        appendDecimal(scaled, width: places)
    }
}

/// Returns a 32-bit identifier in the form `0x0badcafe`.
package func hexadecimal(_ value: UInt32) -> String {
    var octets: [UInt8] = []
    octets.reserveCapacity(10)
    octets.appendIdentifier(value)
    return String(decoding: octets, as: UTF8.self)
}

/// Returns bytes as lowercase hexadecimal digits.
package func hexadecimal(_ octets: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(octets.underestimatedCount &* 2)
    for octet in octets {
        digits.append([UInt8].hexadecimalDigit(octet >> 4))
        digits.append([UInt8].hexadecimalDigit(octet))
    }
    return String(decoding: digits, as: UTF8.self)
}

/// Returns a number with no-break spaces between groups of thousands: `41 234`.
package func grouped(_ value: some BinaryInteger) -> String {
    var octets: [UInt8] = []
    octets.appendGrouped(value)
    return String(decoding: octets, as: UTF8.self)
}

/// Returns a number with `places` decimals.
package func rounded(_ value: Double, places: Int) -> String {
    var octets: [UInt8] = []
    octets.appendRounded(value, places: places)
    return String(decoding: octets, as: UTF8.self)
}

/// Returns a duration in seconds with one decimal, or in milliseconds below 0.95 s.
package func duration(_ seconds: Double) -> String {
    seconds.magnitude < 0.95
        ? "\(rounded(seconds * 1_000, places: 0)) ms" : "\(rounded(seconds, places: 1)) s"
}
