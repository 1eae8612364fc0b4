/// Mixes two numbers into one, spreading small values and zero. Fast, and not cryptographic.
@inline(__always)
func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    fold(left ^ 0x9E37_79B9_7F4A_7C15, right ^ 0xD6E8_FEB8_6659_FD93)
}
