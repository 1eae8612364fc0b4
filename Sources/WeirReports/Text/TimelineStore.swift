import WeirEngine

/// Lines of sessions whose place on the page is known later: in memory while they are few, then in a spool.
final class TimelineStore {
    /// What was written of a session: the older part in the spool, the rest here.
    private struct Part {
        var spooled: [Range<Int>] = []
        var octets: [UInt8] = []
    }

    /// Octets of all sessions that are kept in memory before long ones go to the spool.
    private static let mostBuffered = 1 << 20
    /// Octets of one session that are worth a place of their own in the spool.
    private static let block = 8 * 1024

    private let makeSpool: () -> any ReportSpool
    private var spool: (any ReportSpool)?
    private var parts: [Int: Part] = [:]
    private var buffered = 0

    init(_ makeSpool: @escaping () -> any ReportSpool) {
        self.makeSpool = makeSpool
    }

    /// Forgets everything.
    func clear() {
        (spool, parts, buffered) = (nil, [:], 0)
    }

    func isEmpty(_ group: Int) -> Bool { parts[group] == nil }

    /// Appends whole lines to those of a group.
    func append(_ octets: [UInt8], to group: Int) {
        guard !octets.isEmpty else { return }
        parts[group, default: Part()].octets += octets
        buffered += octets.count
        guard buffered > Self.mostBuffered else { return }
        if parts[group]?.octets.count ?? 0 >= Self.block { spill(group) }
        if buffered > 2 * Self.mostBuffered { for group in Array(parts.keys) { spill(group) } }
    }

    private func spill(_ group: Int) {
        guard var part = parts[group], !part.octets.isEmpty else { return }
        let spool = self.spool ?? makeSpool()
        self.spool = spool
        var start = spool.count
        spool.append(part.octets)
        // Neighbors in the spool are one piece.
        if let last = part.spooled.last, last.upperBound == start {
            part.spooled.removeLast()
            start = last.lowerBound
        }
        part.spooled.append(start..<spool.count)
        buffered -= part.octets.count
        part.octets = []
        parts[group] = part
    }

    /// Forgets a group: its lines are not printed.
    func discard(_ group: Int) {
        if let part = parts.removeValue(forKey: group) { buffered -= part.octets.count }
    }

    /// Lines that a group has, if all are in memory; nil when some are in the spool.
    func lines(of group: Int) -> Int? {
        guard let part = parts[group] else { return 0 }
        return part.spooled.isEmpty ? part.octets.count { $0 == 0x0A } : nil
    }

    /// Hands the lines of a group to an output, and forgets them; the output fails when they cannot be read back.
    func write(_ group: Int, to output: any ReportOutput) {
        guard let part = parts.removeValue(forKey: group) else { return }
        buffered -= part.octets.count
        do {
            for range in part.spooled {
                var start = range.lowerBound
                while start < range.upperBound {
                    let end = min(range.upperBound, start + 256 * 1024)
                    if let octets = try spool?.octets(in: start..<end) { output.write(octets) }
                    start = end
                }
            }
        } catch {
            output.fail(error)
        }
        if !part.octets.isEmpty { output.write(part.octets) }
    }
}
