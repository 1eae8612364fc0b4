import WeirPackets

/// Parses the AMF0 values of a message in sequence; values after an AVM+ marker are AMF3 (AMF0 §3.1).
///
/// Depth, number and text of the values are bounded: a strict array of five octets can announce four billion members,
/// and two octets can repeat a string by reference.
struct AMFReader {
    /// The parsed values; the last one may be incomplete if parsing ended in it.
    private(set) var values: [AMFValue] = []
    /// The flaws, in the order of the message.
    private(set) var flaws: [AMFFlaw] = []
    /// Whether parsing stopped before the end of the octets.
    private(set) var isBroken = false

    /// The offset after the last parsed octet.
    private(set) var offset = 0
    /// The use of the limits so far.
    private(set) var used: Use

    let limits: AMFLimits
    /// Objects and arrays that an AMF0 reference may refer to.
    private var objects = ReferenceTable()
    /// The AMF3 tables, which apply to the whole message (AMF3 §4.1).
    var amf3 = AMF3Tables()
    /// The nesting height of the value parsed last.
    var height = 0

    /// The use of the limits of a message.
    struct Use {
        var values = 0
        var textOctets = 0
    }

    /// Parses the values of `bytes` from `start` on, at most `maximum` top-level ones.
    ///
    /// - Parameter used: The use of the limits by other values of the same message.
    init(_ bytes: RawSpan, from start: Int = 0, maximum: Int = .max, limits: borrowing Limits, used: Use = Use()) {
        self.limits = limits[AMFLimits.self]
        self.used = used
        var reader = ByteReader(bytes, layer: "AMF")
        try? reader.skip(min(start, bytes.byteCount))
        while !isBroken, !reader.isAtEnd, values.count < maximum {
            guard let value = value(&reader, depth: 0) else { continue }
            if values.isEmpty { values.reserveCapacity(Self.usualValues) }
            values.append(value)
        }
        offset = reader.offset
    }

    /// The initial capacity for values of a message, and for members of an object: most have as many.
    private static let usualValues = 4

    /// Returns the parsed values, which are then modified in place: the reader has none any more.
    mutating func takeValues() -> [AMFValue] {
        defer { values = [] }
        return values
    }

    // MARK: - Shared by AMF0 and AMF3

    /// Counts a value; returns false if it exceeds the number or depth limit.
    @_lifetime(reader: copy reader)
    mutating func admit(_ reader: inout ByteReader, depth: Int, isAMF3: Bool) -> Bool {
        used.values &+= 1
        if depth > limits.depth {
            note(.tooDeep, reader.offset, isAMF3)
        } else if used.values > limits.values {
            note(.tooManyValues, reader.offset, isAMF3)
        }
        return !isBroken
    }

    /// Records a flaw; parsing stops after a fatal one.
    mutating func note(_ kind: AMFFlaw.Kind, _ offset: Int, _ isAMF3: Bool) {
        let flaw = AMFFlaw(kind: kind, offset: offset, isAMF3: isAMF3)
        if flaw.isFatal { isBroken = true }
        if flaws.count < limits.flaws || flaw.isFatal {
            flaws.append(flaw)
        } else if flaws.count == limits.flaws {
            flaws.append(AMFFlaw(kind: .tooManyFlaws, offset: offset, isAMF3: isAMF3))
        }
    }

    /// Records that the octets end too early.
    mutating func note(_ error: DecodeError, isAMF3: Bool) {
        guard case .tooShort(let needed, let available) = error.kind else { return }
        note(.truncated(needed: needed, left: available), error.offset, isAMF3)
    }

    /// Stops parsing without a flaw.
    mutating func end() { isBroken = true }

    /// Returns the octets as a string, or nil if the text limit is exceeded.
    mutating func string(_ bytes: RawSpan, at offset: Int, isAMF3: Bool) -> AMFText? {
        guard admitText(bytes.byteCount, offset, isAMF3) else { return nil }
        let text = AMFText(bytes)
        if text.malformed != nil { note(.notUTF8, offset, isAMF3) }
        return text
    }

    /// Counts text; returns false if the limit is exceeded.
    mutating func admitText(_ octets: Int, _ offset: Int, _ isAMF3: Bool) -> Bool {
        used.textOctets &+= octets
        if used.textOctets > limits.textOctets { note(.tooMuchText, offset, isAMF3) }
        return !isBroken
    }

    /// Resolves an index of a table. Long chains of references are not followed: releasing a chain as long as a message
    /// could overflow the stack.
    mutating func reference(_ index: Int, in table: ReferenceTable, _ offset: Int, isAMF3: Bool) -> AMFValue {
        guard table.has(index) else {
            note(.badReference(index), offset, isAMF3)
            return .reference(AMFReference(index: index))
        }
        let (target, below) = table.target(index)
        guard let target, below < limits.depth else { return .reference(AMFReference(index: index)) }
        height = below &+ 1
        return .reference(AMFReference(index: index, target: target))
    }

