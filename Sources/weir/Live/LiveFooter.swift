import CTerminal
import WeirCapture
import WeirSessions

/// The last line of the terminal while a capture runs: rates, what is open, what was dropped. On standard error, and
/// only when that is a terminal.
final class LiveFooter {
    private static let interval = Duration.milliseconds(500)

    private let start = ContinuousClock.now
    private var lastLook = ContinuousClock.now
    private var lastCounts = (packets: 0, octets: 0)
    private var rates = (packets: 0.0, bits: 0.0)
    private var isShown = false
    private var line = ""
    /// Whether there is a terminal to show it on.
    let isWanted: Bool

    init(quiet: Bool) {
        isWanted = !quiet && terminal_is(2) != 0
    }

    /// Brings the line up to date, if it is time to.
    func show(packets: Int, octets: Int, _ open: (flows: Int, sessions: Int, streams: Int), dropped: Int) {
        let now = ContinuousClock.now
        let passed = now - lastLook
        if passed >= Self.interval || line.isEmpty {
            let seconds = max(0.001, Self.seconds(passed))
            rates = (
                Double(packets - lastCounts.packets) / seconds, Double(octets - lastCounts.octets) * 8 / seconds
            )
            lastLook = now
            lastCounts = (packets, octets)
            line =
                "\(Int(Self.seconds(now - start))) s  \(packets) packets (\(Int(rates.packets))/s, \(Self.rate(rates.bits)))"
                + "  \(open.sessions) sessions, \(open.streams) streams, \(open.flows) flows open  \(dropped) dropped"
        } else if isShown {
            return
        }
        let columns = Int(terminal_columns(2))
        let text = columns > 1 ? String(line.prefix(columns - 1)) : line
        StandardError.write("\r\(dropped > 0 ? "\u{1B}[31m" : "\u{1B}[2m")\(text)\u{1B}[0m\u{1B}[K")
        isShown = true
    }

    /// Takes the line away, before something else is written to the terminal.
    func clear() {
        guard isShown else { return }
        isShown = false
        StandardError.write("\r\u{1B}[K")
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
