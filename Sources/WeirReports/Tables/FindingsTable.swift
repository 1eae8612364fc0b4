import WeirEngine
import WeirPackets

extension Table<Finding> {
    /// One row per finding.
    static var findings: Self {
        Self(
            name: "findings", meaning: "Violated and undecided rules, with their evidence.",
            key: ["capture", "finding"],
            columns: [
                .capture,
                .integer("finding", "The number of the finding in its capture, from 1.", required: true) { $0.number },
                .text("rule", "The rule.", required: true) { $0.record.rule },
                .text("verdict", "fail or inconclusive.", required: true) { $0.record.verdict.rawValue },
                .text("severity", "error, warning or note.", required: true) { $0.record.severity.rawValue },
                .text("protocol", "The protocol.", required: true) { $0.record.protocolName },
                .text("message", "What was found, in words.", required: true) {
                    $0.catalogue.sentence($0.record.message)
                },
                .text("expected", "What the rule expects.") { row in
                    row.record.expected.map { row.catalogue.words($0) }
                },
                .text("actual", "What the capture contains.") { row in
                    row.record.actual.map { row.catalogue.words($0) }
                },
                .text("reference", "The clause.", required: true) { $0.record.reference },
                .text("quirk", "The known habit that excuses it.") { $0.record.quirk },
                .integer("event", "The event.") { $0.record.event },
                .integer("frame", "The frame.") { $0.record.frame },
                .integer("byteOffset", "The offset in that frame.", unit: "bytes") { $0.record.byteRange?.lowerBound },
                .integer("byteLength", "The length in that frame.", unit: "bytes") { $0.record.byteRange?.count },
                .time("time", "The time of the frame.") { $0.record.time },
                .integer("flow", "The flow.") { $0.record.flow },
                .integer("session", "The session.") { $0.record.session },
                .integer("stream", "The media stream.") { $0.record.stream },
                .text(
                    "fingerprint", "The same for the same defect in other captures: no times, frames or random ids.",
                    required: true
                ) { $0.record.fingerprint },
                .text("waivedBy", "The reason of the waiver, or baseline.") { $0.record.waivedBy },
            ])
    }
}

extension Table<RuleTally> {
    /// One row per rule and capture.
    static var rules: Self {
        Self(
            name: "rules", meaning: "How often each rule passed, failed, was undecided or did not apply.",
            key: ["capture", "rule"],
            columns: [
                .capture,
                .text("rule", "The rule.", required: true) { $0.record.rule },
                .integer("pass", "Subjects that pass.", required: true) { $0.record.pass },
                .integer("fail", "Subjects that fail.", required: true) { $0.record.fail },
                .integer("inconclusive", "Subjects that the capture does not allow to decide.", required: true) {
                    $0.record.inconclusive
                },
                .integer("notApplicable", "Subjects that the rule does not apply to.", required: true) {
                    $0.record.notApplicable
                },
            ])
    }
}
