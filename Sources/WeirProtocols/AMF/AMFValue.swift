import WeirPackets

/// A value of the Action Message Format, version 0 (AMF0 §2) or 3 (AMF3 §3), as transmitted.
///
/// Lossless: types that the versions distinguish stay distinct, and a reference stays one, with access to its target. A
/// version 3 value is wrapped in `amf3`.
public enum AMFValue: Sendable, Hashable {
    /// A double (AMF0 §2.2, AMF3 §3.7).
    case number(Double)
    /// A signed 29-bit integer (AMF3 §3.6).
    case integer(Int32)
    /// A Boolean (AMF0 §2.3, AMF3 §3.4, §3.5).
    case boolean(Bool)
    /// A string, short or long (AMF0 §2.4, §2.14, AMF3 §3.8).
    case string(String)
    /// A string that is not valid UTF-8.
    case malformedString([UInt8])
    /// An anonymous object: names and values in transmission order (AMF0 §2.5).
    case object([AMFProperty])
    /// Reserved and unused, without content (AMF0 §2.6).
    case movieClip
    /// Null (AMF0 §2.7, AMF3 §3.3).
    case null
    /// Undefined (AMF0 §2.8, AMF3 §3.2).
    case undefined
    /// A reference to an earlier object of the message (AMF0 §2.9, AMF3 §2.2).
    indirect case reference(AMFReference)
    /// An associative array with its announced count, which may differ from the number of members (AMF0 §2.10).
    case ecmaArray(count: UInt32, [AMFProperty])
    /// An array with ordinal indices (AMF0 §2.12, AMF3 §3.11).
    case strictArray([AMFValue])
    /// An array with ordinal indices and names (AMF3 §3.11).
    case mixedArray([AMFValue], named: [AMFProperty])
    /// Milliseconds since 1970 in UTC; in AMF0 also a reserved time zone in minutes (AMF0 §2.13, AMF3 §3.10).
    case date(milliseconds: Double, zone: Int16?)
    /// A value that cannot be serialized (AMF0 §2.15).
    case unsupported
    /// Reserved and unused, without content (AMF0 §2.16).
    case recordSet
    /// The text of a legacy XML document (AMF0 §2.17, AMF3 §3.9).
    case xmlDocument(String)
    /// The text of an XML value (AMF3 §3.13).
    case xml(String)
    /// An object of a named class (AMF0 §2.18).
    case typedObject(className: String, [AMFProperty])
    /// An object with traits (AMF3 §3.12).
    indirect case instance(AMFInstance)
    /// An object with custom serialization: all octets to the end of the message, since only its class defines its
    /// length (AMF3 §3.12).
    case externalizable(className: String, [UInt8])
    /// A byte array (AMF3 §3.14).
    case byteArray([UInt8])
    /// A vector of a single type (AMF3 §3.15).
    indirect case vector(AMFVector)
    /// A dictionary with keys of any type (AMF3 §3.16).
    case dictionary([AMFEntry], weakKeys: Bool)
    /// An AMF3 value after the AVM+ marker (AMF0 §3.1).
    indirect case amf3(AMFValue)
}

/// A named member of an object or array.
public struct AMFProperty: Sendable, Hashable {
    /// The name, with U+FFFD for invalid UTF-8.
    public var name: String
    /// The octets of a name that is not valid UTF-8.
    public var malformedName: [UInt8]?
    /// The value.
    public var value: AMFValue

    /// Creates a member.
    package init(_ name: String, _ value: AMFValue) {
        self.name = name
        self.value = value
    }
}

/// A reference to an earlier object of the same message. References with the same index are equal.
public struct AMFReference: Sendable {
    /// The index among the objects of the message, from 0, counted separately by AMF version.
    public var index: Int
    /// The object, or nil if there is none with this index or if it encloses the reference.
    public var target: AMFValue?
}

extension AMFReference: Hashable {
    /// Compares only the indices, since comparing the targets could take exponential time.
    public static func == (left: AMFReference, right: AMFReference) -> Bool { left.index == right.index }
    /// Hashes only the index.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// An AMF3 object with its traits (AMF3 §3.12).
public struct AMFInstance: Sendable, Hashable {
    /// The class name; empty for an anonymous object.
    public var className: String
    /// The members named by the traits, in order.
    public var sealed: [AMFProperty]
    /// Whether the traits permit dynamic members.
    public var isDynamic: Bool
    /// The dynamic members.
    public var dynamic: [AMFProperty]
}

/// An AMF3 vector (AMF3 §3.15).
public struct AMFVector: Sendable, Hashable {
    /// The type of the items.
    public enum Kind: String, Sendable {
        /// Signed 32-bit integers.
        case int
        /// Unsigned 32-bit integers.
        case uint
        /// Doubles.
        case double
        /// Values of any type, or of the class `typeName`.
        case object
    }

    /// The type of the items.
    public var kind: Kind
    /// The item class of an object vector, `*` for any.
    public var typeName: String?
    /// Whether its length is fixed.
    public var isFixed: Bool
    /// The items; numbers as `number`.
    public var items: [AMFValue]
}

/// A dictionary entry.
public struct AMFEntry: Sendable, Hashable {
    /// The key.
    public var key: AMFValue
    /// The value.
    public var value: AMFValue
}

extension AMFValue {
    /// The text of a string, or nil for any other value.
    public var text: String? {
        switch self {
        case .string(let text): text
        case .amf3(let value): value.text
        default: nil
        }
    }

    /// The text of a string, with replacement characters for invalid UTF-8, or nil for any other value.
    var lenientText: String? {
        switch self {
        case .malformedString(let octets): String(decoding: octets, as: UTF8.self)
        case .amf3(let value): value.lenientText
        default: text
        }
    }

    /// The numeric value, or nil if the value is not a number.
    public var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        case .amf3(let value): value.number
        default: nil
        }
    }

    /// The Boolean value, or nil for any other value.
    public var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .amf3(let value): value.boolean
        default: nil
        }
    }

    /// The named members of an object or array, also through a reference.
    public var properties: [AMFProperty]? {
        switch self {
        case .object(let members), .ecmaArray(_, let members), .typedObject(_, let members),
            .mixedArray(_, named: let members):
            members
        case .instance(let object): object.sealed + object.dynamic
        case .amf3(let value): value.properties
        case .reference(let reference): reference.target?.properties
        default: nil
        }
    }

    /// The items of an array, also through a reference.
    public var items: [AMFValue]? {
        switch self {
        case .strictArray(let items), .mixedArray(let items, named: _): items
        case .vector(let vector): vector.items
        case .amf3(let value): value.items
        case .reference(let reference): reference.target?.items
        default: nil
        }
    }

    /// Returns the value of the first member with this name, of the same octets.
    public subscript(_ name: String) -> AMFValue? {
        guard let properties else { return nil }
        // Most names differ in their length, which takes less to compare.
        let count = name.utf8.count
        for index in properties.indices
        where properties[index].name.utf8.count == count && properties[index].name == name {
            return properties[index].value
        }
        return nil
    }
}
