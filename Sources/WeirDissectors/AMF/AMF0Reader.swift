import WeirPackets

/// Reads the AMF0 values of a message, one after the other, as far as they can be read.
///
/// Nesting and the number of values are bounded: a strict array of four octets can announce four thousand million
/// members, and objects can nest as deep as a message is long.
struct AMF0Reader {
    /// How deep values may be nested.
    static let maximumDepth = 32
    /// How many values a message may hold, members of objects and arrays included.
    static let maximumValues = 16_384

    /// The values that were read, the last one only in part if there is a problem.
    private(set) var values: [AMF0Value] = []
    /// Why reading ended before the end of the octets.
    private(set) var problem: DecodeError?
    /// References to objects that were not there yet (AMF0 §2.9).
    private(set) var danglingReferences = 0

    /// Objects and arrays that a reference may name.
    private var complexValues = 0
    private var count = 0

    /// Reads all values of `bytes`.
    init(_ bytes: RawSpan) {
        var reader = ByteReader(bytes, layer: "AMF0")
        while problem == nil, !reader.isAtEnd {
            if let value = value(&reader, depth: 0) { values.append(value) }
        }
    }

    /// Reads one value; nil when nothing of it can be read, with the problem noted.
    @_lifetime(reader: copy reader)
    private mutating func value(_ reader: inout ByteReader, depth: Int) -> AMF0Value? {
        count &+= 1
        guard depth <= Self.maximumDepth else { return fail(reader.malformed("nested too deeply")) }
        guard count <= Self.maximumValues else { return fail(reader.malformed("too many values")) }
        do throws(DecodeError) {
            let marker = try reader.uint8()
            switch marker {
            case 0x00: return .number(Double(bitPattern: try reader.uint64()))
            case 0x01: return .boolean(try reader.uint8() != 0)
            case 0x02: return .string(try Self.string(&reader))
            case 0x04: return .movieClip
            case 0x05: return .null
            case 0x06: return .undefined
            case 0x07: return reference(Int(try reader.uint16()))
            case 0x0B:
                let milliseconds = Double(bitPattern: try reader.uint64())
                return .date(milliseconds: milliseconds, zone: Int16(bitPattern: try reader.uint16()))
            case 0x0C: return .string(try Self.longString(&reader))
            case 0x0D: return .unsupported
            case 0x0E: return .recordSet
            case 0x0F: return .xmlDocument(try Self.longString(&reader))
            case 0x11:
                let octets = reader.remaining
                _ = reader.rest()
                return .amf3(octets: octets)
            case 0x03:
                complexValues &+= 1
                return .object(properties(&reader, depth: depth))
            case 0x08:
                complexValues &+= 1
                let count = try reader.uint32()
                return .ecmaArray(count: count, properties(&reader, depth: depth))
            case 0x0A:
                complexValues &+= 1
                return .strictArray(array(&reader, count: try reader.uint32(), depth: depth))
            case 0x10:
                complexValues &+= 1
                let name = try Self.string(&reader)
                return .typedObject(className: name, properties(&reader, depth: depth))
            default: return fail(reader.malformed("unknown marker \(marker)"))
            }
        } catch {
            return fail(error)
        }
    }

    private mutating func fail(_ error: DecodeError) -> AMF0Value? {
        if problem == nil { problem = error }
        return nil
    }

    private mutating func reference(_ index: Int) -> AMF0Value {
        if index >= complexValues { danglingReferences &+= 1 }
        return .reference(index)
    }

    /// Members up to the end marker, an empty name and 9 (AMF0 §2.11), or as many as can be read.
    @_lifetime(reader: copy reader)
    private mutating func properties(_ reader: inout ByteReader, depth: Int) -> [AMF0Property] {
        var properties: [AMF0Property] = []
        while problem == nil {
            do throws(DecodeError) {
                let name = try Self.string(&reader)
                if name.isEmpty, reader.peek() == 0x09 {
                    try reader.skip(1)
                    break
                }
                if let value = value(&reader, depth: depth &+ 1) { properties.append(AMF0Property(name, value)) }
            } catch {
                problem = error
            }
        }
        return properties
    }

    @_lifetime(reader: copy reader)
    private mutating func array(_ reader: inout ByteReader, count: UInt32, depth: Int) -> [AMF0Value] {
        var values: [AMF0Value] = []
        var left = count
        while left > 0, problem == nil {
            if let value = value(&reader, depth: depth &+ 1) { values.append(value) }
            left &-= 1
        }
        return values
    }

    @_lifetime(reader: copy reader)
    private static func string(_ reader: inout ByteReader) throws(DecodeError) -> String {
        let length = Int(try reader.uint16())
        return try reader.span(length).text()
    }

    @_lifetime(reader: copy reader)
    private static func longString(_ reader: inout ByteReader) throws(DecodeError) -> String {
        let length = Int(try reader.uint32())
        return try reader.span(length).text()
    }
}
