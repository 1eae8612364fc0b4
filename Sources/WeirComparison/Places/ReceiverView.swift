internal import WeirEngine
internal import WeirPackets
internal import WeirProtocols

/// What receiver reports say about packets behind the last place of a path.
struct ReceiverView {
    /// A reception report block and the capture time of its packet.
    struct Report {
        var time: Int64
        var block: ReportBlock
    }

    /// The reports by source, in order of time.
    private var reports: [UInt32: [Report]] = [:]
    /// When the capture started.
    private let start: Int64
    /// Streams whose beginning the capture contains, since it contains their negotiation.
    private var begun: Set<UInt32> = []

    /// How long a capture must have run before the first packet of a source to contain its beginning, in nanoseconds.
    private static let silence: Int64 = 1_000_000_000

    init(_ run: RunRecord, start: Int64) {
        self.start = start
        for event in run.events {
            let blocks: [ReportBlock]
            switch event.message {
            case let report as ReceiverReport: blocks = report.reports
            case let report as SenderReport: blocks = report.reports
            default: continue
            }
            for block in blocks where block.extendedHighestSequence != 0 {
                reports[block.ssrc, default: []].append(Report(time: event.time.nanoseconds, block: block))
            }
        }
        let negotiated = Set(
            run.sessions.filter { $0.phases.contains { $0.phase.name == "negotiate" } }.map(\.id))
        for stream in run.streams where stream.session.map(negotiated.contains) ?? false {
            guard case .string(let name)? = stream.details.facts.first(where: { $0.name == "ssrc" })?.value,
                let ssrc = UInt32(name.dropFirst(2), radix: 16)
            else { continue }
            begun.insert(ssrc)
        }
    }

    /// Returns how many of the packets of a source that the last place captured did not reach the receiver, according to its
    /// reports; nil if they do not show it.
    func lostBehind(_ source: UInt32, _ packets: [TracedPacket]) -> Int? {
        guard let reports = reports[source], let latest = reports.last,
            let first = packets.first
        else { return nil }
        let isBegun = begun.contains(source) || first.time &- start >= Self.silence
        // The capture shows the beginning, or what happened since the first report.
        let from = isBegun ? nil : reports.first
        if !isBegun, reports.count < 2 { return nil }
        let top = UInt16(truncatingIfNeeded: latest.block.extendedHighestSequence)
        let bottom =
            from.map { UInt16(truncatingIfNeeded: $0.block.extendedHighestSequence) &+ 1 }
            ?? UInt16(truncatingIfNeeded: first.sequence)
        let expected = Int(
            from.map { latest.block.extendedHighestSequence &- $0.block.extendedHighestSequence }
                ?? UInt32(top &- bottom) + 1)
        guard expected > 0, expected < 1 << 15 else { return nil }
        let arrived = packets.count {
            $0.time <= latest.time
                && UInt16(truncatingIfNeeded: $0.sequence) &- bottom < UInt16(clamping: expected)
        }
        let reported = Int(latest.block.cumulativeLost) - Int(from?.block.cumulativeLost ?? 0)
        return max(0, reported - (expected - arrived))
    }
}
