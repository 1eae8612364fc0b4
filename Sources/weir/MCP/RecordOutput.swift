import WeirReports

/// Keeps some of the records of an NDJSON report, bounded.
final class RecordOutput: ReportOutput {
    private let heads: [[UInt8]]
    private let skipped: Int
    private let most: (count: Int, octets: Int)
    private var rest: [UInt8] = []
    private(set) var kept: [UInt8] = []
    private(set) var keptCount = 0
    /// How many records of the kinds there are.
    private(set) var total = 0

    /// - Parameters:
    ///   - kinds: The kinds of records, such as `event`.
    ///   - skipped: How many of them are skipped.
    ///   - most: The maximum number of records, and of their octets.
    init(_ kinds: [String], skipping skipped: Int = 0, most: (count: Int, octets: Int)) {
        heads = kinds.map { Array("{\"record\":\"\($0)\"".utf8) }
        self.skipped = skipped
        self.most = most
    }

    func write(_ octets: [UInt8]) {
        var start = octets.startIndex
        while let end = octets[start...].firstIndex(of: 10) {
            add(rest + octets[start...end])
            rest.removeAll(keepingCapacity: true)
            start = end + 1
        }
        rest += octets[start...]
    }

    func fail(_ reason: any Error) {}

    private func add(_ line: [UInt8]) {
        guard heads.contains(where: line.starts(with:)) else { return }
        total += 1
        guard total > skipped, keptCount < most.count, kept.count + line.count <= most.octets else { return }
        // Records follow each other without a hole.
        guard keptCount == total - skipped - 1 else { return }
        keptCount += 1
        kept += line
    }
}

/// Keeps the beginning of a text.
final class TextBeginning: ReportOutput {
    private let most: Int
    private var octets: [UInt8] = []
    private var isCut = false

    init(most: Int) { self.most = most }

    func write(_ part: [UInt8]) {
        if octets.count + part.count > most { isCut = true }
        octets += part.prefix(max(0, most - octets.count))
    }

    func fail(_ reason: any Error) {}

    /// The text up to a whole line, and that it was cut if it was.
    var text: String {
        guard isCut, let end = octets.lastIndex(of: 10) else { return String(decoding: octets, as: UTF8.self) }
        return String(decoding: octets[...end], as: UTF8.self)
            + "… cut at \(most) octets: ask for one session, or for events\n"
    }
}
