import WeirPackets

/// The rules and what they have found: one value, modified in place.
struct RuleJudges {
    private let types: [any Rule.Type]
    /// Rules without state; one instance of each is shared by all sessions.
    private var stateless: [any Rule] = []
    /// The index in `stateless` of each rule, by rule position; -1 for rules with state.
    private var statelessPlaces: [Int] = []
    private var descriptions: RuleDescriptions
    let options: JudgingOptions
    /// The number of sessions with rule instances.
    private var judgedSessions = 0
    /// Rule instances outside sessions, by flow id.
    private var flowInstances: [Int: RuleInstances] = [:]
    var times = FrameTimes()
    var tallies: [RuleTally]
    private(set) var counts = FindingCounts()
    /// The number of distinct steps so far.
    var changes = 0
    /// The number of findings beyond the limit per rule.
    private var unkept = 0
    /// The rules that observe each message.
    var observers: RuleObservers
    private var contents = JudgedContents()
    /// The time of the first packet of the capture, if a part of the time is selected, once there was an event.
    private var start: Timestamp?

    /// Positions of the rules that judge ended streams with details of a type, sessions and flows. Initially all; rules that
    /// ignore them are removed.
    private var streamObservers: [(details: ObjectIdentifier, positions: [Int])] = []
    private var sessionObservers: [Int]
    private var flowObservers: [Int]

    /// The number of sessions and flows with rule instances.
    var openInstances: Int { judgedSessions + flowInstances.count }

    /// The limit that findings reached, if any.
    var limitReached: Text? { unkept > 0 ? Text("limit.findings", .integer(unkept)) : nil }

    /// Creates the state for `rules`; see ``RuleEngine``.
    init(_ rules: [any Rule.Type], of plugins: [any Plugin.Type], _ options: JudgingOptions) {
        types = rules
        observers = RuleObservers(rules)
        sessionObservers = Array(rules.indices)
        flowObservers = sessionObservers
        let infos = rules.map { $0.info }
        stateless.reserveCapacity(rules.count)
        statelessPlaces.reserveCapacity(rules.count)
        for rule in rules {
            statelessPlaces.append(rule.hasState ? -1 : stateless.count)
            if !rule.hasState { stateless.append(rule.init()) }
        }
        let owners = RuleOwners(rules, among: plugins)
        descriptions = RuleDescriptions(infos, infos.indices.map { owners.name(of: $0, infos[$0]) }, options)
        self.options = options
        tallies = infos.map { RuleTally(rule: $0.id) }
        for (index, rule) in rules.enumerated() {
            for name in owners.observed(rule.observes, by: index, infos[index]) { observers.add(index, to: name) }
        }
    }

    /// Resets all state for a new capture.
    mutating func begin() {
        judgedSessions = 0
        flowInstances = [:]
        times = FrameTimes()
        counts = FindingCounts()
        contents = JudgedContents()
        start = nil
        unkept = 0
        tallies = descriptions.infos.map { RuleTally(rule: $0.id) }
    }

    /// Judges an event, and passes it on with its findings. The event is not copied: it has many references.
    @inline(__always)
    mutating func judge(
        _ event: consuming Event, in session: Session?, _ pass: (Event, [Finding]) -> Void
    ) {
        if let session { noteFlow(event.flow, in: session) }
        if options.selection.hasTimeRange, start == nil { start = event.captureStart }
        guard !event.isOneOfMany, !event.message.isRoutine, let watching = observers.rules(for: event) else {
            return pass(event, [])
        }
        let step = Step(event: event, session: session)
        pass(step.event, findings(of: step, watching))
    }

