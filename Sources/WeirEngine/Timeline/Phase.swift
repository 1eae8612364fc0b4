/// A part of a session's story. Any protocol may have its own; the heading is its plugin's sentence `phase.<name>`.
public struct Phase: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in reports, in camelCase.
    public let name: String

    /// Names a phase.
    public init(stringLiteral name: String) {
        self.name = name
    }
}

extension Phase {
    /// The transport connects.
    public static let connect: Phase = "connect"
    /// Media flows.
    public static let media: Phase = "media"
    /// Media is paused.
    public static let pause: Phase = "pause"
    /// The position in what is played changes.
    public static let seek: Phase = "seek"
    /// The session is closed.
    public static let close: Phase = "close"
}
