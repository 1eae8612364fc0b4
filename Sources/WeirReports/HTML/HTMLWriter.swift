import WeirEngine

/// Serializes HTML: everything that is not a constant of the page is escaped.
///
/// Text in two languages is written in the language of the report; the other one stands in the attribute `data-t`, from
/// which the page's script takes it.
struct HTMLWriter {
    /// The attributes of an element; an empty value leaves only the name.
    typealias Attributes = KeyValuePairs<String, String>

    private(set) var octets: [UInt8] = []

    /// Appends markup, which is a constant or comes from another writer.
    mutating func markup(_ markup: String) { octets.append(contentsOf: markup.utf8) }

    /// Appends what another writer wrote.
    mutating func append(_ other: HTMLWriter) { octets += other.octets }

    /// Appends octets that are no markup, such as escaped JSON.
    mutating func raw(_ other: [UInt8]) { octets += other }

    /// Removes and returns everything written.
    mutating func take() -> [UInt8] {
        defer { octets = [] }
        return octets
    }

    /// Writes a start tag.
    mutating func open(_ name: String, _ attributes: Attributes = [:]) { tag(name, attributes, nil) }

    /// Writes an end tag.
    mutating func close(_ name: String) { markup("</\(name)>") }

    /// Writes an element with text.
    mutating func leaf(_ name: String, _ attributes: Attributes = [:], _ text: PageText) {
        tag(name, attributes, text.other)
        self.text(text.main)
        close(name)
    }

    /// Writes an element with text that is the same in both languages.
    mutating func leaf(_ name: String, _ attributes: Attributes = [:], _ text: String) {
        leaf(name, attributes, PageText(text))
    }

    /// Writes an element with content.
    mutating func element(
        _ name: String, _ attributes: Attributes = [:], _ content: (inout HTMLWriter) -> Void
    ) {
        tag(name, attributes, nil)
        content(&self)
        close(name)
    }

    /// Writes escaped text.
    mutating func text(_ text: String) { Self.escape(text, to: &octets) }

    private mutating func tag(_ name: String, _ attributes: Attributes, _ other: String?) {
        octets.append(UInt8(ascii: "<"))
        markup(name)
        for (key, value) in attributes where key != "class" || !value.isEmpty { attribute(key, value) }
        if let other { attribute("data-t", other) }
        octets.append(UInt8(ascii: ">"))
    }

    private mutating func attribute(_ key: String, _ value: String) {
        octets.append(UInt8(ascii: " "))
        markup(key)
        guard !value.isEmpty else { return }
        markup("=\"")
        text(value)
        octets.append(UInt8(ascii: "\""))
    }

    /// Appends text in which the characters of markup are references, and control characters, invisible ones and those
    /// that reorder a line are shown as `\x1b`.
    static func escape(_ text: String, to octets: inout [UInt8]) {
        for octet in Printable.clean(text).utf8 {
            switch octet {
            case UInt8(ascii: "&"): octets.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): octets.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): octets.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): octets.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): octets.append(contentsOf: "&#39;".utf8)
            default: octets.append(octet)
            }
        }
    }

    /// Returns JSON that can stand inside a script element: `<` occurs only in strings, and is an escape there, so that
    /// neither `</script` nor `<!--` does.
    static func embedded(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(UInt8(ascii: "<")) else { return json }
        return json.flatMap { $0 == UInt8(ascii: "<") ? Array(#"\u003c"#.utf8) : [$0] }
    }
}
