/// The presentation of events without findings in the condensed timeline, which reports show by default.
public enum Condensed: Sendable {
    /// On a separate line.
    case step
    /// The first of a stream and direction on a separate line; later ones are counted under this name, a template of the
    /// catalogs of other languages.
    case firstOnly(String)
    /// Counted under this name, since it recurs throughout a healthy session.
    case counted(String)
    /// Omitted, since tables above the timeline contain the same information.
    case omitted
    /// With these few words, or nil for its own, on one line with its neighbors; the details only matter in case of
    /// errors.
    case brief(Wording?)
}
