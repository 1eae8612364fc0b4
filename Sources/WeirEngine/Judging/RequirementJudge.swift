import WeirPackets

/// Judges the profile's requirements for media and sessions, in the same way as rules judge clauses.
struct RequirementJudge {
    /// The state of one requirement.
    private struct Record {
        var tally: RuleTally
        /// Whether the capture contained a subject of the requirement.
        var isTried = false
    }

    /// An answer that becomes a finding.
    struct Answer {
        var requirement: Requirement
        var verdict: Verdict
        var message: Text
        var actual: Text?
        /// The amount by which the requirement is missed.
        var excess: Double?
        /// The media type or session kind.
        var subject: String
    }

    private let requirements: [Requirement]
    private var records: [Record]
    /// Whether data of the capture is missing, so that absent subjects may have existed.
    private var isPartial = false
    /// The media time spans of open sessions, by session id.
    private var media: [Int: Span] = [:]

    /// The time span and direction of a session's media.
    private struct Span {
        var start: Timestamp
        var end: Timestamp
        var isSent = false
        var firstPicture: Timestamp?
    }

    var all: [Requirement] { requirements }
    var infos: [RuleInfo] { requirements.map(\.info) }
    var tallies: [RuleTally] { records.map(\.tally) }

    init(_ requirements: [Requirement]) {
        self.requirements = requirements
        records = requirements.map { Record(tally: RuleTally(rule: $0.id)) }
    }

    /// Judges an ended stream.
    mutating func judge(_ stream: StreamRecord, _ session: SessionReference?) -> [Answer] {
        var facts = Facts(stream.details.facts)
        facts["encoding"] = stream.encoding.map { .string($0) }
        facts["durationSeconds"] = .double(stream.endTime.seconds(since: stream.startTime))
        note(stream, facts)
        guard facts["isRepair"] != .bool(true) else { return [] }
        let isPartial = stream.sawDrops || session?.completeness.hasGap == true
        let isPaused = session?.phases.contains { $0 == .pause || $0 == .seek } == true
        var answers: [Answer] = []
        for index in requirements.indices where concerns(requirements[index].subject, stream.mediaType) {
            let name = requirements[index].name
            // Missing data in the capture looks like loss or silence.
            let doubts =
                isPartial
                && ["loss", "stall", "frame-rate", "keyframe-interval", "max-keyframe-interval"].contains(name)
                || isPaused && ["stall", "frame-rate", "bit-rate"].contains(name)
            answer(index, facts, doubts: doubts, stream.mediaType ?? "").map { answers.append($0) }
        }
        return answers
    }

    /// Records the time span and direction of a session's media.
    private mutating func note(_ stream: StreamRecord, _ facts: Facts) {
        guard let session = stream.session else { return }
        var span = media[session] ?? Span(start: stream.startTime, end: stream.endTime)
        span.start = min(span.start, stream.startTime)
        span.end = max(span.end, stream.endTime)
        if stream.direction == .clientToServer { span.isSent = true }
        if let seconds = facts.number("firstKeyframeSeconds"), seconds < 1e9 {
            let picture = Timestamp(nanoseconds: stream.startTime.nanoseconds &+ Int64(seconds * 1e9))
            span.firstPicture = span.firstPicture.map { min($0, picture) } ?? picture
        }
        media[session] = span
    }

    private func concerns(_ subject: Requirement.Subject, _ mediaType: String?) -> Bool {
        switch subject {
        case .video, .audio: mediaType == subject.rawValue
        case .media: mediaType == "video" || mediaType == "audio"
        case .session: false
        }
    }

