extension Text {
    /// The longest piece of a message that is shown in a finding.
    private static let longest = 200

    /// Words from the wire, shown as they are.
    package static func wire(_ words: String) -> Text { Text("{0}", .string(clip(words))) }

    /// A URI from the wire; its password is masked when shown.
    package static func wire(uri: String) -> Text { Text("{0}", .uri(clip(uri))) }

    /// The beginning of words from the wire, as long as is worth showing.
    package static func clip(_ words: String) -> String {
        words.utf8.count <= longest ? words : String(words.prefix(longest)) + "…"
    }
}

extension Text.Argument {
    /// Words from the wire.
    package static func wire(_ words: String) -> Self { .string(Text.clip(words)) }
}
