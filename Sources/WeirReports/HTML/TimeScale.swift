import WeirEngine
import WeirPackets

/// The one time axis of a capture, from which strip, ladder and graphs take their positions.
struct TimeScale {
    /// The time of the first packet.
    let start: Timestamp
    /// Nanoseconds from the first packet to the last.
    let length: Int64

    init(start: Timestamp, length: Int64) {
        self.start = start
        self.length = max(1_000_000, length)
    }

    /// The length in milliseconds, rounded up: the width of every graph in its own units.
    var milliseconds: Int { Int((length + 999_999) / 1_000_000) }

    /// Returns a position on the axis, in milliseconds with three decimals.
    func position(_ offset: Int64) -> Double { Double(min(max(0, offset), length)) / 1_000_000 }

    /// Returns the position of a time.
    func position(_ time: Timestamp) -> Double { position(time.nanoseconds &- start.nanoseconds) }

    /// Returns the attributes of a drawing over the whole axis whose positions are relative to one of them: single
    /// precision, with which browsers compute, does not suffice for milliseconds in a capture of days.
    func viewBox(from start: Double, height: Int) -> String {
        "data-x=\"\(coordinate(start))\" viewBox=\"\(coordinate(-start)) 0 \(milliseconds) \(height)\""
    }

    /// Returns the seconds from the first packet to a time, with three decimals.
    func seconds(_ time: Timestamp) -> String { decimal(time.seconds(since: start), places: 3) }

    /// Returns an offset in seconds with as many decimals as the rows of a ladder have.
    static func seconds(_ offset: Int64) -> String { decimal(Double(offset) / 1_000_000_000, places: 6) }
}

/// Formats a coordinate with at most one decimal.
func coordinate(_ value: Double) -> String {
    let text = decimal(value, places: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
