/// A cursor over bytes that belong to somebody else: it reads forward, never past the end, and cannot outlive them.
///
/// All multi-octet reads are big-endian (network byte order) unless the name says otherwise. Offsets are counted from
/// the start of the bytes that the reader was made with.
///
/// The only unsafe construct is `unsafeLoadUnaligned`, sound because each use is preceded by a check that the field
/// lies inside the span, and integers have no invalid bit patterns.
public struct ByteReader: ~Escapable {
    /// All bytes, also those already read.
    public let bytes: RawSpan
    /// Offset of the next octet to read.
    public private(set) var offset: Int
    /// Name of the layer, for errors.
    public let layer: String

    /// Creates a reader over `bytes`; `layer` names what is decoded in errors.
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

    /// How many octets are left.
    public var remaining: Int { bytes.byteCount &- offset }
    /// Whether nothing is left.
    public var isAtEnd: Bool { remaining == 0 }

    /// The error that says `needed` octets are not there.
    public func tooShort(_ needed: Int) -> DecodeError {
        DecodeError(.tooShort(needed: needed, available: remaining), layer: layer, offset: offset)
    }

    /// The error that says the value just met is not allowed.
    public func malformed(_ reason: String) -> DecodeError {
        DecodeError(.malformed(reason), layer: layer, offset: offset)
    }

    /// Moves past `count` octets. Throws when they are not there, or when `count` is negative.
    @_lifetime(self: copy self)
    public mutating func skip(_ count: Int) throws(DecodeError) {
        guard count >= 0, count <= remaining else { throw tooShort(count) }
        offset &+= count
    }

    /// Moves to `newOffset`. Throws when it is outside the bytes.
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

    /// Reads all that is left as a view, without copying.
    @_lifetime(copy self)
    public mutating func rest() -> RawSpan {
        let view = bytes.extracting(offset..<bytes.byteCount)
        offset = bytes.byteCount
        return view
    }

    /// The octet `distance` after the cursor, without moving; nil past the end.
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
        let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
        offset &+= size
        return value
    }
}

extension RawSpan {
    /// The octet at `offset`, or nil outside the span.
    @inlinable @inline(__always)
    public func byte(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Two octets at `offset`, big-endian, or nil when they are not all inside the span.
    @inlinable @inline(__always)
    public func uint16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= byteCount &- 2 else { return nil }
        return UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Four octets at `offset`, big-endian, or nil when they are not all inside the span.
    @inlinable @inline(__always)
    public func uint32(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= byteCount &- 4 else { return nil }
        return UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Eight octets at `offset`, big-endian, or nil when they are not all inside the span.
    @inlinable @inline(__always)
    public func uint64(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= byteCount &- 8 else { return nil }
        return UInt64(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The part of the span from `lower`, at most to `upper`; bounds outside the span are clamped, never a trap.
    @inlinable @inline(__always)
    @_lifetime(copy self)
    public func clamped(_ lower: Int, _ upper: Int = .max) -> RawSpan {
        let end = Swift.max(0, Swift.min(upper, byteCount))
        let start = Swift.min(Swift.max(0, lower), end)
        return extracting(start..<end)
    }

    /// Where the first octet of a value stands from `start` on; nil when there is none.
    public func firstOffset(of octet: UInt8, from start: Int) -> Int? {
        var offset = start
        while let other = byte(at: offset) {
            if other == octet { return offset }
            offset &+= 1
        }
        return nil
    }

    /// A copy of the octets.
    public func array() -> [UInt8] {
        unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// Appends a copy of the octets to `array`.
    public func append(to array: inout [UInt8]) {
        unsafe withUnsafeBytes { unsafe array.append(contentsOf: $0) }
    }

    /// The octets as text: UTF-8, with what is not UTF-8 replaced by U+FFFD.
    public func text() -> String {
        unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
