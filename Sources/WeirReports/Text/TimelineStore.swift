import WeirEngine

/// The lines of sessions until they are printed: in memory, or in a spool if there are many.
final class TimelineStore {
    /// The lines of a session: the older part in the spool, the rest in memory.
    private struct Part {
        var spooled: [Range<Int>] = []
        var octets: [UInt8] = []
    }

    /// The maximum number of octets in memory, after which long sessions are spooled.
    private static let mostBuffered = 1 << 20
    /// The minimum number of octets of one session that are spooled at once.
    private static let block = 8 * 1024

    private let makeSpool: () -> any ReportSpool
    private var spool: (any ReportSpool)?
    private var parts: [Int: Part] = [:]
    private var buffered = 0

    init(_ makeSpool: @escaping () -> any ReportSpool) {
        self.makeSpool = makeSpool
    }

    /// Removes everything.
    func clear() {
        (spool, parts, buffered) = (nil, [:], 0)
    }

    func isEmpty(_ group: Int) -> Bool { parts[group] == nil }

    /// Appends complete lines to a group.
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
        // Adjacent ranges in the spool are merged.
        if let last = part.spooled.last, last.upperBound == start {
            part.spooled.removeLast()
            start = last.lowerBound
        }
        part.spooled.append(start..<spool.count)
        buffered -= part.octets.count
        part.octets = []
        parts[group] = part
    }

    /// Removes a group without printing it.
    func discard(_ group: Int) {
        guard !parts.isEmpty else { return }
        if let part = parts.removeValue(forKey: group) { buffered -= part.octets.count }
    }

    /// Returns the number of lines of a group, or nil if some are in the spool.
    func lines(of group: Int) -> Int? {
        guard let part = parts[group] else { return 0 }
        return part.spooled.isEmpty ? part.octets.count { $0 == 0x0A } : nil
    }

    /// Writes the lines of a group to an output, and removes them; fails the output if they cannot be read back.
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