    private mutating func findings(of step: Step, _ watching: RuleObservers.Chosen) -> [Finding] {
        let (session, share) = (step.session, options.selection.share(of: step.event))
        let content = share.isAll && !watching.onContent.isEmpty ? step.event.message.sharedContent : nil
        let known = content.flatMap { contents.counts(of: $0, in: session?.kind) }
        let before = content == nil || known != nil ? [] : watching.onContent.map { tallies[$0] }
        var findings: [Finding] = []
        _ = judge(
            known == nil ? watching.all : watching.onStep, session, flow: step.event.flow,
            origin: FindingOrigin(step.event), counting: share, isDistinct: !watching.onDistinct.isEmpty,
            { $0.observe(step, &$1) }
        ) {
            findings.append($0)
        }
        if let known {
            count(known)
        } else if let content, let counts = counts(of: watching.onContent, since: before) {
            contents.add(content, in: session?.kind, counts)
        }
        return findings
    }

    /// Judges an ended stream.
    mutating func findings(of stream: StreamRecord, in session: Session?) -> [Finding] {
        var findings: [Finding] = []
        let kind = observers(of: stream)
        let indifferent = judge(
            streamObservers[kind].positions, session, flow: stream.flow,
            counting: options.selection.share(
                of: [stream.flow], session: session?.id, during: (stream.startTime, stream.endTime), since: start),
            clockWentBack: stream.clockWentBack, hasDoubtfulTimes: stream.hasDoubtfulTimes,
            {
                $0.observe(stream, session: session, &$1)
                if stream.sawDrops { $1.doubt() }
            }
        ) { finding in
            var finding = finding
            finding.stream = stream.id
            finding.flow = stream.flow
            finding.frame = finding.frame ?? stream.lastFrame
            if finding.frame == stream.lastFrame { finding.time = finding.time ?? stream.endTime }
            findings.append(finding)
        }
        if !indifferent.isEmpty { streamObservers[kind].positions.removeAll { indifferent.contains($0) } }
        return findings
    }

    /// Returns the index of the observers of streams with details of the same type.
    private mutating func observers(of stream: StreamRecord) -> Int {
        let details = ObjectIdentifier(type(of: stream.details))
        if let known = streamObservers.firstIndex(where: { $0.details == details }) { return known }
        streamObservers.append((details, Array(types.indices)))
        return streamObservers.count - 1
    }

    /// Judges an ended session and discards its rule instances.
    mutating func findings(of record: SessionRecord, _ session: Session) -> [Finding] {
        var findings: [Finding] = []
        let indifferent = judge(
            sessionObservers, session, flow: 0,
            counting: options.selection.share(
                of: record.flows, session: record.id,
                during: record.startTime.flatMap { first in record.endTime.map { (first, $0) } }, since: start),
            isLast: true,
            { $0.finish(session, &$1) }
        ) { finding in
            var finding = finding
            finding.flow = record.flows.first
            findings.append(finding)
        }
        if !indifferent.isEmpty { sessionObservers.removeAll { indifferent.contains($0) } }
        if session.ruleInstances != nil { judgedSessions -= 1 }
        session.ruleInstances = nil
        return findings
    }

    /// Whether rules have observed a flow outside sessions.
    func observes(flow: Int) -> Bool { !flowInstances.isEmpty && flowInstances[flow] != nil }

    /// Judges an ended flow outside sessions and discards its rule instances.
    mutating func findings(of flow: FlowRecord) -> [Finding] {
        guard observes(flow: flow.id) else { return [] }
        var findings: [Finding] = []
        let indifferent = judge(
            flowObservers, nil, flow: flow.id,
            counting: options.selection.share(
                of: [flow.id], session: nil, during: (flow.startTime, flow.endTime), since: start),
            isLast: true,
            { $0.finish(flow, &$1) }
        ) { finding in
            var finding = finding
            finding.flow = flow.id
            if finding.frame == nil { finding.time = flow.endTime }
            findings.append(finding)
        }
        if !indifferent.isEmpty { flowObservers.removeAll { indifferent.contains($0) } }
        flowInstances[flow.id] = nil
        return findings
    }

