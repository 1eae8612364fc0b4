internal import WeirEngine
internal import WeirPackets

/// Composes the report on two places.
struct PlacesOutline {
    /// Packets listed in text; all are in the JSON report.
    private static let listed = 20

    private let places: PlacesComparison
    private let say: (Text) -> String
    private var outline: ReportOutline

    /// Returns the report.
    static func of(_ places: PlacesComparison, _ say: @escaping (Text) -> String) -> ReportOutline {
        var composer = Self(places, say)
        composer.compose()
        return composer.outline
    }

    private init(_ places: PlacesComparison, _ say: @escaping (Text) -> String) {
        (self.places, self.say) = (places, say)
        outline = ReportOutline(
            title: say(Text("diff.places.title", .string(places.fileA), .string(places.fileB))))
    }

    private func label(_ key: String) -> String { say(Text("diff.\(key)")) }

    private mutating func compose() {
        outline.lines(summary + clock + stamps)
        paths()
        retransmissions()
        delays()
        changes()
        messages()
        unmatched()
        packets()
    }

    // MARK: - Summary

    private var summary: [String] {
        guard !places.flows.isEmpty else { return [label("none")] }
        var lines: [String] = []
        lines.append(
            say(
                Text(
                    "diff.flows", .integer(places.flows.count), .integer(places.onlyA.count),
                    .integer(places.onlyB.count))))
        let total = places.paths.reduce(0) { $0 + $1.comparable }
        let lost = places.count(.between)
        lines.append(
            lost == 0
                ? say(Text("diff.lost.none", .integer(total)))
                : say(
                    Text(
                        "diff.lost", .integer(lost), .integer(total),
                        .decimal(Double(lost) * 100 / Double(max(1, total)), places: 2))))
        for place in [PlacedPacket.Place.before, .behind, .duplicated, .onlyLater, .captureDrop] {
            let count = places.count(place)
            if count > 0 { lines.append(say(Text("diff.\(place.rawValue)", .integer(count)))) }
        }
        let reordered = places.paths.reduce(0) { $0 + $1.reordered }
        if reordered > 0 {
            lines.append(
                say(
                    Text(
                        "diff.reordered", .integer(reordered),
                        .integer(places.paths.map(\.reorderedBy).max() ?? 0))))
        }
        let outside = places.paths.reduce(0) { $0 + $1.outside }
        if outside > 0 { lines.append(say(Text("diff.outside", .integer(outside)))) }
        if places.unstored > 0 { lines.append(say(Text("diff.unstored", .integer(places.unstored)))) }
        if !places.isDifferent { lines.append(label("same")) }
        return lines
    }

    private var clock: [String] {
        let clock = places.clock
        var lines: [String] = []
        switch clock.basis {
        case .none:
            if !places.flows.isEmpty { lines.append(label("clock.none")) }
            return lines
        case .oneDirection: lines.append(say(Text("diff.clock.one", .string(Self.duration(clock.offset)))))
        case .bothDirections:
            lines.append(
                say(
                    Text(
                        "diff.clock.both", .text(Text(clock.offset < 0 ? "diff.behindClock" : "diff.ahead")),
                        .string(Self.duration(Int64(clamping: clock.offset.magnitude))),
                        .string(Self.duration(clock.uncertainty ?? 0)))))
        }
        if let drift = clock.drift {
            let seconds = Text.Argument.decimal(clock.seconds, places: 1)
            lines.append(
                clock.isDriftKnown
                    ? say(
                        Text(
                            "diff.drift", .decimal(drift.value.magnitude, places: 1),
                            .text(Text(drift.value < 0 ? "diff.slow" : "diff.fast")),
                            .decimal(drift.uncertainty, places: 1), seconds))
                    : say(
                        Text(
                            "diff.drift.unknown", .decimal(drift.value.magnitude + drift.uncertainty, places: 1),
                            seconds)))
        }
        return lines
    }

    private var stamps: [String] {
        [("A", places.stampsA), ("B", places.stampsB)].flatMap { name, stamps in
            var lines: [String] = []
            if let flaw = stamps.flaw {
                lines.append(
                    say(
                        Text(
                            "diff.stamps.\(flaw.kind.rawValue)", .string(name),
                            .string(Self.duration(flaw.resolution)))))
            }
            if stamps.stepsBack > 0 {
                lines.append(say(Text("diff.stamps.back", .string(name), .integer(stamps.stepsBack))))
            }
            return lines
        }
    }

