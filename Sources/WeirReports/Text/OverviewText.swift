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
        let notable = sorted.filter(\.isNotable).prefix(Self.mostSessions)
        let shown =
            isCrowded
            ? Array((notable + sorted.filter { !$0.isNotable }.prefix(Self.mostSessions - notable.count))).sorted {
                ($0.start, $0.id) < ($1.start, $1.id)
            } : sorted
        guard !shown.isEmpty else { return }
        var table = TextTable(right: [0, 1, 5, 6, 7])
        if shown.count > Self.fewRows {
            table.mostLines = shown.map { $0.isNotable ? 2 : 1 }
        }
        table.heading = [
            "#", label("column.start"), "", label("column.ends"), label("column.what"), label("column.long"),
            label("column.err"), label("column.warn"), label("column.outcome"),
        ]
        let longest = shown.count > Self.fewRows ? Self.shortSubject : Self.longestSubject
        table.rows = shown.map { row($0, since: start, longestSubject: longest) }
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

    /// Returns the values that all rows share, which need no column: protocol, endpoints and subject, and removes their
    /// columns.
    private func caption(_ table: inout TextTable) -> String? {
        guard table.rows.count > 1 else { return nil }
        var words: [String] = []
        for column in 2...4 {
            guard let first = table.rows.first?[column], !first.isEmpty, table.rows.allSatisfy({ $0[column] == first })
            else { continue }
            words.append(first)
            for row in table.rows.indices { table.rows[row][column] = "" }
        }
        return words.isEmpty ? nil : label("all", .string(Printable.clean(words.joined(separator: "  "))))
    }

    /// The maximum number of rows for which a row may take any number of lines.
    private static let fewRows = 12

    private func row(
        _ session: Overview.Session, since start: Timestamp?, longestSubject: Int
    ) -> TextTable.Row {
        let offset = start.flatMap { start in session.start.map { $0.seconds(since: start) } }
        let seconds = session.start.flatMap { first in session.end.map { max(0, $0.seconds(since: first)) } }
        var outcome = session.outcome ?? label("open")
        if session.attempts > 1 {
            let head =
                session.isUniform ? catalogue.colon : catalogue.semicolon + label("firstAttempt") + catalogue.colon
            outcome = attempts(session) + head + outcome
        }
        return [
            String(session.id), startWords(session, offset), session.kind.uppercased(),
            "\(session.client.address) → \(session.server)", TextTable.cut(Self.path(session), longestSubject),
            session.attempts > 1 ? "" : seconds.map(duration) ?? "", count(session.counts.errors),
            count(session.counts.warnings), outcome,
        ]
    }

    private func startWords(_ session: Overview.Session, _ offset: Double?) -> String {
        if page.showsTimeOfDay, let start = session.start { return CivilTime(start).precise }
        return offset.map { decimal($0, places: 3) } ?? ""
    }

    private func count(_ number: Int) -> String { number > 0 ? String(number) : "" }

    /// What separates the scheme of a URL from its authority.
    private static let schemeEnd = Array("://".utf8)

    /// Returns the path of what a session is about: the server has its own column.
    private static func path(_ session: Overview.Session) -> String {
        guard let subject = session.subject else { return "" }
        let octets = Array(subject.utf8)
        guard let scheme = ASCII.range(of: schemeEnd, in: octets[...]),
            let slash = octets[scheme.upperBound...].firstIndex(of: ASCII.slash), slash + 1 < octets.count
        else { return subject }
        return String(decoding: octets[slash...], as: UTF8.self)
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
            var table = TextTable(right: Set(content.columns.indices.filter { content.columns[$0].isNumber }))
            table.heading = content.columns.map { words($0.heading) } + [""]
            table.rows = content.rows.prefix(Self.mostParts).map { row in
                row.cells.map(words) + [row.notes.map(words).joined(separator: catalogue.comma)]
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
        var table = TextTable(right: [4, 5, 6, 7, 8, 9, 10])
        table.heading = [
            "", "", label("column.media"), label("column.id"), label("column.count"), label("column.lost"),
            label("column.jitter"), label("column.maxJitter"), label("column.fps"), label("column.kilobits"),
            label("column.keyframes"), "",
        ]
        table.rows = streams.map { stream in
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
            return [
                names ? stream.session.map(String.init) ?? "–" : "", direction(stream) ? "→" : "←",
                TextTable.cut(words(figures.name), Self.longestName),
                figures.id, TextLayout.grouped(figures.count),
                figures.lostWords ?? "", figures.jitter.map { decimal($0.mean, places: 1) } ?? "",
                figures.jitter.map { decimal($0.maximum, places: 1) } ?? "",
                figures.frameRate.map { decimal($0, places: 1) } ?? "", figures.kilobits.map { grouped($0) } ?? "",
                figures.keyframeInterval.map { "\(decimal($0, places: 1)) s" } ?? "",
                notes.joined(separator: catalogue.comma),
            ]
        }
        return table
    }

    // MARK: - Findings

    /// Prints the findings by rule, worst first; quirks and undecided rules take a line each.
    ///
    /// - Parameter names: Whether each row includes the session of its first finding.
    mutating func findings(_ overview: Overview, named heading: String, names: Bool) {
        let rules = overview.findings
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
        folded(overview)
    }

    /// Prints quirks and undecided rules, in a line each.
    mutating func folded(_ overview: Overview) {
        folded(overview.habits, "habits", most: page.showsHabits ? .max : Self.mostNamed)
        folded(overview.undecided, "undecided", most: Self.mostNamed)
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