    /// Records that an event of a session is on a flow: rule state that the flow has outside sessions belongs to the
    /// session from now on. If the session already has rule instances, it is discarded without judging its end.
    mutating func noteFlow(_ flow: Int, in session: Session) {
        guard !flowInstances.isEmpty, let outside = flowInstances.removeValue(forKey: flow),
            session.ruleInstances == nil
        else { return }
        add(outside, to: session)
    }

    private mutating func add(_ instances: RuleInstances, to session: Session) {
        session.ruleInstances = instances
        judgedSessions += 1
    }

    /// Adds the results of rules for a content that occurred before.
    private mutating func count(_ counts: JudgedContents.Counts) {
        for (position, passes, unconcerned) in counts {
            tallies[position].pass += passes
            tallies[position].notApplicable += unconcerned
        }
    }

    /// Returns what the rules at `positions` have counted since `before`, or nil if one has another result.
    func counts(of positions: [Int], since before: [RuleTally]) -> JudgedContents.Counts? {
        var counts: JudgedContents.Counts = []
        for (position, old) in zip(positions, before) {
            let new = tallies[position]
            guard new.fail == old.fail, new.inconclusive == old.inconclusive else { return nil }
            counts.append((position, new.pass - old.pass, new.notApplicable - old.notApplicable))
        }
        return counts
    }
}

extension RuleJudges {
    mutating func instances(_ session: Session?, flow: Int) -> RuleInstances {
        guard let session else {
            if let instances = flowInstances[flow] { return instances }
            let instances = RuleInstances(types, capacity: 0)
            flowInstances[flow] = instances
            return instances
        }
        if let known = session.ruleInstances { return known }
        let instances = RuleInstances(types, capacity: RuleInstances.usual)
        add(instances, to: session)
        return instances
    }

    /// Runs the rules at `positions`, counts their answers, and passes findings to `found`.
    ///
    /// - Parameters:
    ///   - isDistinct: Whether rules observe it that observe only distinct steps.
    ///   - isLast: Whether this is the last observation for the session or flow.
    /// - Returns: The positions of the rules that ignore subjects of this kind.
    @inline(__always)
    mutating func judge(
        _ positions: [Int], _ session: Session?, flow: Int, origin: FindingOrigin? = nil, counting share: RuleShare,
        isDistinct: Bool = false, clockWentBack: Bool = false, hasDoubtfulTimes: Bool = false, isLast: Bool = false,
        _ look: (inout any Rule, inout Judgement) -> Void, _ found: (Finding) -> Void
    ) -> [Int] {
        let instances = instances(session, flow: flow)
        if isDistinct { note(distinctStepIn: instances) }
        if let origin { times.note(origin.frame, origin.time) }
        var answers: [(position: Int, answer: Judgement.Answer)] = []
        var state = instances.state.take()
        let indifferent = Self.look(
            positions, types, options.limits, &stateless, statelessPlaces, &state, share, descriptions.owners, &tallies,
            &answers,
            isLast: isLast, look)
        // Later occurrences on events are counted as they come.
        for (position, answer) in origin == nil ? merged(answers) : answers {
            var answer = answer
            if answer.verdict == .fail {
                let wentBack = clockWentBack || session?.completeness.clockWentBack ?? false
                let info = descriptions.infos[position]
                let isDoubtful =
                    info.restsOnTimes && (wentBack || hasDoubtfulTimes)
                    || info.restsOnOrder && (wentBack || session?.beganBehind ?? false)
                if isDoubtful { answer.verdict = .inconclusive }
            }
            let isSelected = share.counts(descriptions.owners[position])
            if let finding = conclude(answer, position, &state, origin, session, isSelected) { found(finding) }
        }
        instances.state.put(consume state)
        return indifferent
    }

