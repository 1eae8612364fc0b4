import WeirPackets

/// The descriptions of the rules of an analysis, by which their answers become findings.
struct RuleDescriptions {
    /// The descriptions, by rule position.
    let infos: [RuleInfo]
    /// The plugin names of the rules.
    let owners: [String]
    /// The protocol names of the rules, filled on demand.
    private var protocolNames: [String?]
    private let options: JudgingOptions

    init(_ infos: [RuleInfo], _ owners: [String], _ options: JudgingOptions) {
        (self.infos, self.owners, self.options) = (infos, owners, options)
        protocolNames = [String?](repeating: nil, count: infos.count)
    }

    /// Returns the verdict of an answer; missing evidence never results in a failure.
    func settle(
        _ answer: Judgement.Answer, _ position: Int, _ session: Session?, _ origin: FindingOrigin?
    ) -> Verdict {
        if answer.verdict == .fail, origin?.isIncomplete == true { return .inconclusive }
        guard answer.verdict == .fail, infos[position].needsFullCapture, let completeness = session?.completeness else {
            return answer.verdict
        }
        return completeness.isComplete ? .fail : .inconclusive
    }

    /// Returns the finding of an answer, given the time of the frame that it refers to.
    mutating func finding(
        _ answer: Judgement.Answer, _ verdict: Verdict, _ position: Int, _ origin: FindingOrigin?, _ session: Session?,
        at time: Timestamp?
    ) -> Finding {
        // By its members: a copy of a description counts eight references.
        let id = infos[position].id
        let severity = severity(answer, position)
        return Finding(
            rule: id, verdict: verdict, severity: severity, protocolName: protocolName(position),
            plugin: owners[position], message: answer.message, expected: answer.expected, actual: answer.actual,
            reference: answer.reference ?? infos[position].reference, quirk: answer.quirk, event: origin?.event,
            frame: answer.frame ?? origin?.frame, count: answer.count, lastFrame: answer.lastFrame,
            byteRange: answer.frame.map { $0 == origin?.frame } ?? true ? origin?.octets(answer.range) : nil,
            time: time, flow: origin?.flow,
            session: session?.id,
            stream: origin?.stream,
            fingerprint: Fingerprint.make([id, answer.message.key, answer.subject, session?.kind ?? ""]),
            waivedBy: nil)
    }

    /// Returns the severity: the option's, the answer's or the rule's, after adjustments for `strict` and quirks.
    private func severity(_ answer: Judgement.Answer, _ position: Int) -> Severity {
        let chosen = options.severities.isEmpty ? nil : options.severities[infos[position].id]
        var severity = chosen ?? answer.severity ?? infos[position].severity
        if options.strict {
            // Only the rule's own severity is raised, not a lighter severity of the answer.
            if infos[position].basis == .should, chosen == nil, answer.severity == nil {
                severity = max(severity, .warning)
            }
        } else if answer.quirk != nil {
            severity = severity.lowered
        }
        return severity
    }

    private mutating func protocolName(_ position: Int) -> String {
        if let known = protocolNames[position] { return known }
        let name = infos[position].protocolName
        protocolNames[position] = name
        return name
    }
}
