/// A number that counts round a circle of 2^16 or 2^32, as RTP and TCP sequence numbers and RTP timestamps do.
///
/// "Before" and "after" are decided by the shorter way round (RFC 1982, serial number arithmetic).
public struct SerialNumber<Width: FixedWidthInteger & UnsignedInteger & Sendable>: Hashable, Sendable {
    /// The number as on the wire.
    public var value: Width

    /// Wraps a number from the wire.
    @inline(__always)
    public init(_ value: Width) {
        self.value = value
    }

    /// Steps from `other` to this number by the shorter way: negative when this one is behind.
    @inline(__always)
    public func distance(from other: Self) -> Int {
        let forward = value &- other.value
        return forward <= Width.max / 2 ? Int(forward) : -Int(0 &- forward)
    }

    /// This number moved on by `steps`, wrapping.
    @inline(__always)
    public func advanced(by steps: Int) -> Self {
        Self(value &+ Width(truncatingIfNeeded: steps))
    }

    /// Whether this number comes before `other` by the shorter way.
    @inline(__always)
    public func precedes(_ other: Self) -> Bool {
        distance(from: other) < 0
    }
}

/// A TCP sequence number.
public typealias Sequence32 = SerialNumber<UInt32>
