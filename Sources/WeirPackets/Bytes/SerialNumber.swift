/// A number that wraps at 2^16 or 2^32, such as RTP and TCP sequence numbers and RTP timestamps.
///
/// Ordering uses serial number arithmetic (RFC 1982).
public struct SerialNumber<Width: FixedWidthInteger & UnsignedInteger & Sendable>: Hashable, Sendable {
    /// The number as on the wire.
    public var value: Width

    /// Wraps a number from the wire.
    @inline(__always)
    public init(_ value: Width) {
        self.value = value
    }

    /// Returns the signed distance from `other` to this number, modulo the width; negative if this number is behind.
    @inline(__always)
    public func distance(from other: Self) -> Int {
        let forward = value &- other.value
        return forward <= Width.max / 2 ? Int(forward) : -Int(0 &- forward)
    }

    /// Returns this number advanced by `steps`, wrapping.
    @inline(__always)
    public func advanced(by steps: Int) -> Self {
        Self(value &+ Width(truncatingIfNeeded: steps))
    }

    /// Whether this number precedes `other` (RFC 1982).
    @inline(__always)
    public func precedes(_ other: Self) -> Bool {
        distance(from: other) < 0
    }
}

/// A TCP sequence number.
public typealias Sequence32 = SerialNumber<UInt32>
