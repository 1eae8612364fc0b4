import WeirPackets

extension AMFReader {
    /// Parses an AMF3 value, or returns nil if nothing of it can be parsed.
    @_lifetime(reader: copy reader)
    mutating func amf3Value(_ reader: inout ByteReader, depth: Int) -> AMFValue? {
        guard admit(&reader, depth: depth, isAMF3: true) else { return nil }
        height = 0
        let start = reader.offset
        do throws(DecodeError) {
            let marker = try reader.uint8()
            switch marker {
            case 0x00: return .undefined
            case 0x01: return .null
            case 0x02: return .boolean(false)
            case 0x03: return .boolean(true)
            case 0x04: return .integer(Self.signed(try Self.u29(&reader)))
            case 0x05: return .number(Double(bitPattern: try reader.uint64()))
            case 0x06: return try text(&reader)?.value
            case 0x07...0x11: return try complex(marker, start, &reader, depth: depth)
            default: note(.unknownMarker(marker), start, true)
            }
        } catch {
            note(error, isAMF3: true)
        }
        return nil
    }

    /// Parses an AMF3 object value or a reference to one, indicated by the low bit of the leading number.
    @_lifetime(reader: copy reader)
    private mutating func complex(
        _ marker: UInt8, _ start: Int, _ reader: inout ByteReader, depth: Int
    ) throws(DecodeError) -> AMFValue? {
        let head = try Self.u29(&reader)
        guard head & 1 == 1 else { return reference(Int(head >> 1), in: amf3.objects, start, isAMF3: true) }
        let count = Int(head >> 1)
        let index = amf3.objects.open()
        let value: AMFValue?
        switch marker {
        case 0x07: value = string(try reader.span(count), at: start, isAMF3: true).map { .xmlDocument($0.text) }
        case 0x08: value = .date(milliseconds: Double(bitPattern: try reader.uint64()), zone: nil)
        case 0x09: value = try array(&reader, count: count, depth: depth)
        case 0x0A: value = try object(&reader, head: head, start, depth: depth)
        case 0x0B: value = string(try reader.span(count), at: start, isAMF3: true).map { .xml($0.text) }
        case 0x0C:
            let octets = try reader.span(count)
            value = admitText(count, start, true) ? .byteArray(octets.array()) : nil
        case 0x11: value = try dictionary(&reader, count: count, depth: depth)
        default: value = try vector(marker, &reader, count: count, depth: depth)
        }
        if let value { amf3.objects.close(index, value, height: height) }
        return value
    }

    /// Parses an unsigned 29-bit number of one to four octets: seven bits each, eight in the fourth (AMF3 §1.3.1).
    @_lifetime(reader: copy reader)
    private static func u29(_ reader: inout ByteReader) throws(DecodeError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<3 {
            let octet = try reader.uint8()
            value = value << 7 | UInt32(octet & 0x7F)
            if octet & 0x80 == 0 { return value }
        }
        return value << 8 | UInt32(try reader.uint8())
    }

    /// Returns the 29-bit number as a signed one (AMF3 §3.6).
    private static func signed(_ value: UInt32) -> Int32 {
        Int32(truncatingIfNeeded: value << 3) >> 3
    }

    /// Parses a string or a reference to an earlier one; the empty string is never referenced (AMF3 §1.3.2).
    @_lifetime(reader: copy reader)
    private mutating func text(_ reader: inout ByteReader) throws(DecodeError) -> AMFText? {
        let start = reader.offset
        let head = try Self.u29(&reader)
        let number = Int(head >> 1)
        if head & 1 == 0 {
            guard amf3.strings.indices.contains(number) else {
                note(.badReference(number), start, true)
                return .empty
            }
            return admitText(amf3.strings[number].text.utf8.count, start, true) ? amf3.strings[number] : nil
        }
        let place = reader.offset
        guard let text = string(try reader.span(number), at: place, isAMF3: true) else { return nil }
        if number > 0 { amf3.strings.append(text) }
        return text
    }

    /// Parses names and values up to the empty name.
    @_lifetime(reader: copy reader)
    private mutating func named(_ reader: inout ByteReader, depth: Int) throws(DecodeError) -> [AMFProperty] {
        var properties: [AMFProperty] = []
        var tallest = 0
        while !isBroken, let name = try text(&reader), !name.text.isEmpty {
            if let value = amf3Value(&reader, depth: depth &+ 1) { properties.append(name.property(value)) }
            tallest = max(tallest, height)
        }
        height = tallest
        return properties
    }

