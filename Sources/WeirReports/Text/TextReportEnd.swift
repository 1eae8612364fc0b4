public import WeirEngine
import WeirPackets

// The page of a capture that has ended, or the overview of a live one.

extension TextReport {
    /// Ends the capture with its overview, timelines and summary.
    public func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        if isLive {
            release()
            if let group = known(Self.loose) { writer.close(group) }
            writer.text.line()
        } else if let capture {
            writer.text.heading(capture, summary)
        }
        for caveat in writer.text.caveats(summary) { writer.text.hanging("  ", caveat, column: 2) }
        write(overview.current, isAll: sessionsSeen != 1 || isLive || page.extent == .overview)
        if !isLive, page.extent != .overview { writeTimelines() }
        writer.text.line()
        let totals = writer.text.totals(
            summary, flows: flowCount + summary.unlistedFlows, sessions: overview.current.sessionCount, shown: shown,
            findings)
        writer.text.block(writer.text.label("summary"), totals)
        writer.text.take(output)
    }

    /// Prints the current overview, in live output.
    public func showOverview() {
        guard isLive else { return }
        release()
        leave()
        current = nil
        var now = overview.current
        let open = groups.current.all.compactMap(\.digest)
        for session in open.sorted(by: { $0.reference.id < $1.reference.id }) {
            now.add(session.row(options.secrets))
        }
        write(now, isAll: true)
        writer.text.take(output)
    }

    /// Prints the tables of sessions and streams, and the findings.
    ///
    /// - Parameter isAll: False for a capture with one session, whose own section contains them.
    private func write(_ overview: Overview, isAll: Bool) {
        if isAll { writer.text.sessions(overview, since: start) }
        // Sessions list their own streams.
        var streams = overview
        if !isAll { streams.keepLooseStreams() }
        writer.text.streams(streams, options.secrets) { overview.isForward($0) }
        guard isAll, !findings.current.isEmpty else { return }
        writer.text.line()
        writer.text.findings(findings.current, named: writer.text.label("findings"), names: overview.sessionCount > 1)
    }

    private func writeTimelines() {
        let showsAll = page.isWhole || sessionsSeen <= Self.few
        let timelines = ended.filter { showsAll || $0.isWanted }.sorted { $0.id < $1.id }
        if timelines.count < sessionsSeen {
            writer.text.line()
            let folded = writer.text.label(
                timelines.isEmpty ? "folded.all" : "folded", .integer(sessionsSeen - timelines.count))
            writer.text.hanging("", folded, column: 2)
        }
        for timeline in timelines {
            writer.text.append(timeline.head)
            if sessionsSeen == 1 || !overview.current.listsAllStreams { writer.text.append(timeline.streams) }
            writer.text.append(sessionsSeen == 1 ? timeline.findings : timeline.folded)
            writer.text.take(output)
            finish(timeline.id, of: timeline.reference)
            if !store.isEmpty(timeline.id) {
                if !page.isWhole { writer.text.line() }
                writer.text.take(output)
            }
            store.write(timeline.id, to: output)
        }
        finish(Self.loose, of: nil)
        let lines = store.lines(of: Self.loose) ?? .max
        if showsAll || lines <= Self.mostLooseLines {
            writer.text.take(output)
            store.write(Self.loose, to: output)
        }
    }

    /// Prints the rest of a timeline to the store.
    private func finish(_ group: Int, of owner: SessionReference?) {
        // What has been printed so far belongs before it.
        writer.text.take(output)
        if group == Self.loose {
            printLoose()
        } else if let group = known(group) {
            printWaiting(of: group, owner)
        }
        if let state = removeGroup(group) {
            writer.close(state)
            store(group)
        }
    }
}
