import WeirEngine
import WeirPackets

// The overview of a capture: sessions, streams, and findings by rule.

extension TextPage {
    /// The maximum number of rows in tables.
    private static let (mostSessions, mostRules) = (100, 16)

    /// Prints the first line of a capture, with its totals.
    mutating func heading(_ capture: CaptureRecord, _ summary: SummaryRecord?) {
        var facts = [capture.format] + capture.linkTypes.map(\.name)
        if let length = capture.snapLength, length > 0, length < 65_535 {
            facts.append(label("snapLength", .integer(length)))
        }
        var words = facts.joined(separator: catalogue.comma)
        if let summary { words += catalogue.semicolon + extent(summary) }
        line(style(Printable.clean(capture.file), .heading) + "  " + words)
    }

    // MARK: - Sessions

    /// Prints the session table.
    mutating func sessions(_ overview: Overview, since start: Timestamp?) {
        let sorted = overview.sessions.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        let isCrowded = sorted.count > Self.mostSessions
        let shown = isCrowded ? Self.mostNotable(sorted) : sorted
        guard !shown.isEmpty else { return }
        let heading = [
            "#", label("column.start"), "", label("column.ends"), label("column.what"), label("column.long"),
            label("column.err"), label("column.warn"), label("column.outcome"),
        ]
        var table = TextTable(heading, right: [0, 1, 5, 6, 7])
        let isLong = shown.count > Self.fewRows
        if isLong { table.mostLines = shown.map { $0.isNotable ? 2 : 1 } }
        for session in shown {
            add(session, to: &table, since: start, longestSubject: isLong ? Self.shortSubject : Self.longestSubject)
        }
        line()
        var facts: [String] = []
        if overview.failedCount > 0 {
            facts.append(label("sessions.failed", .integer(overview.failedCount), .integer(overview.sessionCount)))
        }
        if !isCrowded, let shared = caption(&table) { facts.append(shared) }
        line(
            style(label("sessions.table"), .heading)
                + (facts.isEmpty ? "" : "  " + facts.joined(separator: catalogue.semicolon)))
        table.write(to: &self, column: 2)
        let rest = overview.sessionCount - shown.reduce(0) { $0 + $1.attempts }
        if rest > 0 { line("  " + label("endings.more", .integer(rest))) }
    }

    /// Returns the rows for which there is room, those of notable sessions first, in the order of all.
    private static func mostNotable(_ sessions: [Overview.Session]) -> [Overview.Session] {
        let notable = sessions.filter { $0.isNotable }.prefix(mostSessions)
        let others = sessions.filter { !$0.isNotable }.prefix(mostSessions - notable.count)
        return (notable + others).sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    }

    /// Returns the values that all rows share, which need no column: protocol, endpoints and subject, and removes their
    /// columns.
    private func caption(_ table: inout TextTable) -> String? {
        let words = (2...4).compactMap { table.takeShared($0) }
        return words.isEmpty ? nil : label("all", .string(Printable.clean(words.joined(separator: "  "))))
    }

    /// The maximum number of rows for which a row may take any number of lines.
    private static let fewRows = 12

    /// Adds the row of a session.
    private func add(
        _ session: Overview.Session, to table: inout TextTable, since start: Timestamp?, longestSubject: Int
    ) {
        table.add { $0.appendDecimal(session.id) }
        table.add { writeStart(of: session, since: start, to: &$0) }
        table.add(session.kind.uppercased())
        table.add {
            session.client.address.write(to: &$0)
            $0.append(" → ")
            session.server.write(to: &$0)
        }
        table.add(TextTable.cut(Self.path(session), longestSubject))
        let seconds = session.start.flatMap { first in session.end.map { max(0, $0.seconds(since: first)) } }
        table.add(session.attempts > 1 ? "" : seconds.map(duration) ?? "")
        for count in [session.counts.errors, session.counts.warnings] {
            table.add { if count > 0 { $0.appendDecimal(count) } }
        }
        table.add(outcome(session))
    }

    private func outcome(_ session: Overview.Session) -> String {
        let outcome = session.outcome ?? label("open")
        guard session.attempts > 1 else { return outcome }
        let head = session.isUniform ? catalogue.colon : catalogue.semicolon + label("firstAttempt") + catalogue.colon
        return attempts(session) + head + outcome
    }

    /// Writes when a session started.
    private func writeStart(of session: Overview.Session, since start: Timestamp?, to cell: inout [UInt8]) {
        guard let time = session.start else { return }
        if page.showsTimeOfDay {
            cell.append(CivilTime(time).precise)
        } else if let start {
            cell.appendFixed(time.seconds(since: start), places: 3)
        }
    }

