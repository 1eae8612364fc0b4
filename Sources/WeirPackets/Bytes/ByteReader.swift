/// A bounds-checked cursor over borrowed bytes. It reads forward, never past the end, and cannot outlive the bytes.
///
/// Multi-octet reads are big-endian (network byte order) unless the name says otherwise. Offsets are relative to the
/// start of the bytes passed to the initializer.
///
/// The only unsafe constructs are loads and parts of the span. Each is preceded by a check that it lies inside the span,
/// and integers have no invalid bit patterns. They are not checked again: nearly all octets are read here.
public struct ByteReader: ~Escapable {
    /// All bytes, including those already read.
    public let bytes: RawSpan
    /// Offset of the next octet to read.
    public private(set) var offset: Int
    /// The name of the layer, used in errors.
    public let layer: String

    /// Creates a reader over `bytes`. Errors name `layer` as the structure being decoded.
    @inlinable @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: RawSpan, layer: String = "bytes") {
        self.init(unchecked: bytes, offset: 0, layer: layer)
    }

    @usableFromInline @inline(__always)
    @_lifetime(copy bytes)
    init(unchecked bytes: RawSpan, offset: Int, layer: String) {
        self.bytes = bytes
        self.offset = offset
        self.layer = layer
    }

    /// The number of octets left.
    public var remaining: Int { bytes.byteCount &- offset }
    /// Whether no octets are left.
    public var isAtEnd: Bool { remaining == 0 }

    /// Returns the error for `needed` octets that are not available.
    public func tooShort(_ needed: Int) -> DecodeError {
        DecodeError(.tooShort(needed: needed, available: remaining), layer: layer, offset: offset)
    }

    /// Returns the error for an invalid value at the current offset.
    public func malformed(_ reason: String) -> DecodeError {
        DecodeError(.malformed(reason), layer: layer, offset: offset)
    }

    /// Advances by `count` octets. Throws if fewer are left or `count` is negative.
    @_lifetime(self: copy self)
    public mutating func skip(_ count: Int) throws(DecodeError) {
        guard count >= 0, count <= remaining else { throw tooShort(count) }
        offset &+= count
    }

    /// Moves to `newOffset`. Throws if it is outside the bytes.
    @_lifetime(self: copy self)
    public mutating func seek(to newOffset: Int) throws(DecodeError) {
        guard newOffset >= 0, newOffset <= bytes.byteCount else { throw tooShort(newOffset &- offset) }
        offset = newOffset
    }

    /// Reads one octet.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func uint8() throws(DecodeError) -> UInt8 {
        try load(UInt8.self)
    }

    /// Reads two octets, big-endian.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func uint16() throws(DecodeError) -> UInt16 {
        UInt16(bigEndian: try load(UInt16.self))
    }

    /// Reads three octets, big-endian.
    @_lifetime(self: copy self)
    public mutating func uint24() throws(DecodeError) -> UInt32 {
        guard remaining >= 3 else { throw tooShort(3) }
        let high = UInt32(try uint8())
        return high << 16 | UInt32(try uint16())
    }

    /// Reads four octets, big-endian.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func uint32() throws(DecodeError) -> UInt32 {
        UInt32(bigEndian: try load(UInt32.self))
    }

    /// Reads eight octets, big-endian.
    @inline(__always)
    @_lifetime(self: copy self)
    public mutating func uint64() throws(DecodeError) -> UInt64 {
        UInt64(bigEndian: try load(UInt64.self))
    }

    /// Reads `count` octets as a view, without copying.
    @_lifetime(copy self)
    public mutating func span(_ count: Int) throws(DecodeError) -> RawSpan {
        guard count >= 0, count <= remaining else { throw tooShort(count) }
        let view = bytes.extracting(offset..<offset &+ count)
        offset &+= count
        return view
    }

    /// Reads the remaining octets as a view, without copying.
    @_lifetime(copy self)
    public mutating func rest() -> RawSpan {
        let view = bytes.extracting(offset..<bytes.byteCount)
        offset = bytes.byteCount
        return view
    }

    /// Returns the octet `distance` after the cursor without moving, or nil past the end.
    @inline(__always)
    public func peek(_ distance: Int = 0) -> UInt8? {
        bytes.byte(at: offset &+ distance)
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(DecodeError) -> Value {
        let size = MemoryLayout<Value>.size
        guard size <= remaining else { throw tooShort(size) }
        let value = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Value.self)
        offset &+= size
        return value
    }
}

extension RawSpan {
    /// Returns the octet at `offset`, or nil outside the span.
    @inlinable @inline(__always)
    public func byte(at offset: Int) -> UInt8? {
        guard UInt(bitPattern: offset) < UInt(bitPattern: byteCount) else { return nil }
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Returns the big-endian 16-bit value at `offset`, or nil unless all of it is inside the span.
    @inlinable @inline(__always)
    public func uint16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= byteCount &- 2 else { return nil }
        return UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
    }

