import WeirPackets

/// The `Range` header (RFC 2326 §12.29), or SDP's `a=range` (§C.1.5).
public struct RangeHeader: Sendable, Hashable {
    /// The unit of a range.
    public enum Unit: Sendable, Hashable {
        /// Normal play time (NPT, RFC 2326 §3.6).
        case npt
        /// SMPTE time code (§3.5), with its type as sent: `smpte`, `smpte-30-drop`, `smpte-25`.
        case smpte(String)
        /// Absolute time in UTC (§3.7).
        case clock
        /// Any other unit, as sent.
        case other(String)

        /// The unit name as sent, in lower case.
        public var name: String {
            switch self {
            case .npt: "npt"
            case .clock: "clock"
            case .smpte(let name), .other(let name): name
            }
        }
    }

    /// The unit.
    public var unit: Unit
    /// The start as sent: `0.000`, `now`, `19961108T142300Z`; nil if open.
    public var start: String?
    /// The end as sent, or nil if open.
    public var end: String?
    /// The `time` parameter as sent: when the operation takes effect.
    public var time: String?
    /// The value as sent.
    public var raw: String

    /// The start in seconds of normal play time, or nil if open, `now` or in another unit.
    public var startSeconds: Double? { unit == .npt ? start.flatMap(Self.seconds) : nil }
    /// The end in seconds of normal play time, or nil if open or in another unit.
    public var endSeconds: Double? { unit == .npt ? end.flatMap(Self.seconds) : nil }

    /// Parses the header value; returns nil if it has no unit.
    public init?(_ value: String) {
        raw = value
        let parts = TextSyntax.split(value, at: ASCII.semicolon)
        // SDP also uses `npt:0-` (RFC 2326 §C.1.5 shows both).
        let range = TextSyntax.trim(parts.first ?? "")
        guard let separator = range.utf8.firstIndex(where: { $0 == ASCII.equals || $0 == ASCII.colon }) else {
            return nil
        }
        let name = TextSyntax.lowercased(TextSyntax.trim(range[..<separator]))
        switch name {
        case "npt": unit = .npt
        case "clock": unit = .clock
        case _ where name.hasPrefix("smpte"): unit = .smpte(name)
        case "": return nil
        default: unit = .other(name)
        }
        let (first, second) = TextSyntax.pair(range[range.utf8.index(after: separator)...], at: 0x2D)
        start = Self.known(first)
        end = Self.known(second ?? "")
        for part in parts.dropFirst() {
            let (name, value) = TextSyntax.pair(part)
            if ASCII.equalIgnoringCase(TextSyntax.trim(name), "time") { time = value.map { TextSyntax.trim($0) } }
        }
    }

    private static func known(_ text: String) -> String? {
        let text = TextSyntax.trim(text)
        return text.isEmpty ? nil : text
    }

    /// Parses `123.45` or `hh:mm:ss.ff` into seconds (RFC 2326 §3.6).
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return parts.count == 1 ? TextSyntax.number(text) : nil }
        guard let hours = TextSyntax.decimal(parts[0]), let minutes = TextSyntax.decimal(parts[1]),
            let seconds = TextSyntax.number(String(parts[2]))
        else { return nil }
        return Double(hours) * 3600 + Double(minutes) * 60 + seconds
    }
}
