// The judging of steps without their events.

extension RuleJudges {
    /// Judges a step without its event; returns nil if nothing was done, and the event is needed.
    ///
    /// - Parameter answers: The answers to an equal step, if known; afterwards those to this one, if nothing was found.
    mutating func findings(of step: BriefStep, _ origin: BriefOrigin, _ answers: inout RepeatedAnswers?) -> [Finding]? {
        guard options.selection.isAll, let session = step.session else { return nil }
        if let answers, repeats(step, answers) { return [] }
        let watching = observers.rules(for: step.protocolName, origin.sorts)
        if let watching, !watching.isBrief { return nil }
        noteFlow(step.place.flow, in: session)
        guard let watching else { return [] }
        let before = watching.onDistinct.map { tallies[$0] }
        var findings: [Finding] = []
        _ = judge(
            watching.all, session, flow: step.place.flow, origin: FindingOrigin(step, origin), counting: .all,
            isDistinct: answers == nil, { $0.observe(step, &$1) }
        ) {
            findings.append($0)
        }
        let counts = counts(of: watching.onDistinct, since: before)
        let instances = instances(session, flow: step.place.flow)
        if counts == nil, answers != nil { note(distinctStepIn: instances) }
        answers = counts.map { RepeatedAnswers($0, onEach: watching.onEach, change: instances.change) }
        return findings
    }

    /// Whether rules have observed nothing since that could change their answers to equal steps.
    func areCurrent(_ answers: RepeatedAnswers, in session: Session) -> Bool {
        if let instances = session.ruleInstances { instances.change == answers.change } else { false }
    }

    /// Counts the answers to a step again, if they are current, and lets those rules observe it that observe all steps.
    mutating func repeats(_ step: borrowing BriefStep, _ answers: RepeatedAnswers) -> Bool {
        guard let session = step.session, let instances = session.ruleInstances, instances.change == answers.change
        else {
            return false
        }
        let place = step.place
        noteFlow(place.flow, in: session)
        times.note(place.frame, place.time)
        for (position, passes, unconcerned) in answers.counts {
            tallies[position].pass &+= passes
            tallies[position].notApplicable &+= unconcerned
        }
        guard !answers.onEach.isEmpty else { return true }
        var judgement = Judgement(limits: options.limits)
        var state = instances.state.take()
        for position in answers.onEach where state.places[position] >= 0 {
            state.rules[Int(state.places[position])].observe(step, &judgement)
        }
        instances.state.put(consume state)
        return true
    }

    /// Records that rules observe a step after which the answers to earlier ones may be others.
    mutating func note(distinctStepIn instances: RuleInstances) {
        changes &+= 1
        instances.change = changes
    }
}
