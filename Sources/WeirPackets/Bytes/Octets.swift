extension MutableSpan<UInt8> {
    /// Overwrites octets by those of an integer, in its byte order in memory; traps unless all of them are inside the span.
    ///
    /// Sound because every bit pattern is an octet. One by one, each octet would be checked.
    @inlinable @inline(__always)
    mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value, at start: Int) {
        var octets = unsafe mutableBytes
        octets.storeBytes(of: value, toByteOffset: start, as: Value.self)
    }
}

extension Span<UInt8> {
    /// The octets as `ByteReader` takes them.
    ///
    /// Sound because every bit pattern is an octet, and the view's lifetime is the span's.
    package var rawSpan: RawSpan {
        @_lifetime(copy self)
        @inline(__always) get { unsafe bytes }
    }
}

extension Array where Element == UInt8 {
    /// A view of the octets as `ByteReader` takes them, valid until the array is modified.
    ///
    /// Sound because every bit pattern is an octet, and the view's lifetime depends on the array.
    public var rawSpan: RawSpan {
        @_lifetime(borrow self)
        @inlinable @inline(__always) get { unsafe span.bytes }
    }

    /// Appends a string as UTF-8.
    package mutating func append(_ text: String) {
        // All at once where the string has its octets in one place, as nearly all have: one by one takes longer.
        let isAppended: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe append(contentsOf: $0) }
        if isAppended == nil { append(contentsOf: text.utf8) }
    }
}
