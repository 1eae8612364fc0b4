/// Decimal digits, written in place: what reports write more of than of anything else.
extension [UInt8] {
    /// A whole number.
    package mutating func appendDecimal(_ value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendDecimal(value.magnitude, width: Self.decimalWidth(value.magnitude))
    }

    /// The last `width` digits of a number, with zeros in front of it where it has fewer.
    package mutating func appendDecimal(_ value: UInt, width: Int) {
        let start = count
        for _ in 0..<width { append(UInt8(ascii: "0")) }
        putDecimal(value, at: start, width: width)
    }

    /// Writes the last `width` digits of a number over what stands at `start`.
    @inlinable @inline(__always)
    package mutating func putDecimal(_ value: UInt, at start: Int, width: Int) {
        var octets = mutableSpan
        octets.putDecimal(value, at: start, width: width)
    }

    /// How many digits a number has.
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
    /// Writes the last `width` digits of a number over what stands at `start`.
    @inlinable @inline(__always)
    package mutating func putDecimal(_ value: UInt, at start: Int, width: Int) {
        var rest = value
        var place = start &+ width
        while place > start {
            place &-= 1
            self[place] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
            rest /= 10
        }
    }
}
