extension Array where Element == UInt8 {
    /// A view of the octets, as readers take them. It lives as long as the array is not changed.
    ///
    /// Sound because every bit pattern is an octet, and the view depends on the array that it was taken from.
    public var rawSpan: RawSpan {
        @_lifetime(borrow self)
        @inline(__always) get { unsafe span.bytes }
    }
}
