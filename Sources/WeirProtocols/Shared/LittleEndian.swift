/// Returns the bytes of a number, least significant first, as in IVF, WAV and Ogg files.
func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
