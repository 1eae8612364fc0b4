/// Something in a message's values that is not as AMF has it, and where.
package struct AMFFlaw: Sendable, Hashable {
    /// What is wrong.
    package enum Kind: Sendable, Hashable {
        /// A type marker that the version does not know (AMF0 §2.1, AMF3 §3.1). Nothing behind it can be read.
        case unknownMarker(UInt8)
        /// A value needs so many octets, and the message has fewer left.
        case truncated(needed: Int, left: Int)
        /// The message ends inside an object or an array with names, where its end marker should be (AMF0 §2.11).
        case objectEndMissing
        /// The end marker of an object stands where a value should be (AMF0 §2.11).
        case strayObjectEnd
        /// An array with names announces another number of members than it has (AMF0 §2.10).
        case memberCount(announced: UInt32, found: Int)
        /// A reference to an object, a string or traits that are not there (AMF0 §2.9, AMF3 §2.2).
        case badReference(Int)
        /// A string or name whose octets are not UTF-8 (AMF0 §1.3.1, AMF3 §1.3.2).
        case notUTF8
        /// Values are nested deeper than the limit; what is deeper was not read.
        case tooDeep
        /// The message holds more values than the limit; the others were not read.
        case tooManyValues
        /// The message's strings, those repeated by reference included, are longer than the limit.
        case tooMuchText
        /// The message has more flaws than are kept.
        case tooManyFlaws
    }

    /// What is wrong.
    package var kind: Kind
    /// Octets from the start of the message.
    package var offset: Int
    /// Whether it is in a value of AMF3.
    package var isAMF3: Bool

    /// Whether reading ended here.
    package var isFatal: Bool {
        switch kind {
        case .memberCount, .badReference, .notUTF8, .tooManyFlaws: false
        default: true
        }
    }

    /// Whether it is a limit of the reader that was reached, which is no fault of the message.
    package var isLimit: Bool {
        switch kind {
        case .tooDeep, .tooManyValues, .tooMuchText, .tooManyFlaws: true
        default: false
        }
    }

    /// Whether the end of the octets is what is wrong: no fault of a message that the capture holds only in part.
    package var isEnd: Bool {
        switch kind {
        case .truncated, .objectEndMissing: true
        default: false
        }
    }
}

extension AMFFlaw: CustomStringConvertible {
    /// One line for people, such as `AMF0 at offset 14: unknown marker 0x63`.
    package var description: String {
        "\(isAMF3 ? "AMF3" : "AMF0") at offset \(offset): \(kind.reason)"
    }
}

extension AMFFlaw.Kind {
    /// What is wrong, in words.
    var reason: String {
        switch self {
        case .unknownMarker(let marker): "unknown marker 0x" + (marker < 16 ? "0" : "") + String(marker, radix: 16)
        case .truncated(let needed, let left): "needs \(needed) octets, \(left) are left"
        case .objectEndMissing: "no object end marker"
        case .strayObjectEnd: "an object end marker outside of an object"
        case .memberCount(let announced, let found): "\(announced) members announced, \(found) found"
        case .badReference(let index): "nothing to refer to with index \(index)"
        case .notUTF8: "a string that is not UTF-8"
        case .tooDeep: "nested too deeply"
        case .tooManyValues: "too many values"
        case .tooMuchText: "too much text"
        case .tooManyFlaws: "more flaws than are kept"
        }
    }
}
