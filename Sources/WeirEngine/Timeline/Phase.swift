/// A phase of a session. Protocols may define their own; the heading is the plugin's catalog key `phase.<name>`.
public struct Phase: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in reports, in camel case.
    public let name: String
    /// A precomputed hash that makes comparing phases fast; it is done for every event.
    private let hash: Int

    /// Creates a phase with a name.
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
    /// The transport connection is established.
    public static let connect: Phase = "connect"
    /// Media is transferred.
    public static let media: Phase = "media"
    /// Media is paused.
    public static let pause: Phase = "pause"
    /// The playback position changes.
    public static let seek: Phase = "seek"
    /// The session is closed.
    public static let close: Phase = "close"
}
