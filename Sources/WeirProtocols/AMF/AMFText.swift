import WeirPackets

/// A string of the wire.
struct AMFText {
    static let empty = AMFText([UInt8]().rawSpan)

    /// What is not UTF-8 is replaced by U+FFFD.
    let text: String
    /// The octets, when they are not UTF-8.
    let malformed: [UInt8]?

    init(_ bytes: RawSpan) {
        text = bytes.text()
        // Only where something was replaced, or the wire has that character itself, is a closer look needed.
        let isSuspect = text.utf8.count != bytes.byteCount || text.unicodeScalars.contains("\u{FFFD}")
        let octets = isSuspect ? bytes.array() : []
        malformed = isSuspect && !octets.elementsEqual(text.utf8) ? octets : nil
    }

    var value: AMFValue { malformed.map { .malformedString($0) } ?? .string(text) }

    func property(_ value: AMFValue) -> AMFProperty {
        var property = AMFProperty(text, value)
        property.malformedName = malformed
        return property
    }
}
