import WeirEngine

/// The conformance report as GitHub workflow commands, which are shown as annotations.
final class GitHubPage: VerdictPage {
    /// The maximum number of annotations of each kind; GitHub shows ten per step.
    private static let mostAnnotations = 50

    private let words: FindingWords
    private let details: VerdictOptions
    private var lines: [String] = []
    private var written: [Severity: Int] = [:]
    private var unwritten = 0

    init(_ options: ReportOptions, _ details: VerdictOptions) {
        words = FindingWords(options)
        self.details = details
    }

    func take() -> [UInt8] {
        defer { lines = [] }
        return Array(lines.joined().utf8)
    }

    func add(_ capture: CheckedCapture) {
        for advice in capture.verdict.advice {
            annotate(.note, capture, words.label("adviceTitle"), words.catalogue.sentence(advice.text))
        }
        if let damage = capture.summary.damage {
            annotate(.error, capture, words.label("damageTitle"), damage.reason)
        }
        for fold in capture.folds where fold.finding.counts { write(fold, capture) }
    }

    func conclude(_ run: RunVerdict) {
        for (file, reason) in run.unread {
            command(
                "error", [("file", details.paths.relative(file)), ("title", words.label("damageTitle"))],
                words.label("unread", .string(file), .string(reason)))
        }
        for waiver in run.expired {
            command(
                "error", [("title", waiver.place)],
                words.label(
                    "expired", .string(waiver.place), .string(waiver.rule.description), .string(waiver.reason),
                    .string(waiver.expires ?? "")))
        }
        if unwritten > 0 { command("notice", [], words.count("unlisted", unwritten)) }
    }

    private func write(_ fold: CheckedCapture.Fold, _ capture: CheckedCapture) {
        let finding = fold.finding
        var text = words.sentence(finding)
        if let frame = finding.frame { text = words.label("inFrame", .integer(frame), .string(text)) }
        if let step = fold.first.step { text += "\n\(step)" }
        if let mend = words.mend(finding) { text += "\n" + words.label("mend", .string(mend)) }
        if let repeats = words.repeats(fold) { text += "\n" + repeats }
        let title = finding.reference.isEmpty ? finding.rule : "\(finding.rule) (\(finding.reference))"
        annotate(finding.severity, capture, title, text)
    }

    private func annotate(_ severity: Severity, _ capture: CheckedCapture, _ title: String, _ text: String) {
        guard written[severity, default: 0] < Self.mostAnnotations else {
            unwritten += 1
            return
        }
        written[severity, default: 0] += 1
        let name =
            switch severity {
            case .error: "error"
            case .warning: "warning"
            case .note: "notice"
            }
        command(name, [("file", details.paths.relative(capture.record.file)), ("title", title)], text)
    }

    private func command(_ name: String, _ properties: [(String, String)], _ text: String) {
        let list = properties.map { "\($0.0)=\(Self.escaped($0.1, isProperty: true))" }.joined(separator: ",")
        lines.append("::\(name)\(list.isEmpty ? "" : " ")\(list)::\(Self.escaped(text, isProperty: false))\n")
    }

    /// Returns text with the characters that would end the command or a property percent-encoded.
    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in Printable.clean(text, keepingLines: true).unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\n": result += "%0A"
            case "\r": result += "%0D"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
