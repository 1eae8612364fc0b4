/// A deviation from RFC 8259 that does not prevent parsing up to it.
package struct JSONFlaw: Sendable, Hashable {
    /// The kind of deviation.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A byte order mark precedes the text (§8.1).
        case byteOrderMark
        /// The text is not valid UTF-8 (§8.1).
        case notUTF8
        /// Two members of an object have the same name (§4).
        case repeatedName
        /// A string contains an unescaped control character (§7).
        case controlCharacter
        /// An escape is undefined or an unpaired surrogate (§7, §8.2).
        case escape
        /// A comma precedes a closing bracket (§4, §5).
        case strayComma
        /// A number does not have the form of §6, or is not a number, such as `NaN`.
        case number
        /// An unexpected character; the rest was not parsed.
        case syntax
        /// The text ends before the end of its value.
        case unfinished
        /// There is data after the value.
        case trailing
        /// Values are nested deeper than the limit.
        case depth
        /// There are more values than the limit.
        case size
    }

    /// The kind of deviation.
    package var kind: Kind
    /// The offset of the deviation, in bytes.
    package var offset: Int
    /// The repeated name, or nil for other kinds.
    package var name: String?

    /// Whether the text is not valid JSON, rather than merely discouraged.
    package var isError: Bool { kind != .repeatedName }
    /// Whether the value is incomplete.
    package var isFatal: Bool {
        switch kind {
        case .syntax, .unfinished, .depth, .size: true
        default: false
        }
    }
}
