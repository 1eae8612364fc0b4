import CTerminal
import WeirReports

/// A progress bar on standard error: only on a terminal, and only when the job lasts over a second.
struct Progress {
    private static let width = 40
    private static let framesBetweenLooks = 16_384

    private let file: String
    private let size: Int
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?
    private var framesLeft = framesBetweenLooks

    /// `size` is the file's, in octets; without it there is no bar.
    init(file: String, size: Int?) {
        self.file = file
        self.size = terminal_is(2) != 0 ? size ?? 0 : 0
    }

    /// Whether it is time to look at the clock; asked once a frame.
    var isDue: Bool {
        mutating get {
            framesLeft &-= 1
            guard framesLeft <= 0 else { return false }
            framesLeft = Self.framesBetweenLooks
            return size > 0
        }
    }

    /// `octets` of the file were read so far.
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

    /// Takes the bar away.
    mutating func clear() {
        guard lastShown != nil else { return }
        lastShown = nil
        StandardError.writeAsIs("\r\u{1B}[K")
    }
}
