/// A part of a session's story. Any protocol may have its own; the heading is its plugin's sentence `phase.<name>`.
public struct Phase: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in reports, in camelCase.
    public let name: String
    /// Tells most phases apart without a look at their names: every event is counted into its phase.
    private let hash: Int

    /// Names a phase.
    public init(stringLiteral name: String) {
        self.name = name
        hash = name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
    }

    /// Whether both have the same name.
    @inline(__always)
    public static func == (one: Self, other: Self) -> Bool { one.hash == other.hash && one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
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
