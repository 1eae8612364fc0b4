/// How the condensed timeline, which reports show by default, presents steps of a kind that nothing was found about.
public enum Condensed: Sendable {
    /// On a line of its own.
    case step
    /// The first one of a stream and direction on a line of its own; later ones are counted under this name, which other
    /// languages have as a template.
    case firstOnly(String)
    /// Counted under this name: it recurs throughout a healthy session.
    case counted(String)
    /// Not at all: tables above the timeline say the same.
    case omitted
    /// By these few words, or nil for its own, on one line with its neighbors: its details only matter when something is wrong.
    case brief(Wording?)
}
