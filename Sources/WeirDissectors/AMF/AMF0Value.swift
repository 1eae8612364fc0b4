import WeirPackets

/// A value of the Action Message Format, version 0 (AMF0 §2).
public indirect enum AMF0Value: Sendable, Hashable {
    /// A number: always a double (AMF0 §2.2).
    case number(Double)
    /// True or false (AMF0 §2.3).
    case boolean(Bool)
    /// A string, with a length of 16 bits (AMF0 §2.4) or 32 (AMF0 §2.14).
    case string(String)
    /// An object without a class: names and values, in the order of the wire (AMF0 §2.5).
    case object([AMF0Property])
    /// Reserved and never used: it has no content (AMF0 §2.6).
    case movieClip
    /// Null (AMF0 §2.7).
    case null
    /// Undefined (AMF0 §2.8).
    case undefined
    /// The same object as an earlier one: its index among those of the message (AMF0 §2.9).
    case reference(Int)
    /// An array with names, and the count that it announces, which need not be the number of members (AMF0 §2.10).
    case ecmaArray(count: UInt32, [AMF0Property])
    /// An array with indices from 0 (AMF0 §2.12).
    case strictArray([AMF0Value])
    /// Milliseconds since 1970 in UTC, and the time zone in minutes, which is reserved (AMF0 §2.13).
    case date(milliseconds: Double, zone: Int16)
    /// A value that cannot be serialised (AMF0 §2.15).
    case unsupported
    /// Reserved and never used: it has no content (AMF0 §2.16).
    case recordSet
    /// The text of an XML document (AMF0 §2.17).
    case xmlDocument(String)
    /// An object of a named class (AMF0 §2.18).
    case typedObject(className: String, [AMF0Property])
    /// A value in AMF3, which begins behind the AVM+ marker (AMF0 §3.1): how many octets follow to the end of the
    /// message. They are not read.
    case amf3(octets: Int)
}

/// A named member of an AMF0 object.
public struct AMF0Property: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its value.
    public var value: AMF0Value

    /// Creates a member.
    public init(_ name: String, _ value: AMF0Value) {
        self.name = name
        self.value = value
    }
}

extension AMF0Value {
    /// The text of a string; nil for any other value.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number; nil for any other value.
    public var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The members of an object, an array with names, or an object with a class.
    public var properties: [AMF0Property]? {
        switch self {
        case .object(let properties), .ecmaArray(_, let properties), .typedObject(_, let properties): properties
        default: nil
        }
    }

    /// The value of the first member with this name.
    public subscript(_ name: String) -> AMF0Value? {
        properties?.first { $0.name == name }?.value
    }
}

extension AMF0Value {
    /// The value as JSON.
    ///
    /// Numbers, booleans, strings, null, objects and strict arrays are what JSON calls so. What JSON has no word for is
    /// an object whose first member begins with `$`: `$undefined`, `$reference`, `$ecmaArray` (the announced count, then
    /// the members), `$date` with `$zone`, `$class` (then the members), `$xml`, `$number` (`NaN`, `Infinity`, `-0` and
    /// numbers too large or small for a decimal fraction), `$movieClip`, `$recordSet`, `$unsupported`, `$amf3`. A
    /// member's own name that begins with `$` gets a further `$` in front.
    ///
    /// - Parameter text: what is made of the strings; it is where secrets are masked. The first argument is the name of
    ///   the member that holds the string, if it is a member.
    public func json(_ text: (_ member: String?, _ text: String) -> String = { $1 }) -> FieldValue {
        member(nil, text)
    }

    fileprivate func member(_ member: String?, _ text: (String?, String) -> String) -> FieldValue {
        func marked(_ name: String, _ value: FieldValue = .bool(true), _ more: [AMF0Property] = []) -> FieldValue {
            .object([Field("$" + name, value)] + more.map { $0.json(text) })
        }
        switch self {
        case .number(let number): return Self.json(number)
        case .boolean(let value): return .bool(value)
        case .string(let string): return .string(text(member, string))
        case .null: return .null
        case .object(let properties): return .object(properties.map { $0.json(text) })
        case .strictArray(let values): return .array(values.map { $0.member(member, text) })
        case .undefined: return marked("undefined")
        case .movieClip: return marked("movieClip")
        case .recordSet: return marked("recordSet")
        case .unsupported: return marked("unsupported")
        case .reference(let index): return marked("reference", .integer(index))
        case .ecmaArray(let count, let properties): return marked("ecmaArray", .integer(Int(count)), properties)
        case .typedObject(let name, let properties): return marked("class", .string(name), properties)
        case .xmlDocument(let string): return marked("xml", .string(text(member, string)))
        case .amf3(let octets): return marked("amf3", .integer(octets))
        case .date(let milliseconds, let zone):
            return .object([Field("$date", Self.json(milliseconds)), Field("$zone", .integer(Int(zone)))])
        }
    }

    private static func json(_ number: Double) -> FieldValue {
        let size = number.magnitude
        if number == 0, number.sign == .plus { return .integer(0) }
        if size < 0x1p53, size >= 1, let whole = Int(exactly: number) { return .integer(whole) }
        if size >= 1e-6, size < 1e6 { return .double(number) }
        return .object([
            Field("$number", .string(size.isInfinite ? (number < 0 ? "-" : "") + "Infinity" : spelt(number)))
        ])
    }

    private static func spelt(_ number: Double) -> String {
        number.isNaN ? "NaN" : number == 0 ? "-0" : "\(number)"
    }
}

extension AMF0Property {
    fileprivate func json(_ text: (String?, String) -> String) -> Field {
        let escaped = name.utf8.first == ASCII.dollar ? "$" + name : name
        return Field(escaped, value.member(name, text))
    }
}
