/// A violation of AMF in the values of a message, and its position.
package struct AMFFlaw: Sendable, Hashable {
    /// The kind of flaw.
    package enum Kind: Sendable, Hashable {
        /// A type marker unknown to the version (AMF0 §2.1, AMF3 §3.1). Nothing after it can be parsed.
        case unknownMarker(UInt8)
        /// A value needs more octets than the message has left.
        case truncated(needed: Int, left: Int)
        /// The message ends within an object or associative array without its end marker (AMF0 §2.11).
        case objectEndMissing
        /// An object end marker in place of a value (AMF0 §2.11).
        case strayObjectEnd
        /// The member count of an ECMA array differs from the announced one (AMF0 §2.10).
        case memberCount(announced: UInt32, found: Int)
        /// A reference to a missing object, string or traits (AMF0 §2.9, AMF3 §2.2).
        case badReference(Int)
        /// A string or name that is not valid UTF-8 (AMF0 §1.3.1, AMF3 §1.3.2).
        case notUTF8
        /// Values nested deeper than the limit; deeper ones were not parsed.
        case tooDeep
        /// More values than the limit; the others were not parsed.
        case tooManyValues
        /// Strings, including those repeated by reference, longer than the limit.
        case tooMuchText
        /// More flaws than are kept.
        case tooManyFlaws
    }

    /// The kind of flaw.
    package var kind: Kind
    /// The offset from the start of the message, in octets.
    package var offset: Int
    /// Whether it is in an AMF3 value.
    package var isAMF3: Bool

    /// Whether parsing ended here.
    package var isFatal: Bool {
        switch kind {
        case .memberCount, .badReference, .notUTF8, .tooManyFlaws: false
        default: true
        }
    }

    /// Whether a parser limit was exceeded, which is not a fault of the message.
    package var isLimit: Bool {
        switch kind {
        case .tooDeep, .tooManyValues, .tooMuchText, .tooManyFlaws: true
        default: false
        }
    }

    /// Whether the flaw is that the octets end, which is not a fault of a truncated message.
    package var isEnd: Bool {
        switch kind {
        case .truncated, .objectEndMissing: true
        default: false
        }
    }
}

extension AMFFlaw: CustomStringConvertible {
    /// A one-line description, such as `AMF0 at offset 14: unknown marker 0x63`.
    package var description: String {
        "\(isAMF3 ? "AMF3" : "AMF0") at offset \(offset): \(kind.reason)"
    }
}

extension AMFFlaw.Kind {
    /// The description of the kind.
    var reason: String {
        switch self {
        case .unknownMarker(let marker): "unknown marker 0x" + (marker < 16 ? "0" : "") + String(marker, radix: 16)
        case .truncated(let needed, let left): "\(needed) octets needed, \(left) left"
        case .objectEndMissing: "no object end marker"
        case .strayObjectEnd: "an object end marker outside an object"
        case .memberCount(let announced, let found): "\(announced) members announced, \(found) found"
        case .badReference(let index): "reference \(index) to no object"
        case .notUTF8: "a string that is not UTF-8"
        case .tooDeep: "nested too deeply"
        case .tooManyValues: "too many values"
        case .tooMuchText: "too much text"
        case .tooManyFlaws: "too many flaws"
        }
    }
}
