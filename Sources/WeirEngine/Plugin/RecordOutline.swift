/// What a message says of its own record, so that a report need not write each of very many records anew.
///
/// The records of two messages of a kind differ in a few numbers. A message that fills this in (`Message.outline`) has its
/// record copied from that of an earlier one of the same kind, and these numbers written over the ones that stand there.
/// The memory is used again for the next message: nothing is allocated.
public struct RecordOutline {
    /// How a number is written.
    public enum Style: UInt8, Sendable {
        /// Digits.
        case decimal
        /// Digits, in the summary with thousands set apart.
        case grouped
        /// A 32-bit identifier: `0x0badcafe`, in `fields` a string.
        case identifier
    }

    /// A number, and where it stands.
    package struct Number {
        package let value: Int
        package let style: Style
        /// Its name in `fields`.
        package let field: StaticString?
        /// What stands before it in the summary.
        package let words: StaticString?
    }

    /// In the order in which they stand in the summary, and in `fields`.
    package private(set) var numbers: [Number] = []
    /// All else.
    package private(set) var rest = SIMD4<UInt64>()
    /// Which of the numbers stand where: two bits for each, lowest last.
    package private(set) var places: UInt64 = 0

    /// Creates an empty one.
    public init() {
        numbers.reserveCapacity(16)
    }

    /// Says a number that differs from message to message, in the order in which these stand in the summary, and in
    /// `fields`.
    ///
    /// - Parameters:
    ///   - value: the number; an identifier is its lowest 32 bits.
    ///   - field: its name in `fields`, or in an object there; nil when it stands in the summary alone.
    ///   - words: what stands directly before it in the summary, empty at its beginning; nil when it does not stand there.
    ///   - style: how it is written.
    public mutating func number(
        _ value: Int, field: StaticString?, after words: StaticString? = nil, as style: Style = .decimal
    ) {
        numbers.append(Number(value: value, style: style, field: field, words: words))
        places = places << 2 | (field == nil ? 0 : 1) | (words == nil ? 0 : 2)
    }

    /// Says all else on which kind, summary, note and fields depend: two messages of a type that say the same here have
    /// records that differ in nothing but the numbers.
    public mutating func rest(_ first: UInt64, _ second: UInt64 = 0, _ third: UInt64 = 0, _ fourth: UInt64 = 0) {
        rest = SIMD4(first, second, third, fourth)
    }

    /// Makes it ready for the next message.
    package mutating func clear() {
        numbers.removeAll(keepingCapacity: true)
        rest = SIMD4()
        places = 0
    }
}
