import CTerminal

/// A status line at the bottom of the terminal during a capture: rates, open flows, drops. Written to standard error,
/// and only if that is a terminal which can erase a line.
final class LiveFooter {
    /// The numbers shown.
    struct Counts {
        var packets = 0
        var octets = 0
        var dropped = 0
        var open = (flows: 0, sessions: 0, streams: 0)
    }

    private static let interval = Duration.milliseconds(500)
    /// The width if the terminal does not report it, in columns.
    private static let usualColumns = 80

    private let start = ContinuousClock.now
    private var lastLook = ContinuousClock.now
    private var last = Counts()
    private var rates = (packets: 0.0, bits: 0.0)
    private var isShown = false
    private var parts: [String] = []
    private let isColored: Bool
    /// Whether there is a suitable terminal.
    let isWanted: Bool

    init(quiet: Bool, color: ColorChoice) {
        isWanted = !quiet && terminal_is(2) != 0 && terminal_is_dumb() == 0
        isColored = color == .always || (color == .auto && terminal_refuses_color() == 0)
    }

    /// Updates the line if the interval has passed.
    func show(_ counts: Counts) {
        let now = ContinuousClock.now
        let passed = now - lastLook
        if passed >= Self.interval || parts.isEmpty {
            let seconds = max(0.001, Self.seconds(passed))
            rates = (
                Double(counts.packets - last.packets) / seconds, Double(counts.octets - last.octets) * 8 / seconds
            )
            lastLook = now
            last = counts
            parts = self.parts(Int(Self.seconds(now - start)))
        } else if isShown {
            return
        }
        let columns = Int(terminal_columns(2))
        let text = Self.fitting(parts, columns > 0 ? columns : Self.usualColumns)
        let style = !isColored ? "" : last.dropped > 0 ? "\u{1B}[31m" : "\u{1B}[2m"
        StandardError.writeAsIs("\r\(style)\(text)\(isColored ? "\u{1B}[0m" : "")\u{1B}[K")
        isShown = true
    }

    /// Erases the line before other output to the terminal.
    func clear() {
        guard isShown else { return }
        isShown = false
        StandardError.writeAsIs("\r\u{1B}[K")
    }

    /// Returns the parts in order of importance, since a narrow terminal shows only the first ones. Drops are
    /// important.
    private func parts(_ seconds: Int) -> [String] {
        let dropped = "\(last.dropped) dropped"
        var parts = [
            Self.elapsed(seconds), Self.count(last.packets, "packet"), dropped,
            "\(Int(rates.packets))/s, \(Self.rate(rates.bits))", Self.count(last.open.sessions, "session"),
            Self.count(last.open.streams, "stream"), Self.count(last.open.flows, "flow") + " open",
        ]
        if last.dropped == 0 {
            parts.remove(at: 2)
            parts.append(dropped)
        }
        return parts
    }

    /// Returns as many parts as fit; the last column stays empty, since some terminals wrap there.
    private static func fitting(_ parts: [String], _ columns: Int) -> String {
        var line = ""
        for part in parts {
            let longer = line.isEmpty ? part : line + "  " + part
            guard longer.utf8.count < columns else { break }
            line = longer
        }
        return line
    }

    private static func count(_ number: Int, _ thing: String) -> String {
        number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
    }

    /// Formats a duration as `12 s`, `1:02`, `3:04:05` or `2 d 03:04:05`.
    private static func elapsed(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60)
        let rest = two(seconds % 60)
        if days > 0 { return "\(days) d \(two(hours)):\(two(minutes)):\(rest)" }
        if hours > 0 { return "\(hours):\(two(minutes)):\(rest)" }
        return minutes > 0 ? "\(minutes):\(rest)" : "\(seconds) s"
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private static func rate(_ bits: Double) -> String {
        let (value, unit) =
            bits >= 1e9 ? (bits / 1e9, "Gbit/s") : bits >= 1e6 ? (bits / 1e6, "Mbit/s") : (bits / 1e3, "kbit/s")
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
