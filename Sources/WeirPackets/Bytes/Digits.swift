/// In-place decimal formatting, the most frequent operation when writing reports.
extension [UInt8] {
    /// Appends a decimal integer.
    package mutating func appendDecimal(_ value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDecimal(value.magnitude, width: Self.decimalWidth(value.magnitude))
    }

    /// Appends the last digit of a number.
    @inline(__always)
    private mutating func appendDigit(_ value: UInt) {
        append(UInt8(truncatingIfNeeded: value % 10) &+ UInt8(ascii: "0"))
    }

    /// Appends the last `width` digits of a number, padded with leading zeros.
    package mutating func appendDecimal(_ value: UInt, width: Int) {
        if 1...3 ~= width {
            if width == 3 { appendDigit(value / 100) }
            if width > 1 { appendDigit(value / 10) }
            return appendDigit(value)
        }
        let start = count
        for _ in 0..<width { append(UInt8(ascii: "0")) }
        putDecimal(value, at: start, width: width)
    }

    /// Overwrites `width` octets from `start` with the last `width` digits of a number.
    @inlinable @inline(__always)
    package mutating func putDecimal(_ value: UInt, at start: Int, width: Int) {
        var octets = mutableSpan
        octets.putDecimal(value, at: start, width: width)
    }

    /// Returns the number of decimal digits of a value.
    @inlinable @inline(__always)
    package static func decimalWidth(_ value: UInt) -> Int {
        var width = 1
        var limit: UInt = 10
        while value >= limit {
            width &+= 1
            let (next, isOverflow) = limit.multipliedReportingOverflow(by: 10)
            if isOverflow { return width }
            limit = next
        }
        return width
    }
}

extension MutableSpan<UInt8> {
    /// Overwrites `width` octets from `start` with the last `width` digits of a number.
    @inlinable @inline(__always)
    package mutating func putDecimal(_ value: UInt, at start: Int, width: Int) {
        var (rest, place) = (value, start &+ width)
        while place &- start >= 8 {
            place &-= 8
            putEight(UInt32(truncatingIfNeeded: rest % 100_000_000), at: place)
            rest /= 100_000_000
        }
        if place &- start >= 4 {
            place &-= 4
            putFour(UInt32(truncatingIfNeeded: rest % 10_000), at: place)
            rest /= 10_000
        }
        while place > start {
            place &-= 1
            self[place] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
            rest /= 10
        }
    }

    // Several digits at a time: each part of a word is divided by a multiplication with the reciprocal and a shift.

    /// Overwrites eight octets with the digits of a number below 100,000,000.
    @inlinable @inline(__always)
    package mutating func putEight(_ number: UInt32, at start: Int) {
        var digits = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
        let hundreds = ((digits &* 10_486) >> 20) & 0x0000_007F_0000_007F
        digits = hundreds | (digits &- hundreds &* 100) << 16
        let tens = ((digits &* 103) >> 10) & 0x000F_000F_000F_000F
        digits = tens | (digits &- tens &* 10) << 8 | 0x3030_3030_3030_3030
        store(digits.littleEndian, at: start)
    }

    /// Overwrites four octets with the digits of a number below 10,000.
    @inlinable @inline(__always)
    package mutating func putFour(_ number: UInt32, at start: Int) {
        var digits = number / 100 | (number % 100) << 16
        let tens = ((digits &* 103) >> 10) & 0x000F_000F
        digits = tens | (digits &- tens &* 10) << 8 | 0x3030_3030
        store(digits.littleEndian, at: start)
    }
}