    // MARK: - AMF0

    /// Parses a value, or returns nil if nothing of it can be parsed.
    @_lifetime(reader: copy reader)
    private mutating func value(_ reader: inout ByteReader, depth: Int) -> AMFValue? {
        guard admit(&reader, depth: depth, isAMF3: false) else { return nil }
        height = 0
        let start = reader.offset
        do throws(DecodeError) {
            let marker = try reader.uint8()
            switch marker {
            case 0x00: return .number(Double(bitPattern: try reader.uint64()))
            case 0x01: return .boolean(try reader.uint8() != 0)
            case 0x02: return try string(&reader)?.value
            case 0x04: return .movieClip
            case 0x05: return .null
            case 0x06: return .undefined
            case 0x07: return reference(Int(try reader.uint16()), in: objects, start, isAMF3: false)
            case 0x09: note(.strayObjectEnd, start, false)
            case 0x0B:
                let milliseconds = Double(bitPattern: try reader.uint64())
                return .date(milliseconds: milliseconds, zone: Int16(bitPattern: try reader.uint16()))
            case 0x0C: return try longString(&reader)?.value
            case 0x0D: return .unsupported
            case 0x0E: return .recordSet
            case 0x0F: return try longString(&reader).map { .xmlDocument($0.text) }
            case 0x11: return amf3Value(&reader, depth: depth &+ 1).map { .amf3($0) }
            case 0x03, 0x08, 0x0A, 0x10: return try composite(marker, &reader, depth: depth)
            default: note(.unknownMarker(marker), start, false)
            }
        } catch {
            note(error, isAMF3: false)
        }
        return nil
    }

    /// Parses an object or array, which later references may refer to.
    @_lifetime(reader: copy reader)
    private mutating func composite(
        _ marker: UInt8, _ reader: inout ByteReader, depth: Int
    ) throws(DecodeError) -> AMFValue? {
        let index = objects.open()
        let value: AMFValue
        switch marker {
        case 0x03: value = .object(properties(&reader, depth: depth))
        case 0x08:
            let start = reader.offset
            let count = try reader.uint32()
            let members = properties(&reader, depth: depth)
            if !isBroken, count != members.count {
                note(.memberCount(announced: count, found: members.count), start, false)
            }
            value = .ecmaArray(count: count, members)
        case 0x0A: value = .strictArray(array(&reader, count: try reader.uint32(), depth: depth))
        default:
            guard let name = try string(&reader) else { return nil }
            value = .typedObject(className: name.text, properties(&reader, depth: depth))
        }
        objects.close(index, value, height: height)
        return value
    }

    /// Parses members up to the end marker, an empty name and 9 (AMF0 §2.11), or as many as possible.
    @_lifetime(reader: copy reader)
    private mutating func properties(_ reader: inout ByteReader, depth: Int) -> [AMFProperty] {
        var properties: [AMFProperty] = []
        var tallest = 0
        while !isBroken {
            if reader.isAtEnd {
                note(.objectEndMissing, reader.offset, false)
                break
            }
            do throws(DecodeError) {
                guard let name = try string(&reader) else { break }
                if name.text.isEmpty, reader.peek() == 0x09 {
                    try reader.skip(1)
                    break
                }
                if let value = value(&reader, depth: depth &+ 1) {
                    if properties.isEmpty { properties.reserveCapacity(Self.usualValues) }
                    properties.append(name.property(value))
                }
                tallest = max(tallest, height)
            } catch {
                note(error, isAMF3: false)
            }
        }
        height = tallest &+ 1
        return properties
    }

    @_lifetime(reader: copy reader)
    private mutating func array(_ reader: inout ByteReader, count: UInt32, depth: Int) -> [AMFValue] {
        var values: [AMFValue] = []
        var tallest = 0
        var left = count
        while left > 0, !isBroken {
            if let value = value(&reader, depth: depth &+ 1) { values.append(value) }
            tallest = max(tallest, height)
            left &-= 1
        }
        height = tallest &+ 1
        return values
    }

    @_lifetime(reader: copy reader)
    private mutating func string(_ reader: inout ByteReader) throws(DecodeError) -> AMFText? {
        let length = Int(try reader.uint16())
        let start = reader.offset
        return string(try reader.span(length), at: start, isAMF3: false)
    }

    @_lifetime(reader: copy reader)
    private mutating func longString(_ reader: inout ByteReader) throws(DecodeError) -> AMFText? {
        let length = Int(try reader.uint32())
        let start = reader.offset
        return string(try reader.span(length), at: start, isAMF3: false)
    }
}
