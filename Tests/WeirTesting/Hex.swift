/// Parses hexadecimal digits; blanks and line ends between them are ignored.
///
/// Traps on any other character or an odd number of digits.
package func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.isWhitespace ? nil : $0.hexDigitValue.map(UInt8.init) }
    precondition(digits.count == text.count(where: { !$0.isWhitespace }) && digits.count.isMultiple(of: 2))
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension Array where Element == UInt8 {
    /// Appends two octets, big-endian.
    package mutating func append16(_ value: Int) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    /// Appends four octets, big-endian.
    package mutating func append32(_ value: UInt32) {
        append16(Int(value >> 16))
        append16(Int(value & 0xFFFF))
    }

    /// Replaces two octets, big-endian.
    package mutating func put16(_ value: Int, at offset: Int) {
        self[offset] = UInt8(truncatingIfNeeded: value >> 8)
        self[offset + 1] = UInt8(truncatingIfNeeded: value)
    }
}
