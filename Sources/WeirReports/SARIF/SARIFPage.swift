import WeirEngine

/// The conformance report as SARIF 2.1.0 (OASIS): one run, rules with their clauses, a result for each finding.
final class SARIFPage: VerdictPage {
    /// The maximum number of results; services limit them per run.
    private static let mostResults = 5_000

    private let words: FindingWords
    private let details: VerdictOptions
    private var captures: [CheckedCapture] = []
    private var octets: [UInt8] = []

    init(_ options: ReportOptions, _ details: VerdictOptions) {
        words = FindingWords(options)
        self.details = details
    }

    func add(_ capture: CheckedCapture) { captures.append(capture) }

    func take() -> [UInt8] {
        defer { octets = [] }
        return octets
    }

    func conclude(_ run: RunVerdict) {
        let broken = Set(captures.flatMap { $0.findings.map(\.finding.rule) })
        let rules = (captures.first?.verdict.rules ?? []).filter { broken.contains($0.id) }
        let places = Dictionary(rules.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        var results: [FieldValue] = []
        var all = 0
        for capture in captures {
            let folds = capture.folds
            all += folds.count
            for fold in folds where results.count < Self.mostResults {
                results.append(result(fold, capture, places, run))
            }
        }
        var notes = captures.flatMap(notifications)
        for (file, reason) in run.unread {
            notes.append(note("error", words.label("unread", .string(file), .string(reason))))
        }
        if all > results.count { notes.append(note("note", words.count("unlisted", all - results.count))) }
        var json = JSONWriter()
        json.value(document(rules, results, notes, run), .revealed)
        json.newline()
        octets = json.octets
    }

    private func document(
        _ rules: [RuleInfo], _ results: [FieldValue], _ notes: [FieldValue], _ run: RunVerdict
    ) -> FieldValue {
        let driver: [Field] = [
            Field("name", .string("weir")),
            Field("version", .string(details.version)),
            Field("semanticVersion", .string(details.version)),
            Field("rules", .array(rules.map(descriptor))),
        ]
        var invocation: [Field] = [
            Field("executionSuccessful", .bool(run.isWhole))
        ]
        if !notes.isEmpty { invocation.append(Field("toolExecutionNotifications", .array(notes))) }
        let settings =
            run.expired.map { waiver in
                note(
                    "error",
                    words.label(
                        "expired", .string(waiver.place), .string(waiver.rule.description), .string(waiver.reason),
                        .string(waiver.expires ?? "")))
            }
            + run.stale.map { waiver in
                note(
                    "note",
                    words.label(
                        "stale", .string(waiver.place), .string(waiver.rule.description), .string(waiver.reason)))
            }
        if !settings.isEmpty { invocation.append(Field("toolConfigurationNotifications", .array(settings))) }
        let artifacts = captures.map { capture in
            FieldValue.object([
                Field("location", .object([Field("uri", .string(uri(capture)))])),
                Field("roles", .array([.string("analysisTarget")])),
            ])
        }
        let members: [Field] = [
            Field("tool", .object([Field("driver", .object(driver))])),
            Field("invocations", .array([.object(invocation)])),
            Field("columnKind", .string("unicodeCodePoints")),
            Field("artifacts", .array(artifacts)),
            Field("results", .array(results)),
            Field("properties", .object([Field("profile", .string(run.profile))])),
        ]
        return .object([
            Field("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            Field("version", .string("2.1.0")),
            Field("runs", .array([.object(members)])),
        ])
    }

    private func uri(_ capture: CheckedCapture) -> String {
        CheckoutPaths.uri(details.paths.relative(capture.record.file))
    }
}

extension SARIFPage {
    /// Returns the reporting descriptor of a rule, which services show beside a result.
    private func descriptor(_ rule: RuleInfo) -> FieldValue {
        var help = [words.check(rule), rule.reference]
        if let why = words.why(rule.id) { help.append(why) }
        if let mend = words.mend(rule.id) { help.append(words.label("mend", .string(mend))) }
        let example = rule.example.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
        let text = help.joined(separator: "\n\n")
        return .object([
            Field("id", .string(rule.id)),
            Field("shortDescription", message(words.check(rule))),
            Field("fullDescription", message("\(words.check(rule)) (\(rule.reference))")),
            Field(
                "help",
                .object([
                    Field("text", .string(text)),
                    Field("markdown", .string(text + "\n\n" + example.joined(separator: "\n"))),
                ])),
            Field("defaultConfiguration", .object([Field("level", .string(rule.severity.rawValue))])),
            Field(
                "properties",
                .object([
                    Field("tags", .array([.string(rule.protocolName), .string("conformance")])),
                    Field("reference", .string(rule.reference)),
                    Field("basis", .string(rule.basis.rawValue)),
                    Field(
                        "problem.severity", .string(rule.severity == .note ? "recommendation" : rule.severity.rawValue)),
                ])),
        ])
    }

    private func result(
        _ fold: CheckedCapture.Fold, _ capture: CheckedCapture, _ places: [String: Int], _ run: RunVerdict
    ) -> FieldValue {
        let finding = fold.finding
        var members: [Field] = [Field("ruleId", .string(finding.rule))]
        members.add("ruleIndex", places[finding.rule])
        if finding.verdict == .fail {
            members.add("kind", "fail")
            members.add("level", finding.severity.rawValue)
        } else {
            members.add("kind", "open")
            members.add("level", "none")
        }
        members.append(Field("message", message(sentence(fold))))
        members.append(Field("locations", .array([location(fold, capture)])))
        members.append(
            Field("partialFingerprints", .object([Field("weir/v1", .string(finding.fingerprint))])))
        if fold.repeats > 0 { members.add("occurrenceCount", fold.repeats + 1) }
        if let reason = finding.waivedBy, !finding.isKnown {
            members.append(
                Field(
                    "suppressions",
                    .array([
                        .object([Field("kind", .string("external")), Field("justification", .string(reason))])
                    ])))
        }
        if run.fresh != nil { members.add("baselineState", finding.isKnown ? "unchanged" : "new") }
        members.append(Field("properties", .object(properties(fold))))
        return .object(members)
    }

    private func sentence(_ fold: CheckedCapture.Fold) -> String {
        let finding = fold.finding
        var text = words.sentence(finding)
        if let frame = finding.frame { text = words.label("inFrame", .integer(frame), .string(text)) }
        if !finding.reference.isEmpty { text += " (\(finding.reference))" }
        if let repeats = words.repeats(fold) { text += " " + repeats }
        return text
    }

    /// Returns the location of a finding: the capture file. A frame is not a line, so it is in the message and the
    /// properties.
    private func location(_ fold: CheckedCapture.Fold, _ capture: CheckedCapture) -> FieldValue {
        var members = [
            Field(
                "physicalLocation",
                .object([
                    Field("artifactLocation", .object([Field("uri", .string(uri(capture)))])),
                    Field("region", .object([Field("startLine", .integer(1))])),
                ]))
        ]
        if let session = fold.finding.session, let name = capture.sessions[session] {
            members.append(
                Field(
                    "logicalLocations",
                    .array([
                        .object([
                            Field("name", .string(words.label("session", .integer(session)))),
                            Field("fullyQualifiedName", .string(name)), Field("kind", .string("session")),
                        ])
                    ])))
        }
        return .object(members)
    }

    private func properties(_ fold: CheckedCapture.Fold) -> [Field] {
        let finding = fold.finding
        var fields: [Field] = []
        fields.add("frame", finding.frame)
        if let range = finding.byteRange {
            fields.add("byteOffset", range.lowerBound)
            fields.add("byteLength", range.count)
        }
        fields.add("flow", finding.flow)
        fields.add("session", finding.session)
        fields.add("stream", finding.stream)
        fields.add("reference", finding.reference)
        fields.add("step", fold.first.step)
        fields.add("expected", finding.expected.map { words.catalogue.words($0) })
        fields.add("actual", finding.actual.map { words.catalogue.words($0) })
        fields.add("quirk", finding.quirk)
        return fields
    }

    /// Returns notifications that concern no single rule: damage, and what was not captured.
    private func notifications(_ capture: CheckedCapture) -> [FieldValue] {
        var notes = capture.verdict.advice.map { note("note", words.catalogue.sentence($0.text), capture) }
        if let damage = capture.summary.damage { notes.append(note("error", damage.reason, capture)) }
        if capture.unlisted > 0 { notes.append(note("note", words.count("unlisted", capture.unlisted), capture)) }
        return notes
    }

    private func note(_ level: String, _ text: String, _ capture: CheckedCapture? = nil) -> FieldValue {
        var members = [Field("level", .string(level)), Field("message", message(text))]
        if let capture {
            members.append(
                Field(
                    "locations",
                    .array([
                        .object([
                            Field(
                                "physicalLocation",
                                .object([
                                    Field("artifactLocation", .object([Field("uri", .string(uri(capture)))]))
                                ]))
                        ])
                    ])))
        }
        return .object(members)
    }

    private func message(_ text: String) -> FieldValue { .object([Field("text", .string(text))]) }
}