    /// Returns nanoseconds with a fitting unit.
    static func duration(_ nanoseconds: Int64) -> String {
        let value = Double(nanoseconds)
        return switch value.magnitude {
        case ..<1_000: "\(nanoseconds) ns"
        case ..<1_000_000: "\(rounded(value / 1e3, places: 1)) µs"
        case ..<1_000_000_000: "\(rounded(value / 1e6, places: 3)) ms"
        default: "\(rounded(value / 1e9, places: 6)) s"
        }
    }

    // MARK: - Tables

    private static func arrow(_ path: UniflowPath) -> String { path.direction == .aToB ? "A → B" : "B → A" }

    private mutating func paths() {
        guard !places.flows.isEmpty else { return }
        outline.heading(label("heading.paths"))
        var rows: [[String]] = []
        for (number, flow) in places.flows.enumerated() {
            for path in flow.paths {
                let delay = path.delay
                rows.append([
                    "\(number + 1)", Self.arrow(path), path.a.source.description,
                    (flow.protocols.last ?? (path.a.transport == .tcp ? "tcp" : "udp")),
                    grouped(path.packetsA), grouped(path.packetsB), Self.number(path.count(.before)),
                    Self.number(path.count(.between)), Self.number(path.count(.behind)),
                    Self.number(path.count(.duplicated)), Self.number(path.reordered),
                    delay?.least.map { "\(rounded($0.value, places: 3)) ± \(rounded($0.uncertainty, places: 3))" }
                        ?? "",
                    delay.map { rounded($0.mean, places: 3) } ?? "",
                    delay.map { rounded($0.percentile95, places: 3) } ?? "",
                    delay.map { rounded($0.max, places: 3) } ?? "",
                ])
            }
        }
        outline.table(
            [
                (label("column.flow"), true), (label("column.path"), false), (label("column.sender"), false),
                (label("column.protocols"), false), (label("column.a"), true), (label("column.b"), true),
                (label("column.before"), true), (label("column.between"), true), (label("column.behind"), true),
                (label("column.duplicated"), true), (label("column.reordered"), true), (label("column.delay"), true),
                (label("column.mean"), true), (label("column.p95"), true), (label("column.max"), true),
            ], rows)
        let evidence = places.flows.enumerated().flatMap { number, flow in
            flow.paths.filter { $0.evidence == .assumed || $0.evidence == .loss }.map { path in
                "\(number + 1) \(Self.arrow(path)): " + say(Text("diff.evidence.\(path.evidence.rawValue)"))
            }
        }
        outline.lines(evidence)
    }

    private static func number(_ count: Int) -> String { count == 0 ? "-" : grouped(count) }

    private mutating func retransmissions() {
        let rows = places.flows.enumerated().flatMap { number, flow in
            flow.paths.compactMap { path -> [String]? in
                guard let found = path.retransmissions, found.total > 0 else { return nil }
                return [
                    "\(number + 1)", Self.arrow(path), Self.number(found.before), Self.number(found.between),
                    Self.number(found.passed), Self.number(found.unknown),
                ]
            }
        }
        guard !rows.isEmpty else { return }
        outline.heading(label("heading.retransmissions"))
        outline.table(
            [
                (label("column.flow"), true), (label("column.path"), false), (label("column.before"), true),
                (label("column.between"), true), (label("column.passed"), true), (label("column.unknown"), true),
            ], rows)
    }

    /// The least packets of a direction whose delay is shown over time, and the intervals shown.
    private static let leastPackets = 50
    private static let mostIntervals = 12

    private mutating func delays() {
        let rows = places.flows.enumerated().flatMap { number, flow in
            flow.paths.compactMap { path -> [String]? in
                guard let delay = path.delay, path.matched >= Self.leastPackets, delay.intervals.count > 1 else {
                    return nil
                }
                let step = max(1, (delay.intervals.count + Self.mostIntervals - 1) / Self.mostIntervals)
                let values = stride(from: 0, to: delay.intervals.count, by: step).map { start in
                    let part = delay.intervals[start..<min(delay.intervals.count, start + step)]
                    return rounded(part.map(\.max).max() ?? 0, places: 1)
                }
                return ["\(number + 1)", Self.arrow(path), values.joined(separator: " ")]
            }
        }
        guard !rows.isEmpty else { return }
        outline.heading(label("heading.delay"))
        outline.table(
            [(label("column.flow"), true), (label("column.path"), false), (label("column.max"), false)], rows)
    }

