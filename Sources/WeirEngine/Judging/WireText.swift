extension Text {
    /// The maximum length of message text in a finding, in bytes.
    private static let longest = 200

    /// Returns text from the wire, clipped.
    public static func wire(_ words: String) -> Text { Text("{0}", .string(clip(words))) }

    /// Returns a URI from the wire, clipped; its password is masked in output.
    public static func wire(uri: String) -> Text { Text("{0}", .uri(clip(uri))) }

    /// Returns the beginning of `words`, clipped to the maximum length.
    public static func clip(_ words: String) -> String {
        words.utf8.count <= longest ? words : String(words.prefix(longest)) + "…"
    }
}

extension Text.Argument {
    /// Returns text from the wire, clipped.
    public static func wire(_ words: String) -> Self { .string(Text.clip(words)) }
}