    /// Returns the path of what a session is about: the server has its own column.
    private static func path(_ session: Overview.Session) -> String {
        guard let subject = session.subject else { return "" }
        guard let start = subject.withOctets({ startOfPath($0) }) else { return subject }
        return String(Substring(subject.utf8.dropFirst(start)))
    }

    /// Returns the position of the path in a URL, or nil if it has none.
    private static func startOfPath(_ octets: Span<UInt8>) -> Int? {
        var index = 0
        while index &+ 2 < octets.count {
            let next = (octets[index], octets[index &+ 1], octets[index &+ 2])
            if next == (ASCII.colon, ASCII.slash, ASCII.slash) { break }
            index &+= 1
        }
        index &+= 3
        while index < octets.count, octets[index] != ASCII.slash { index &+= 1 }
        return index &+ 1 < octets.count ? index : nil
    }

    /// The maximum width of a subject, and in a long table; the session's own timeline shows it in full.
    private static let (longestSubject, shortSubject) = (24, 14)

    /// Returns the number of attempts, and the interval between them.
    private func attempts(_ session: Overview.Session) -> String {
        guard let first = session.start, let last = session.lastStart, session.attempts > 1 else { return "" }
        let interval = last.seconds(since: first) / Double(session.attempts - 1)
        let key = session.hasMedia ? "repeated" : "attempts"
        guard interval >= 0.000_5 else { return label("\(key).atOnce", .integer(session.attempts)) }
        return label(key, .integer(session.attempts), .string(duration(interval)))
    }

    // MARK: - Streams

    /// Prints the stream table, with the sessions of the streams.
    mutating func streams(_ overview: Overview, _ secrets: SecretPolicy, direction: (StreamRecord) -> Bool) {
        guard !overview.streams.isEmpty else { return }
        let all = overview.streams
        let shown: [StreamRecord]
        if all.count > Overview.mostListedStreams {
            let faulty = all.indices.map { (lost: all[$0].details.lostPackets ?? 0, index: $0) }.filter { $0.lost > 0 }
            let worst = faulty.sorted { ($1.lost, all[$0.index].id) < ($0.lost, all[$1.index].id) }
            shown = worst.prefix(Overview.mostListedStreams).map { all[$0.index] }
        } else {
            shown = all.sorted { ($0.session ?? .max, $0.id) < ($1.session ?? .max, $1.id) }
        }
        line()
        let left = overview.streamCount - shown.count
        let heading = label("streams")
        guard !shown.isEmpty else {
            return block(heading, label("streams.noneLost", .integer(overview.streamCount)))
        }
        line(style(heading, .heading))
        let hasSessions = shown.contains { $0.session != nil }
        streamRows(shown, secrets, names: hasSessions, direction: direction).write(to: &self, column: 2)
        if left > 0 { line("  " + label("streams.more", .integer(left))) }
        contents(shown, secrets)
    }

    /// Prints the streams of one session, beside a label.
    mutating func streams(
        _ streams: [StreamRecord], named heading: String, _ secrets: SecretPolicy, direction: (StreamRecord) -> Bool
    ) {
        guard !streams.isEmpty else { return }
        let head = style(heading, .heading) + TextLayout.spaces(max(2, Self.blockColumn - TextLayout.width(heading)))
        streamRows(streams, secrets, names: false, direction: direction).write(
            to: &self, column: Self.blockColumn, first: head)
        contents(streams, secrets)
    }

    /// The maximum number of streams whose contents are shown, and of rows of each.
    private static let (mostContents, mostParts) = (4, 24)

    /// Prints the tables of what streams consist of.
    private mutating func contents(_ streams: [StreamRecord], _ secrets: SecretPolicy) {
        let tables = streams.flatMap { stream in stream.details.tables.map { (stream, $0) } }
        for (stream, content) in tables.prefix(Self.mostContents) {
            func words(_ wording: Wording) -> String { secrets.apply(text: catalogue.line(wording)) }
            var title = content.title.map(words)
            if tables.count > 1 { title.append("\(stream.source) → \(stream.destination)") }
            line()
            line("  " + style(title.joined(separator: catalogue.comma), .heading))
            var table = TextTable(
                content.columns.map { words($0.heading) } + [""],
                right: Set(content.columns.indices.filter { content.columns[$0].isNumber }))
            for row in content.rows.prefix(Self.mostParts) {
                for index in content.columns.indices {
                    table.add(index < row.cells.count ? words(row.cells[index]) : "")
                }
                table.add(row.notes.map(words).joined(separator: catalogue.comma))
            }
            table.write(to: &self, column: Self.partColumn)
            let left = content.rows.count - Self.mostParts
            if left > 0 { line(TextLayout.spaces(Self.partColumn) + label("parts.more", .integer(left))) }
        }
    }

    /// The first column of such tables.
    private static let partColumn = 4

    /// The maximum width of a stream's name.
    private static let longestName = 44
    /// The minimum number of seconds by which a stream ends before others of its session for that to be shown.
    private static let earlyEnd = 2.0

