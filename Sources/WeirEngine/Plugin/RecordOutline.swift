/// A compact description of a message's record, which avoids formatting each of very many records.
///
/// The records of two messages of a kind differ in a few numbers. The record of a message that provides an outline
/// (`Message.outline`) is copied from an earlier one of the same kind, and the numbers in it are overwritten. The
/// memory is reused for the next message, without allocation.
public struct RecordOutline: Sendable {
    /// The format of a number.
    public enum Style: UInt8, Sendable {
        /// Decimal digits.
        case decimal
        /// Decimal digits, in the summary with grouped thousands.
        case grouped
        /// A 32-bit identifier, `0x0badcafe`; a string in `fields`.
        case identifier
    }

    /// The format of a number, and where it is.
    @usableFromInline package struct Label: Sendable {
        package let style: Style
        /// Its name in `fields`.
        package let field: StaticString?
        /// The text before it in the summary.
        package let words: StaticString?
    }

    /// The numbers, in the order of the summary and of `fields`.
    @usableFromInline package var numbers: [Int] = []
    /// Where each number occurs: two bits per number, the latest in the lowest bits.
    @usableFromInline package var places: UInt64 = 0
    /// The labels of the numbers, unless only the numbers are needed.
    @usableFromInline package internal(set) var labels: [Label] = []
    /// All other values that determine the record.
    @usableFromInline package internal(set) var rest = SIMD4<UInt64>()
    @usableFromInline let isLabeled: Bool

    /// Creates an empty outline.
    ///
    /// - Parameter isLabeled: Whether the labels of the numbers are needed.
    public init(isLabeled: Bool = true) {
        self.isLabeled = isLabeled
        numbers.reserveCapacity(16)
    }

    /// Adds a number that differs between messages, in the order of the summary and of `fields`.
    ///
    /// - Parameters:
    ///   - value: The number; an identifier is its low 32 bits.
    ///   - field: Its name in `fields`, or in an object there; nil if it is only in the summary.
    ///   - words: The text immediately before it in the summary, empty at the start; nil if it is not in the summary.
    ///   - style: The format.
    @inlinable @inline(__always)
    public mutating func number(
        _ value: Int, field: StaticString?, after words: StaticString? = nil, as style: Style = .decimal
    ) {
        numbers.append(value)
        places = places << 2 | (field == nil ? 0 : 1) | (words == nil ? 0 : 2)
        if isLabeled { label(field, words, style) }
    }

    @usableFromInline
    mutating func label(_ field: StaticString?, _ words: StaticString?, _ style: Style) {
        labels.append(Label(style: style, field: field, words: words))
    }

    /// Sets all other values that determine kind, summary, note and fields: the records of two messages of a type with
    /// equal values differ only in the numbers.
    public mutating func rest(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0, _ fourth: UInt64 = 0) {
        rest = SIMD4(first, second, third, fourth)
    }

    /// Clears the outline for the next message.
    @inlinable @inline(__always)
    package mutating func clear() {
        // One by one: removing all takes as long as removing twenty.
        while !numbers.isEmpty { numbers.removeLast() }
        if isLabeled { labels.removeAll(keepingCapacity: true) }
        rest = SIMD4()
        places = 0
    }
}
