extension Text {
    /// The longest piece of a message that is shown in a finding.
    private static let longest = 200

    /// Words from the wire, shown as they are.
    public static func wire(_ words: String) -> Text { Text("{0}", .string(clip(words))) }

    /// A URI from the wire; its password is masked when shown.
    public static func wire(uri: String) -> Text { Text("{0}", .uri(clip(uri))) }

    /// The beginning of words from the wire, as long as is worth showing.
    public static func clip(_ words: String) -> String {
        words.utf8.count <= longest ? words : String(words.prefix(longest)) + "…"
    }
}

extension Text.Argument {
    /// Words from the wire.
    public static func wire(_ words: String) -> Self { .string(Text.clip(words)) }
}
