/// The octets of a number, the lowest first, as files of IVF, WAV and Ogg have them.
func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
