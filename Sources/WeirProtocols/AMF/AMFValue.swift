import WeirPackets

/// A value of the Action Message Format, version 0 (AMF0 §2) or 3 (AMF3 §3), as the wire has it.
///
/// Nothing is lost: what the two versions tell apart stays apart, and a reference stays one, though it leads to what it
/// refers to. A value of version 3 stands inside `amf3`.
public indirect enum AMFValue: Sendable, Hashable {
    /// A double (AMF0 §2.2, AMF3 §3.7).
    case number(Double)
    /// An integer of 29 bits with sign (AMF3 §3.6).
    case integer(Int32)
    /// True or false (AMF0 §2.3, AMF3 §3.4, §3.5).
    case boolean(Bool)
    /// A string, short or long (AMF0 §2.4, §2.14, AMF3 §3.8).
    case string(String)
    /// A string whose octets are not UTF-8.
    case malformedString([UInt8])
    /// An object without a class: names and values, in the order of the wire (AMF0 §2.5).
    case object([AMFProperty])
    /// Reserved and never used: it has no content (AMF0 §2.6).
    case movieClip
    /// Null (AMF0 §2.7, AMF3 §3.3).
    case null
    /// Undefined (AMF0 §2.8, AMF3 §3.2).
    case undefined
    /// The same object as an earlier one of the message (AMF0 §2.9, AMF3 §2.2).
    case reference(AMFReference)
    /// An array with names, and the count that it announces, which need not be the number of members (AMF0 §2.10).
    case ecmaArray(count: UInt32, [AMFProperty])
    /// An array with indices from 0 (AMF0 §2.12, AMF3 §3.11).
    case strictArray([AMFValue])
    /// An array with indices from 0 and with names (AMF3 §3.11).
    case mixedArray([AMFValue], named: [AMFProperty])
    /// Milliseconds since 1970 in UTC; in AMF0 also a time zone in minutes, which is reserved (AMF0 §2.13, AMF3 §3.10).
    case date(milliseconds: Double, zone: Int16?)
    /// A value that cannot be serialised (AMF0 §2.15).
    case unsupported
    /// Reserved and never used: it has no content (AMF0 §2.16).
    case recordSet
    /// The text of an XML document of the older kind (AMF0 §2.17, AMF3 §3.9).
    case xmlDocument(String)
    /// The text of an XML value (AMF3 §3.13).
    case xml(String)
    /// An object of a named class (AMF0 §2.18).
    case typedObject(className: String, [AMFProperty])
    /// An object with traits (AMF3 §3.12).
    case instance(AMFInstance)
    /// An object that wrote itself in its own way: all octets to the end of the message, since only its class knows how
    /// many are its own (AMF3 §3.12).
    case externalizable(className: String, [UInt8])
    /// Octets (AMF3 §3.14).
    case byteArray([UInt8])
    /// Values of one type (AMF3 §3.15).
    case vector(AMFVector)
    /// Keys of any type and their values (AMF3 §3.16).
    case dictionary([AMFEntry], weakKeys: Bool)
    /// A value in AMF3, behind the AVM+ marker (AMF0 §3.1).
    case amf3(AMFValue)
}

/// A named member of an object or array.
public struct AMFProperty: Sendable, Hashable {
    /// Its name; what is not UTF-8 in it is replaced by U+FFFD.
    public var name: String
    /// The octets of a name that is not UTF-8.
    public var malformedName: [UInt8]?
    /// Its value.
    public var value: AMFValue

    /// Creates a member.
    package init(_ name: String, _ value: AMFValue) {
        self.name = name
        self.value = value
    }
}

/// A reference to an earlier object of the same message. Two are equal when they have the same index.
public struct AMFReference: Sendable {
    /// Index among the objects of the message, from 0; each version of AMF counts its own.
    public var index: Int
    /// The object; nil when there is none with this index, or when it is one of those that the reference stands in.
    public var target: AMFValue?
}

extension AMFReference: Hashable {
    /// Compares the indices only: comparing what they lead to could take forever.
    public static func == (left: AMFReference, right: AMFReference) -> Bool { left.index == right.index }
    /// Hashes the index only.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

/// An object of AMF3 with its traits (AMF3 §3.12).
public struct AMFInstance: Sendable, Hashable {
    /// Its class; empty for an anonymous one.
    public var className: String
    /// Members that the traits name, in their order.
    public var sealed: [AMFProperty]
    /// Whether the traits allow further members.
    public var isDynamic: Bool
    /// Those further members.
    public var dynamic: [AMFProperty]
}

/// A vector of AMF3 (AMF3 §3.15).
public struct AMFVector: Sendable, Hashable {
    /// Type of the items.
    public enum Kind: String, Sendable {
        /// 32 bits with sign.
        case int
        /// 32 bits without sign.
        case uint
        /// Doubles.
        case double
        /// Values of any type, or of the class that `typeName` says.
        case object
    }

    /// Type of the items.
    public var kind: Kind
    /// Class of the items of a vector of objects, `*` for any.
    public var typeName: String?
    /// Whether its length is fixed.
    public var isFixed: Bool
    /// The items; numbers as `number`.
    public var items: [AMFValue]
}

/// A key of a dictionary and its value.
public struct AMFEntry: Sendable, Hashable {
    /// The key.
    public var key: AMFValue
    /// The value.
    public var value: AMFValue
}

extension AMFValue {
    /// The text of a string; nil for any other value.
    public var text: String? {
        switch self {
        case .string(let text): text
        case .amf3(let value): value.text
        default: nil
        }
    }

    /// The text of a string, also of one that is not UTF-8: what is no character is replaced.
    var lenientText: String? {
        switch self {
        case .malformedString(let octets): String(decoding: octets, as: UTF8.self)
        case .amf3(let value): value.lenientText
        default: text
        }
    }

    /// The number; nil for any other value.
    public var number: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        case .amf3(let value): value.number
        default: nil
        }
    }

    /// The truth value; nil for any other value.
    public var boolean: Bool? {
        switch self {
        case .boolean(let value): value
        case .amf3(let value): value.boolean
        default: nil
        }
    }

    /// The named members of an object or array, also of one that this refers to.
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

    /// The items of an array, also of one that this refers to.
    public var items: [AMFValue]? {
        switch self {
        case .strictArray(let items), .mixedArray(let items, named: _): items
        case .vector(let vector): vector.items
        case .amf3(let value): value.items
        case .reference(let reference): reference.target?.items
        default: nil
        }
    }

    /// The value of the first member with this name.
    public subscript(_ name: String) -> AMFValue? {
        properties?.first { $0.name == name }?.value
    }
}