    private func streamRows(
        _ streams: [StreamRecord], _ secrets: SecretPolicy, names: Bool, direction: (StreamRecord) -> Bool
    ) -> TextTable {
        // Several sessions have several ends.
        let latest = names ? nil : streams.map(\.endTime).max()
        let heading = [
            "", "", label("column.media"), label("column.id"), label("column.count"), label("column.lost"),
            label("column.jitter"), label("column.maxJitter"), label("column.fps"), label("column.kilobits"),
            label("column.keyframes"), "",
        ]
        var table = TextTable(heading, right: [4, 5, 6, 7, 8, 9, 10])
        for stream in streams {
            let figures = stream.details.figures
            func words(_ wording: Wording) -> String { secrets.apply(text: catalogue.line(wording)) }
            var notes = figures.notes.map(words)
            // Streams one after another do not end early.
            if let latest, latest.seconds(since: stream.endTime) > Self.earlyEnd,
                let latest = streams.lazy.filter({ $0.startTime < stream.endTime }).map(\.endTime).max(),
                latest.seconds(since: stream.endTime) > Self.earlyEnd
            {
                notes.append(label("ended", .string(duration(latest.seconds(since: stream.endTime)))))
            }
            if stream.session == nil { notes.insert("\(stream.source) → \(stream.destination)", at: 0) }
            let cells: [String] = [
                names ? stream.session.map(String.init) ?? "–" : "", direction(stream) ? "→" : "←",
                TextTable.cut(words(figures.name), Self.longestName),
                figures.id, TextLayout.grouped(figures.count),
                figures.lostWords ?? "", figures.jitter.map { decimal($0.mean, places: 1) } ?? "",
                figures.jitter.map { decimal($0.maximum, places: 1) } ?? "",
                figures.frameRate.map { decimal($0, places: 1) } ?? "", figures.kilobits.map { grouped($0) } ?? "",
                figures.keyframeInterval.map { "\(decimal($0, places: 1)) s" } ?? "",
                notes.joined(separator: catalogue.comma),
            ]
            for words in cells { table.add(words) }
        }
        return table
    }

    // MARK: - Findings

    /// Prints the findings by rule, worst first; quirks and undecided rules take a line each.
    ///
    /// - Parameter names: Whether each row includes the session of its first finding.
    mutating func findings(_ findings: RuleFindings, named heading: String, names: Bool) {
        let rules = findings.violations
        if names, !rules.isEmpty { line(style(heading, .heading)) }
        for rule in rules.prefix(Self.mostRules) {
            var place: [String] = []
            if let frame = rule.first.frame {
                let last = rule.lastFrame.flatMap { $0 > frame ? "–#\($0)" : nil }
                place.append("#\(frame)" + (last ?? ""))
            }
            if names, let session = rule.first.session { place.append(label("inSession", .integer(session))) }
            let words = place.joined(separator: catalogue.comma)
            finding(rule.first, times: rule.count, place: words.isEmpty ? "" : words + "  ", column: Self.blockColumn)
        }
        if rules.count > Self.mostRules {
            let rest = rules.dropFirst(Self.mostRules).map { ($0.first.rule, $0.count) }
            hanging(
                TextLayout.spaces(Self.blockColumn), label("rules.more", .string(list(rest))), column: Self.blockColumn)
        }
        folded(findings)
    }

    /// Prints quirks and undecided rules, in a line each.
    mutating func folded(_ findings: RuleFindings) {
        folded(findings.habits, "habits", most: page.showsHabits ? .max : Self.mostNamed)
        folded(findings.undecided, "undecided", most: Self.mostNamed)
    }

    /// The maximum number of rules named in such a line.
    private static let mostNamed = 2

    private mutating func folded(_ counts: [(rule: String, count: Int)], _ key: String, most: Int) {
        guard !counts.isEmpty else { return }
        let total = counts.reduce(0) { $0 + $1.count }
        let rest = counts.count > most ? catalogue.comma + "…" : ""
        let names = list(Array(counts.prefix(most))) + rest
        let isAll = most == .max
        let sentence =
            isAll ? names : label(total == 1 ? "\(key).list.one" : "\(key).list", .integer(total), .string(names))
        block(label("\(key).title"), sentence)
    }

    private func list(_ counts: [(rule: String, count: Int)]) -> String {
        counts.map { $0.rule + ($0.count > 1 ? " ×\($0.count)" : "") }.joined(separator: catalogue.comma)
    }
}

private func < <First: Comparable, Second: Comparable>(one: (First?, Second), other: (First?, Second)) -> Bool {
    switch (one.0, other.0) {
    case (let first?, let second?) where first != second: first < second
    case (.some, nil): true
    case (nil, .some): false
    default: one.1 < other.1
    }
}
