import WeirPackets

/// A string as transmitted.
struct AMFText {
    static let empty = AMFText([UInt8]().rawSpan)

    /// The text, with U+FFFD for invalid UTF-8.
    let text: String
    /// The octets, if they are not valid UTF-8.
    let malformed: [UInt8]?

    init(_ bytes: RawSpan) {
        text = bytes.text()
        // A replacement is possible only if the length differs or the text contains U+FFFD.
        let isSuspect =
            text.utf8.count != bytes.byteCount || !TextSyntax.isASCII(bytes) && text.unicodeScalars.contains("\u{FFFD}")
        guard isSuspect else {
            malformed = nil
            return
        }
        let octets = bytes.array()
        malformed = octets.elementsEqual(text.utf8) ? nil : octets
    }

    var value: AMFValue {
        guard let malformed else { return .string(text) }
        return .malformedString(malformed)
    }

    func property(_ value: consuming AMFValue) -> AMFProperty {
        var property = AMFProperty(text, value)
        property.malformedName = malformed
        return property
    }
}
