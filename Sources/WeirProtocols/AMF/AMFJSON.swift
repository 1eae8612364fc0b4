import WeirEngine
import WeirPackets

extension AMFValue {
    /// Returns the value as JSON, without loss.
    ///
    /// Types that JSON has are converted directly: numbers, integers, booleans, strings, null, objects, arrays. Any
    /// other value becomes an object whose first member starts with `$` (Documentation/report-format.md lists them). A
    /// name that starts with `$` is prefixed with another `$`.
    ///
    /// - Parameters:
    ///   - member: The name of the member that contains the value, if known.
    ///   - text: Transforms strings, for masking secrets. Its first argument is the name of the member that contains
    ///     the string, or of an enclosing object with a secret name.
    package func json(
        of member: String? = nil, _ text: @escaping (_ member: String?, _ text: String) -> String = { $1 }
    ) -> FieldValue {
        AMFJSON(text: text).value(self, member)
    }
}

/// Converts values to JSON.
private struct AMFJSON {
    /// Transforms each string; see `AMFValue.json`.
    let text: (String?, String) -> String
    /// The length below which a name is assumed to be a member name even if a stream has the same name.
    private static let longName = 8
    /// Whether the value is AMF3, in which integers and doubles are different types.
    var isAMF3 = false

    func value(_ value: AMFValue, _ member: String?) -> FieldValue {
        switch value {
        case .number(let number): return self.number(number)
        case .integer(let number): return .integer(Int(number))
        case .boolean(let value): return .bool(value)
        case .string(let string): return .string(text(member, string))
        case .null: return .null
        case .object(let properties): return .object(properties.map { property($0, in: member) })
        case .strictArray(let values): return .array(values.map { self.value($0, member) })
        case .mixedArray(let values, let named):
            return marked(
                "array", .array(values.map { self.value($0, member) }), named.map { property($0, in: member) })
        case .undefined: return marked("undefined")
        case .movieClip: return marked("movieClip")
        case .recordSet: return marked("recordSet")
        case .unsupported: return marked("unsupported")
        case .reference(let reference): return marked("reference", .integer(reference.index))
        case .ecmaArray(let count, let properties):
            return marked("ecmaArray", .integer(Int(count)), properties.map { property($0, in: member) })
        case .typedObject(let name, let properties):
            return marked("class", .string(text(nil, name)), properties.map { property($0, in: member) })
        case .instance(let object): return instance(object, member)
        case .malformedString(let octets): return marked("string", hex(octets, member))
        case .xmlDocument(let string): return marked("xmlDocument", .string(text(member, string)))
        case .xml(let string): return marked("xml", .string(text(member, string)))
        case .byteArray(let octets): return marked("bytes", hex(octets, member))
        case .externalizable(let name, let octets):
            return marked("external", .string(text(nil, name)), [Field("$bytes", hex(octets, member))])
        case .vector(let vector): return self.vector(vector, member)
        case .dictionary(let entries, let weakKeys):
            let pairs = entries.map { FieldValue.array([self.value($0.key, member), self.value($0.value, member)]) }
            return marked("dictionary", .array(pairs), [Field("$weakKeys", .bool(weakKeys))])
        case .date(let milliseconds, let zone):
            return marked(
                "date", AMFJSON(text: text).number(milliseconds), zone.map { [Field("$zone", .integer(Int($0)))] } ?? []
            )
        case .amf3(let value): return marked("amf3", AMFJSON(text: text, isAMF3: true).value(value, member))
        }
    }

    private func marked(_ name: String, _ value: FieldValue = .bool(true), _ more: [Field] = []) -> FieldValue {
        .object([Field("$" + name, value)] + more)
    }

    private func property(_ property: AMFProperty, in outer: String?) -> Field {
        let member = outer.map(SecretNames.isSecret) == true ? outer : property.name
        if let octets = property.malformedName {
            let plain = String(decoding: octets, as: UTF8.self)
            let name = text(nil, plain) == plain ? Self.digits(octets) : SecretPolicy.mask
            return Field("$name:" + name, value(property.value, member))
        }
        let isMarked = property.name.utf8.first == ASCII.dollar
        let name = property.name.utf8.count < Self.longName ? property.name : text(nil, property.name)
        return Field((isMarked ? "$" : "") + name, value(property.value, member))
    }

    /// Converts an object: anonymous ones with only dynamic members become JSON objects, others include their traits.
    private func instance(_ object: AMFInstance, _ member: String?) -> FieldValue {
        let members = (object.sealed + object.dynamic).map { property($0, in: member) }
        if object.className.isEmpty, object.sealed.isEmpty, object.isDynamic { return .object(members) }
        let traits = [Field("$sealed", .integer(object.sealed.count)), Field("$dynamic", .bool(object.isDynamic))]
        return marked("class", .string(text(nil, object.className)), traits + members)
    }

    private func vector(_ vector: AMFVector, _ member: String?) -> FieldValue {
        var more: [Field] = []
        more.add("$type", vector.typeName.map { text(nil, $0) })
        more.add("$fixed", vector.isFixed)
        let items =
            vector.kind == .object
            ? vector.items.map { value($0, member) }
            : vector.items.map { AMFJSON(text: text).value($0, member) }
        more.append(Field("$items", .array(items)))
        return marked("vector", .string(vector.kind.rawValue), more)
    }

    /// Returns octets as hexadecimal digits, entirely masked if any text in them has to be masked.
    private func hex(_ octets: [UInt8], _ member: String?) -> FieldValue {
        let plain = String(decoding: octets, as: UTF8.self)
        return .string(text(member, plain) == plain ? Self.digits(octets) : SecretPolicy.mask)
    }

    private static func digits(_ octets: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(octets.count * 2)
        for octet in octets { text += [digits[Int(octet >> 4)], digits[Int(octet & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private func number(_ number: Double) -> FieldValue {
        if number.isNaN {
            let isUsual = number.bitPattern == Double.nan.bitPattern
            return marked("number", .string(isUsual ? "NaN" : "NaN:" + String(number.bitPattern, radix: 16)))
        }
        if number.isInfinite { return marked("number", .string(number < 0 ? "-Infinity" : "Infinity")) }
        guard number.magnitude < 0x1p53, !(number == 0 && number.sign == .minus), let whole = Int(exactly: number)
        else { return .number(number) }
        // In AMF3, 29-bit integers are integers unless the sender wrote doubles.
        let isUnusual = isAMF3 && (-0x1000_0000..<0x1000_0000).contains(whole)
        return isUnusual ? marked("double", .integer(whole)) : .integer(whole)
    }
}
