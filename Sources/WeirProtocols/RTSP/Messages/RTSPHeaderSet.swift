/// A set of the headers that RFC 2326 §12 and RFC 7826 §18 specify.
struct RTSPHeaderSet: OptionSet, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates the set of one header.
    @inline(__always)
    init(_ name: HeaderName) { rawValue = 1 << UInt64(name.rawValue) }

    /// Whether it has a header.
    @inline(__always)
    func contains(_ name: HeaderName) -> Bool { !isDisjoint(with: Self(name)) }
}
