internal import WeirEngine
internal import WeirPackets

/// Composes the report on two runs.
struct RunsOutline {
    private let runs: RunsComparison
    private let say: (Text) -> String
    private var outline: ReportOutline
    private var number = 0

    /// Returns the report.
    static func of(_ runs: RunsComparison, _ say: @escaping (Text) -> String) -> ReportOutline {
        var composer = Self(runs, say)
        composer.compose()
        return composer.outline
    }

    private init(_ runs: RunsComparison, _ say: @escaping (Text) -> String) {
        (self.runs, self.say) = (runs, say)
        outline = ReportOutline(title: say(Text("diff.runs.title", .string(runs.fileA), .string(runs.fileB))))
    }

    private mutating func compose() {
        guard let first = runs.decisive else {
            outline.lines([say(Text("diff.same"))])
            return
        }
        var lines = [
            say(Text("diff.count", .integer(runs.differences.count), .integer(runs.sessions.count))),
            say(Text("diff.first", .string(sentence(runs.sessions[first.session].differences[first.difference])))),
        ]
        if runs.unstored > 0 { lines.append(say(Text("diff.unstored", .integer(runs.unstored)))) }
        outline.lines(lines)
        for session in runs.sessions where !session.differences.isEmpty { add(session) }
    }

    private mutating func add(_ session: SessionComparison) {
        let title =
            session.kind == "none"
            ? say(Text("diff.outsideSessions"))
            : say(
                Text(
                    "diff.session", .string(session.idA.map { "\($0)" } ?? "-"),
                    .string(session.idB.map { "\($0)" } ?? "-"), .string(session.kind),
                    .string(session.titleA.isEmpty ? session.titleB : session.titleA)))
        outline.heading(title)
        let start = number
        outline.lines(
            session.differences.enumerated().map { index, difference in
                "\(start + index + 1). \(place(difference))\(sentence(difference))"
            })
        number += session.differences.count
        if !session.consequences.isEmpty {
            outline.lines(session.consequences.map { say(Text("diff.consequences")) + ": " + words($0) })
        }
        guard !session.rows.isEmpty else { return }
        outline.blocks.append(
            .ladder(
                ReportOutline.Ladder(
                    a: "A", b: "B", ends: (say(Text("diff.client")), say(Text("diff.server"))),
                    rows: session.rows.map { row in
                        (Self.step(row.a), Self.step(row.b), row.difference.map { start + $0 + 1 })
                    })))
    }

    private static func step(_ step: RunStep?) -> ReportOutline.Ladder.Step? {
        step.map {
            ReportOutline.Ladder.Step(
                frame: "#\($0.frame)", offset: rounded(Double($0.offset) / 1e9, places: 3),
                isToRight: $0.direction.map { $0 == .clientToServer }, protocolName: $0.protocolName,
                words: $0.summary)
        }
    }

    private func place(_ difference: RunDifference) -> String {
        let frames = [difference.stepA, difference.stepB].map { $0.map { "#\($0.frame)" } ?? "-" }
        return difference.stepA == nil && difference.stepB == nil ? "" : frames.joined(separator: " / ") + "  "
    }

    private static func name(_ step: RunStep?) -> String {
        guard let step else { return "" }
        let arrow = step.direction.map { $0 == .clientToServer ? "→ " : "← " } ?? ""
        return "\(arrow)\(step.protocolName.uppercased()) \(step.summary)"
    }

    /// Returns a difference as a sentence.
    private func sentence(_ difference: RunDifference) -> String {
        let step = difference.stepA ?? difference.stepB
        let key = "diff.run.\(difference.kind.rawValue)"
        switch difference.kind {
        case .changed:
            return say(
                Text(key, .string(Self.name(difference.stepA)), .string(FieldWords.list(difference.changes, say))))
        case .replaced:
            return say(Text(key, .string(Self.name(difference.stepA)), .string(Self.name(difference.stepB))))
        case .missing, .added:
            return say(
                Text(
                    difference.steps > 1 ? key + ".many" : key, .string(Self.name(step)), .integer(difference.steps)))
        case .endsEarly, .continues:
            return say(Text(key, .string(Self.name(step)), .integer(difference.steps)))
        case .timing:
            let times = difference.milliseconds ?? (0, 0)
            return say(
                Text(
                    key, .string(Self.name(step)), .duration(times.a / 1_000), .duration(times.b / 1_000)))
        case .stream:
            return say(
                Text(
                    key, .string(difference.subject ?? ""),
                    .string(difference.facts.map(words).joined(separator: "; "))))
        case .outcome: return say(Text(key, .string(difference.facts.map(words).joined(separator: "; "))))
        case .sessionMissing, .sessionAdded: return say(Text(key, .string(difference.subject ?? "")))
        }
    }

    private func words(_ fact: RunConsequence) -> String {
        func value(_ text: String?, _ texts: [Text]) -> Text.Argument {
            if !texts.isEmpty { return .string(texts.map(say).joined(separator: "; ")) }
            return text.map { .string($0) } ?? .text(Text("diff.absent"))
        }
        let name = [fact.name, fact.subject].compactMap { $0 }.joined(separator: " ")
        return say(
            Text("diff.field", .string(name), value(fact.a, fact.textsA), value(fact.b, fact.textsB)))
    }
}
