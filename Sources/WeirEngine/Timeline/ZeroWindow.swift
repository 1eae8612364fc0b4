import WeirPackets

/// A receive window that was closed and not opened again before the connection ended, or the capture.
struct ZeroWindow {
    /// The side that stopped reading: what it sends goes this way.
    var receiver: Direction
    /// The frame that closed the window.
    var frame: Int
    /// Seconds from there to the end.
    var seconds: Double

    /// Shorter ones delay nobody.
    private static let shortest = 1.0

    /// Whether it is long enough to matter.
    var isLong: Bool { seconds >= Self.shortest }

    /// The name of the side in keys of sentences.
    var side: String { receiver == .clientToServer ? "client" : "server" }
}
