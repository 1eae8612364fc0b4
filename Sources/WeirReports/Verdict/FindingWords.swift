import WeirEngine

/// Texts about findings, shared by several formats.
struct FindingWords {
    let catalogue: Catalogue

    init(_ options: ReportOptions) {
        catalogue = Catalogue(options.language, options.secrets, options.plugins)
    }

    func label(_ key: String, _ arguments: Text.Argument...) -> String {
        catalogue.sentence(Text("label.\(key)", arguments: arguments))
    }

    /// Returns a count with its label: `label.KEY.one` for one, `label.KEY` for any other number.
    func count(_ key: String, _ number: Int) -> String {
        label(number == 1 ? "\(key).one" : key, .integer(number))
    }

    /// Returns the violation, with the expected and the actual value.
    func sentence(_ finding: Finding) -> String {
        var text = catalogue.sentence(finding.message)
        guard let expected = finding.expected, let actual = finding.actual else { return text }
        if text.last == "." || text.last == "。" { text.removeLast() }
        return text
            + label(
                "expectedActual", .string(catalogue.words(expected)), .string(catalogue.words(actual)))
    }

    /// Returns the severity, or that the finding is undecided.
    func severity(_ finding: Finding) -> String {
        label(finding.verdict == .fail ? finding.severity.rawValue : "inconclusive")
    }

    /// Returns the title of a rule in the language.
    func check(_ rule: RuleInfo) -> String { catalogue.translation("rule.\(rule.id)") ?? rule.check }

    /// Returns why a rule matters, or nil.
    func why(_ rule: String) -> String? { catalogue.translation("why.\(rule)") }

    /// Returns how to fix violations of a rule, or nil.
    func mend(_ rule: String) -> String? { catalogue.translation("mend.\(rule)") }

    /// Returns how to fix a finding: some variants of a violation have a text of their own.
    func mend(_ finding: Finding) -> String? {
        catalogue.translation("remedy.\(finding.message.key)") ?? mend(finding.rule)
    }

    /// Returns further frames of a folded finding: `and 7 more times: #20, #24 …`; nil if there are none.
    func repeats(_ fold: CheckedCapture.Fold) -> String? {
        guard fold.repeats > 0 else { return nil }
        let more = count("moreTimes", fold.repeats)
        let found =
            fold.values.isEmpty
            ? "" : label("alsoFound", .string(fold.values.map { catalogue.words($0) }.joined(separator: " | ")))
        if let last = fold.lastFrame { return more + label("upToFrame", .integer(last)) + found }
        guard !fold.frames.isEmpty else { return more + found }
        let frames = fold.frames.map { "#\($0)" }.joined(separator: catalogue.comma)
        return more + catalogue.colon + frames + (fold.repeats > fold.frames.count ? " …" : "") + found
    }

    /// Returns counts as text: `1 error, 2 warnings`; nil if there are none.
    func tally(_ counts: FindingCounts) -> String? {
        let parts = [
            (counts.errors, "errors"), (counts.warnings, "warnings"), (counts.notes, "notes"),
            (counts.inconclusive, "inconclusives"),
        ].filter { $0.0 > 0 }.map { count($0.1, $0.0) }
        return parts.isEmpty ? nil : parts.joined(separator: catalogue.comma)
    }

    /// Returns remarks about waivers and the baseline, a line each.
    func remarks(_ run: RunVerdict) -> [String] {
        var lines: [String] = []
        if run.profile != "default" { lines.append(label("profile", .string(run.profile))) }
        if run.judged == 0, run.unread.isEmpty { lines.append(label("nothingJudged")) }
        lines += run.unread.map { label("unread", .string($0.file), .string($0.reason)) }
        if run.waived > 0 { lines.append(count("waived", run.waived)) }
        if run.known > 0 { lines.append(count("known", run.known)) }
        if let fresh = run.fresh { lines.append(count("fresh", fresh.count)) }
        for entry in run.gone { lines.append(label("gone", .string(entry.rule), .string(entry.fingerprint))) }
        for waiver in run.expired {
            lines.append(
                label(
                    "expired", .string(waiver.place), .string(waiver.rule.description), .string(waiver.reason),
                    .string(waiver.expires ?? "")))
        }
        for waiver in run.stale {
            lines.append(
                label("stale", .string(waiver.place), .string(waiver.rule.description), .string(waiver.reason)))
        }
        return lines
    }
}
