extension Array where Element == UInt8 {
    /// A view of the octets as `ByteReader` takes them, valid until the array is modified.
    ///
    /// Sound because every bit pattern is an octet, and the view's lifetime depends on the array.
    public var rawSpan: RawSpan {
        @_lifetime(borrow self)
        @inline(__always) get { unsafe span.bytes }
    }
}