    /// Parses `count` values.
    @_lifetime(reader: copy reader)
    private mutating func items(_ reader: inout ByteReader, count: Int, depth: Int) -> [AMFValue] {
        var items: [AMFValue] = []
        var tallest = 0
        var left = count
        while left > 0, !isBroken {
            if let value = amf3Value(&reader, depth: depth &+ 1) { items.append(value) }
            tallest = max(tallest, height)
            left &-= 1
        }
        height = tallest
        return items
    }

    @_lifetime(reader: copy reader)
    private mutating func array(
        _ reader: inout ByteReader, count: Int, depth: Int
    ) throws(DecodeError) -> AMFValue {
        let named = try named(&reader, depth: depth)
        let below = height
        let items = items(&reader, count: count, depth: depth)
        height = max(below, height) &+ 1
        return named.isEmpty ? .strictArray(items) : .mixedArray(items, named: named)
    }

    @_lifetime(reader: copy reader)
    private mutating func object(
        _ reader: inout ByteReader, head: UInt32, _ start: Int, depth: Int
    ) throws(DecodeError) -> AMFValue? {
        guard let traits = try traits(&reader, head: head, start) else { return nil }
        if traits.isExternalizable {
            let octets = reader.rest()
            defer { end() }
            return admitText(octets.byteCount, start, true)
                ? .externalizable(className: traits.className.text, octets.array()) : nil
        }
        var object = AMFInstance(
            className: traits.className.text, sealed: [], isDynamic: traits.isDynamic, dynamic: [])
        let values = items(&reader, count: traits.names.count, depth: depth)
        let below = height
        height = 0
        object.sealed = zip(traits.names, values).map { $0.property($1) }
        if traits.isDynamic, !isBroken { object.dynamic = try named(&reader, depth: depth) }
        height = max(below, height) &+ 1
        return .instance(object)
    }

    /// Parses the traits of an object, or the reference to them.
    @_lifetime(reader: copy reader)
    private mutating func traits(
        _ reader: inout ByteReader, head: UInt32, _ start: Int
    ) throws(DecodeError) -> AMF3Tables.Traits? {
        if head & 0b10 == 0 {
            let index = Int(head >> 2)
            guard amf3.traits.indices.contains(index) else {
                // Without traits the following octets cannot be parsed.
                note(.badReference(index), start, true)
                end()
                return nil
            }
            return amf3.traits[index]
        }
        guard let className = try text(&reader) else { return nil }
        var traits = AMF3Tables.Traits(className: className)
        traits.isExternalizable = head & 0b100 != 0
        traits.isDynamic = !traits.isExternalizable && head & 0b1000 != 0
        var left = traits.isExternalizable ? 0 : Int(head >> 4)
        while left > 0 {
            guard admit(&reader, depth: 0, isAMF3: true), let name = try text(&reader) else { return nil }
            traits.names.append(name)
            left &-= 1
        }
        amf3.traits.append(traits)
        return traits
    }

    @_lifetime(reader: copy reader)
    private mutating func vector(
        _ marker: UInt8, _ reader: inout ByteReader, count: Int, depth: Int
    ) throws(DecodeError) -> AMFValue? {
        let isFixed = try reader.uint8() != 0
        let kind: AMFVector.Kind =
            switch marker {
            case 0x0D: .int
            case 0x0E: .uint
            case 0x0F: .double
            default: .object
            }
        var vector = AMFVector(kind: kind, isFixed: isFixed, items: [])
        if kind == .object {
            guard let name = try text(&reader) else { return nil }
            vector.typeName = name.text
            vector.items = items(&reader, count: count, depth: depth)
            height &+= 1
            return .vector(vector)
        }
        var left = count
        while left > 0, admit(&reader, depth: depth, isAMF3: true) {
            switch kind {
            case .int: vector.items.append(.number(Double(Int32(bitPattern: try reader.uint32()))))
            case .uint: vector.items.append(.number(Double(try reader.uint32())))
            default: vector.items.append(.number(Double(bitPattern: try reader.uint64())))
            }
            left &-= 1
        }
        height = 1
        return .vector(vector)
    }

    @_lifetime(reader: copy reader)
    private mutating func dictionary(
        _ reader: inout ByteReader, count: Int, depth: Int
    ) throws(DecodeError) -> AMFValue {
        let weakKeys = try reader.uint8() != 0
        var entries: [AMFEntry] = []
        var tallest = 0
        var left = count
        while left > 0, !isBroken {
            if let key = amf3Value(&reader, depth: depth &+ 1) {
                tallest = max(tallest, height)
                if let value = amf3Value(&reader, depth: depth &+ 1) {
                    entries.append(AMFEntry(key: key, value: value))
                }
            }
            tallest = max(tallest, height)
            left &-= 1
        }
        height = tallest &+ 1
        return .dictionary(entries, weakKeys: weakKeys)
    }
}