    /// Merges answers of a rule that differ only in their place.
    private func merged(
        _ answers: [(position: Int, answer: Judgement.Answer)]
    ) -> [(position: Int, answer: Judgement.Answer)] {
        // A part of the capture shows only the occurrences in it.
        guard answers.count > 1, !options.selection.hasTimeRange else { return answers }
        var merged: [(position: Int, answer: Judgement.Answer)] = []
        for (position, answer) in answers {
            guard let place = merged.firstIndex(where: { $0.position == position && $0.answer.isEqual(answer) }) else {
                merged.append((position, answer))
                continue
            }
            merged[place].answer.count += 1
            merged[place].answer.lastFrame = answer.frame ?? merged[place].answer.lastFrame
        }
        return merged
    }

    /// Runs the rules at `positions`. Optimized for the common cases: not applicable, or pass.
    @inline(__always)
    private static func look(
        _ positions: [Int], _ types: [any Rule.Type], _ limits: [String: Double],
        _ stateless: inout [any Rule], _ statelessPlaces: [Int], _ state: inout RuleInstances.State, _ share: RuleShare,
        _ owners: [String], _ tallies: inout [RuleTally],
        _ answers: inout [(position: Int, answer: Judgement.Answer)], isLast: Bool,
        _ look: (inout any Rule, inout Judgement) -> Void
    ) -> [Int] {
        var indifferent: [Int] = []
        var judgement = Judgement(limits: limits)
        let countsAll = share.isAll
        for position in positions {
            let shared = statelessPlaces[position]
            if shared >= 0 {
                look(&stateless[shared], &judgement)
            } else if state.places[position] >= 0 {
                look(&state.rules[Int(state.places[position])], &judgement)
            } else if isLast {
                var rule = types[position].init()
                look(&rule, &judgement)
            } else {
                let place = state.create(position, types)
                look(&state.rules[place], &judgement)
            }
            guard !judgement.isEmpty else { continue }
            if judgement.isIndifferent { indifferent.append(position) }
            if countsAll || share.counts(owners[position]) {
                tallies[position].pass += judgement.passes
                tallies[position].notApplicable += judgement.unconcerned
            }
            for answer in judgement.answers { answers.append((position, answer)) }
            judgement.clear()
        }
        return indifferent
    }

    /// Counts an answer, and returns its finding.
    private mutating func conclude(
        _ answer: Judgement.Answer, _ position: Int, _ state: inout RuleInstances.State, _ origin: FindingOrigin?,
        _ session: Session?, _ isSelected: Bool
    ) -> Finding? {
        let verdict = descriptions.settle(answer, position, session, origin)
        // An incomplete message is reported once, not again by each rule.
        if origin?.isIncomplete == true, answer.verdict == .fail {
            count(verdict, answer.count, position)
            return nil
        }
        let finding = descriptions.finding(answer, verdict, position, origin, session, at: time(of: answer, origin))
        if let origin, state.repeats.count(finding, from: origin.direction, isSelected: isSelected) {
            // What is not selected is subtracted with its finding, which this is not.
            if isSelected { count(verdict, answer.count, position) }
            return nil
        }
        count(verdict, answer.count, position)
        counts.count(finding)
        guard state.count(position) > options.findingsPerRule else {
            if let origin { state.repeats.add(finding, from: origin.direction, isSelected: isSelected) }
            return finding
        }
        unkept += 1
        return nil
    }

    private mutating func count(_ verdict: Verdict, _ subjects: Int, _ position: Int) {
        if verdict == .fail { tallies[position].fail += subjects } else { tallies[position].inconclusive += subjects }
    }

    /// The findings of events that occurred again in a session that is still open.
    func repeatedFindings(_ session: Session) -> [RepeatedFinding] { session.ruleInstances?.repeats ?? [] }

    /// The findings of events that occurred again in a flow outside sessions that is still open.
    func repeatedFindings(flow: Int) -> [RepeatedFinding] { flowInstances[flow]?.repeats ?? [] }

    /// Returns the capture time of the frame that the answer refers to, or nil if it is no longer stored.
    private func time(of answer: Judgement.Answer, _ origin: FindingOrigin?) -> Timestamp? {
        guard let frame = answer.frame, frame != origin?.frame else { return answer.time ?? origin?.time }
        return answer.time ?? times[frame]
    }
}
