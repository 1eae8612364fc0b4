import CTerminal
import WeirReports

/// A progress bar on standard error, shown only on a terminal and after one second.
struct Progress {
    private static let width = 40
    private static let framesBetweenLooks = 16_384

    private let file: String
    private let size: Int
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?
    private var framesLeft = framesBetweenLooks

    /// Creates a progress bar. `size` is the file size in octets; without it there is no bar.
    init(file: String, size: Int?) {
        self.file = file
        self.size = terminal_is(2) != 0 ? size ?? 0 : 0
    }

    /// Whether to check the clock; called once per frame.
    var isDue: Bool {
        mutating get {
            framesLeft &-= 1
            guard framesLeft <= 0 else { return false }
            framesLeft = Self.framesBetweenLooks
            return size > 0
        }
    }

    /// Updates the bar. `octets` is the part of the file read so far.
    mutating func show(_ frames: Int, _ octets: Int) {
        let now = ContinuousClock.now
        guard now - start > .seconds(1), now - (lastShown ?? start) > .milliseconds(200) else { return }
        lastShown = now
        let done = min(1, Double(octets) / Double(size))
        let filled = Int(done * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        StandardError.writeAsIs(
            "\r[\(bar)] \(Int(done * 100)) %  \(frames) packets  \(Printable.clean(file))\u{1B}[K")
    }

    /// Erases the bar.
    mutating func clear() {
        guard lastShown != nil else { return }
        lastShown = nil
        StandardError.writeAsIs("\r\u{1B}[K")
    }
}