    /// Judges an ended session, after its streams.
    mutating func judge(_ record: SessionRecord) -> [Answer] {
        let completeness = record.reference.completeness
        if !completeness.isComplete { isPartial = true }
        var facts = Facts(record.facts(.masked))
        if let span = media.removeValue(forKey: record.id) {
            facts["mediaSeconds"] = .double(span.end.seconds(since: span.start))
            facts["sendsMedia"] = .bool(span.isSent)
            if let picture = span.firstPicture, let first = facts.number("timeToFirstMediaMs") {
                facts["firstPictureSeconds"] = .double(first / 1_000 + picture.seconds(since: span.start))
            }
        }
        var answers: [Answer] = []
        for index in requirements.indices where requirements[index].subject == .session {
            // A span that is too short may have continued outside the capture.
            let doubts =
                completeness.startsLate || completeness.endsEarly || completeness.hasGap
            answer(index, facts, doubts: doubts, record.kind).map { answers.append($0) }
        }
        return answers
    }

    /// Returns answers for requirements without a subject in the capture.
    mutating func finish() -> [Answer] {
        var answers: [Answer] = []
        for index in requirements.indices where !records[index].isTried {
            let requirement = requirements[index]
            let verdict = isPartial ? Verdict.inconclusive : .fail
            count(index, verdict)
            answers.append(
                Answer(
                    requirement: requirement, verdict: verdict,
                    message: Text(
                        "require.absent", .string(requirement.subject.rawValue), .string(requirement.name)),
                    actual: nil, subject: "absent"))
        }
        return answers
    }

    private mutating func answer(_ index: Int, _ facts: Facts, doubts: Bool, _ subject: String) -> Answer? {
        let requirement = requirements[index]
        let known = Fact.all.first { $0.name == requirement.name && $0.subjects.contains(requirement.subject) }
        let fact = known.map { $0.value(facts) ?? longer(requirement, facts) } ?? facts[requirement.name]
        // A requirement for streams applies to all of them; one for sessions applies only if the session has the fact.
        guard let fact else {
            if requirement.subject == .session { return nil }
            records[index].isTried = true
            count(index, .inconclusive)
            return Answer(
                requirement: requirement, verdict: .inconclusive,
                message: Text("require.unknown", .string(subject), .string(requirement.name)), subject: subject)
        }
        records[index].isTried = true
        guard !requirement.isMatched(by: fact, tolerance: known?.tolerance ?? 0) else {
            count(index, .pass)
            return nil
        }
        let verdict = doubts ? Verdict.inconclusive : .fail
        count(index, verdict)
        return Answer(
            requirement: requirement, verdict: verdict,
            message: Text("require.broken", .string(subject), .string(requirement.name)),
            actual: Text("{0}", .string(known?.shown(fact) ?? fact.text)), excess: requirement.excess(of: fact),
            subject: subject)
    }

    /// Returns the stream duration as a lower bound of the key frame interval if the stream has only one key frame and
    /// lasts longer than the maximum.
    private func longer(_ requirement: Requirement, _ facts: Facts) -> FieldValue? {
        guard requirement.name == "keyframe-interval", case .range(let range) = requirement.condition,
            let most = range.most, let lasted = facts.number("durationSeconds"),
            facts.number("keyframes") == 1, lasted > most
        else { return nil }
        return .double(lasted)
    }

    private mutating func count(_ index: Int, _ verdict: Verdict) {
        switch verdict {
        case .pass: records[index].tally.pass += 1
        case .fail: records[index].tally.fail += 1
        case .inconclusive: records[index].tally.inconclusive += 1
        case .notApplicable: records[index].tally.notApplicable += 1
        }
    }
}

extension Fact {
    /// Returns a value with its unit, for display.
    func shown(_ value: FieldValue) -> String {
        guard let number = value.double else { return value.text }
        return switch unit {
        case .seconds where number < 1: FieldValue.double(number * 1_000).text + " ms"
        case .seconds: value.text + " s"
        case .hertz: FieldValue.double(number / 1_000).text + " kHz"
        case .bitRate where number >= 1_000_000: FieldValue.double(number / 1_000_000).text + " Mbit/s"
        case .bitRate: FieldValue.double(number / 1_000).text + " kbit/s"
        case .percent: value.text + " %"
        case .frameRate: value.text + " fps"
        case .word, .count, .flag: value.text
        }
    }
}
