/// A language of notes, findings and outcomes.
public enum Language: String, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// Chinese.
    case chinese = "zh"
}
