/// In-place decimal formatting, the most frequent operation when writing reports.
extension [UInt8] {
    /// Appends a decimal integer.
    package mutating func appendDecimal(_ value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDecimal(value.magnitude, width: Self.decimalWidth(value.magnitude))
    }

    /// Appends the last `width` digits of a number, padded with leading zeros.
    package mutating func appendDecimal(_ value: UInt, width: Int) {
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
        var rest = value
        var place = start &+ width
        while place &- start >= 2 {
            let (others, pair) = (rest / 100, rest % 100)
            let tens = pair / 10
            place &-= 2
            self[place] = UInt8(truncatingIfNeeded: tens) &+ UInt8(ascii: "0")
            self[place &+ 1] = UInt8(truncatingIfNeeded: pair &- tens &* 10) &+ UInt8(ascii: "0")
            rest = others
        }
        if place > start { self[start] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0") }
    }
}
