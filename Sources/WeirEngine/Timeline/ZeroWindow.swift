import WeirPackets

/// A receive window that was closed and not reopened before the end of the connection or capture.
struct ZeroWindow {
    /// The side that stopped reading, as the direction in which it sends.
    var receiver: Direction
    /// The frame that closed the window.
    var frame: Int
    /// The seconds from there to the end.
    var seconds: Double

    /// Shorter ones are insignificant.
    private static let shortest = 1.0

    /// Whether it is long enough to be significant.
    var isLong: Bool { seconds >= Self.shortest }

    /// The name of the side in catalog keys.
    var side: String { receiver == .clientToServer ? "client" : "server" }
}
