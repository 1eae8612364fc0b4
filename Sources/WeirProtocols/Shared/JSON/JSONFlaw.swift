/// A departure from RFC 8259; the text was read all the same, as far as it goes.
package struct JSONFlaw: Sendable, Hashable {
    /// What is wrong.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A byte order mark stands before the text (§8.1).
        case byteOrderMark
        /// The octets are not UTF-8 (§8.1).
        case notUTF8
        /// Two members of an object have one name (§4).
        case repeatedName
        /// A control character stands in a string as it is (§7).
        case controlCharacter
        /// An escape is none of those there are, or half of a surrogate pair (§7, §8.2).
        case escape
        /// A comma stands before a closing bracket (§4, §5).
        case strayComma
        /// A number is not of the form of §6, or none at all, such as `NaN`.
        case number
        /// Something stands where it cannot: nothing behind it was read.
        case syntax
        /// The text ends before its value does.
        case unfinished
        /// More stands behind the value.
        case trailing
        /// Values lie deeper in each other than is read.
        case depth
        /// There are more values than are read.
        case size
    }

    /// What is wrong.
    package var kind: Kind
    /// Where, in the octets that were read.
    package var offset: Int
    /// The name that stands twice; nil for others.
    package var name: String?

    /// Whether the text is no JSON, and not only unwise.
    package var isError: Bool { kind != .repeatedName }
    /// Whether not all of the value could be read.
    package var isFatal: Bool {
        switch kind {
        case .syntax, .unfinished, .depth, .size: true
        default: false
        }
    }
}