    /// Returns the big-endian 32-bit value at `offset`, or nil unless all of it is inside the span.
    @inlinable @inline(__always)
    public func uint32(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= byteCount &- 4 else { return nil }
        return UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    /// Returns the big-endian 64-bit value at `offset`, or nil unless all of it is inside the span.
    @inlinable @inline(__always)
    public func uint64(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= byteCount &- 8 else { return nil }
        return UInt64(bigEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Returns the offset of the first octet below 14 from `start` on, such as a line end; the length of the span if there
    /// is none.
    @inlinable
    public func nextControl(from start: Int) -> Int { nextOctet(below: 0x0E, from: start) }

    /// Returns the offset of the first octet below `limit`, which is at most 128, from `start` on; the length of the span if
    /// there is none.
    @inlinable @inline(__always)
    package func nextOctet(below limit: UInt8, from start: Int) -> Int {
        var offset = start
        // Eight octets at a time.
        let limits = UInt64(limit) &* 0x0101_0101_0101_0101
        while let word = uint64(at: offset), (word &- limits) & ~word & 0x8080_8080_8080_8080 == 0 { offset &+= 8 }
        while let octet = byte(at: offset), octet >= limit { offset &+= 1 }
        return offset
    }

    // Loads for offsets that have been compared with the size: the optimizer removes their checks, and a decoder of many
    // fields needs no branch for each.

    /// Returns the big-endian 16-bit value at `offset`; traps unless all of it is inside the span.
    @inline(__always)
    func loadUInt16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Returns the big-endian 32-bit value at `offset`; traps unless all of it is inside the span.
    @inline(__always)
    func loadUInt32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Returns the big-endian 64-bit value at `offset`; traps unless all of it is inside the span.
    @inline(__always)
    func loadUInt64(at offset: Int) -> UInt64 {
        UInt64(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Returns the value at `offset` in host byte order, for hashes; traps unless all of it is inside the span.
    @inline(__always)
    func loadHost<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value {
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }

    /// Returns the two 64-bit values from `offset` on in host byte order; traps unless both are inside the span.
    @inlinable @inline(__always)
    package func loadHostUInt64s(at offset: Int) -> (UInt64, UInt64) {
        precondition(offset >= 0 && offset <= byteCount &- 16)
        // Sound: both are inside the span, as just checked.
        return unsafe (
            unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self),
            unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 8, as: UInt64.self)
        )
    }

    /// Returns the part of the span from `lower` up to `upper`. Bounds outside the span are clamped and never trap.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public func clamped(_ lower: Int, _ upper: Int = .max) -> RawSpan {
        let end = Swift.max(0, Swift.min(upper, byteCount))
        let start = Swift.min(Swift.max(0, lower), end)
        return unsafe extracting(unchecked: Range(uncheckedBounds: (start, end)))
    }

    /// Returns the offset of the first occurrence of `octet` at or after `start`, or nil if there is none.
    public func firstOffset(of octet: UInt8, from start: Int) -> Int? {
        var offset = start
        while let other = byte(at: offset) {
            if other == octet { return offset }
            offset &+= 1
        }
        return nil
    }

    /// Whether the octets equal those of an array.
    public func equals(_ octets: [UInt8]) -> Bool {
        equals(octets.rawSpan)
    }

    /// Whether both have the same octets.
    public func equals(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var offset = 0
        while let one = uint64(at: offset), let two = other.uint64(at: offset) {
            guard one == two else { return false }
            offset &+= 8
        }
        while let one = byte(at: offset), let two = other.byte(at: offset) {
            guard one == two else { return false }
            offset &+= 1
        }
        return true
    }

    /// Returns a copy of the octets.
    public func array() -> [UInt8] {
        unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// Appends a copy of the octets to `array`.
    public func append(to array: inout [UInt8]) {
        unsafe withUnsafeBytes { unsafe array.append(contentsOf: $0) }
    }

    /// Copies the octets into `array` from `offset` on; traps unless all of them fit there.
    @inline(__always)
    func copy(into array: inout [UInt8], at offset: Int) {
        precondition(offset >= 0 && byteCount <= array.count &- offset)
        // Sound: the array has room for all octets behind the offset, as just checked.
        unsafe withUnsafeBytes { source in
            unsafe array.withUnsafeMutableBytes { target in
                guard let from = source.baseAddress, let place = target.baseAddress else { return }
                unsafe (place + offset).copyMemory(from: from, byteCount: source.count)
            }
        }
    }

    /// Returns the octets decoded as UTF-8; invalid sequences become U+FFFD.
    public func text() -> String {
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