    private mutating func changes() {
        let rows = places.flows.enumerated().flatMap { number, flow in
            zip(flow.paths, flow.changes).flatMap { path, changes in
                changes.map { change in
                    [
                        "\(number + 1)", Self.arrow(path),
                        say(
                            Text(
                                "diff.change.\(change.kind.rawValue)", .string(change.a), .string(change.b),
                                .integer(change.packets ?? 0))),
                    ]
                }
            }
        }
        guard !rows.isEmpty else { return }
        outline.heading(label("heading.changes"))
        outline.table(
            [(label("column.flow"), true), (label("column.path"), false), (label("column.kind"), false)], rows)
    }

    private mutating func messages() {
        let lines = places.flows.flatMap { flow in
            flow.messages.changed.map { change in
                say(
                    Text(
                        "diff.message.changed", .string(change.protocolName), .string(change.summary),
                        .string("#\(change.frameA)"), .string("#\(change.frameB)"),
                        .string(FieldWords.list(change.changes, say))))
            }
                + flow.messages.lone.map { lone in
                    say(
                        Text(
                            "diff.message.lone", .string(lone.isInA ? "A" : "B"),
                            .string("\(lone.protocolName) #\(lone.frame)"), .string(lone.summary)))
                }
        }
        guard !lines.isEmpty else { return }
        outline.heading(label("heading.messages"))
        outline.lines(Array(lines.prefix(Self.listed)))
        more(lines.count)
    }

    private mutating func more(_ count: Int) {
        if count > Self.listed { outline.lines([say(Text("diff.more", .integer(count - Self.listed)))]) }
    }

    private mutating func unmatched() {
        let rows = [("A", places.onlyA), ("B", places.onlyB)].flatMap { name, flows in
            flows.map { flow in
                [
                    name, "\(flow.uniflow.transport == .tcp ? "tcp" : "udp")",
                    "\(flow.uniflow.source) → \(flow.uniflow.destination)", grouped(flow.packets),
                ]
            }
        }
        guard !rows.isEmpty else { return }
        outline.heading(label("heading.unmatched"))
        outline.table(
            [
                (label("column.capture"), false), (label("column.protocols"), false), (label("column.flow"), false),
                (label("column.packets"), true),
            ], Array(rows.prefix(Self.listed)))
        more(rows.count)
    }

    private mutating func packets() {
        let start = places.clock.reference
        let all = places.flows.enumerated().flatMap { number, flow in
            flow.paths.flatMap { path in path.placed.map { (number: number + 1, path: path, packet: $0) } }
        }
        guard !all.isEmpty else { return }
        outline.heading(label("heading.packets"))
        let rows = all.prefix(Self.listed).map { entry in
            [
                "\(entry.number)", Self.arrow(entry.path),
                entry.packet.time.map { rounded(Double($0 &- start) / 1e9, places: 6) } ?? "",
                say(Text("diff.place.\(entry.packet.place.rawValue)")),
                entry.packet.frameA.map { "#\($0)" } ?? "", entry.packet.frameB.map { "#\($0)" } ?? "",
                [
                    entry.packet.source.map { "SSRC \(hexadecimal($0))" }, entry.packet.sequence.map { "seq \($0)" },
                    entry.packet.length.map { "\($0)" },
                ].compactMap { $0 }.joined(separator: " "),
            ]
        }
        outline.table(
            [
                (label("column.flow"), true), (label("column.path"), false), (label("column.offset"), true),
                (label("column.place"), false), (label("column.a"), true), (label("column.b"), true),
                (label("column.packet"), false),
            ], Array(rows))
        more(all.count)
    }
}

/// Differing members as words.
enum FieldWords {
    private static let most = 6
    private static let longest = 160

    /// Returns the members that differ, in one line.
    static func list(_ changes: [FieldChange], _ say: (Text) -> String) -> String {
        let listed = changes.prefix(most).map { change in
            say(Text("diff.field", .string(change.path), value(change.a, say), value(change.b, say)))
        }
        let rest = changes.count > most ? ["… +\(changes.count - most)"] : []
        return (listed + rest).joined(separator: "; ")
    }

    private static func value(_ text: String?, _ say: (Text) -> String) -> Text.Argument {
        guard let text else { return .text(Text("diff.absent")) }
        return .string(text.count > longest ? text.prefix(longest) + "…" : text)
    }
}
