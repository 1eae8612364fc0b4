internal import WeirEngine
internal import WeirPackets

/// The steps of each session of a run.
struct RunSteps {
    /// A session and its steps; without a session, the steps outside of sessions.
    struct Group {
        var record: SessionRecord?
        var steps: [RunStep] = []
        var kind: String { record?.kind ?? "none" }
        var title: String { record.map { $0.reference.title(.masked) } ?? "" }
    }

    private(set) var groups: [Group] = []

    /// Groups the steps of a run by session, in order of the sessions' first events; what is outside comes last.
    init(_ run: RunRecord) {
        var places: [Int: Int] = [:]
        for record in run.sessions.sorted(by: { $0.id < $1.id }) {
            places[record.id] = groups.count
            groups.append(Group(record: record))
        }
        var outside = Group()
        var folded: [String: (group: Int, step: Int)] = [:]
        for event in run.events.sorted(by: {
            ($0.time.nanoseconds, $0.frame, $0.id) < ($1.time.nanoseconds, $1.frame, $1.id)
        })
        where StepFilter.isStep(event) {
            let step = RunStep(event)
            let place = event.session.flatMap { places[$0] }
            if let key = Self.folding(step) {
                let key = "\(place ?? -1) \(key)"
                if let known = folded[key] {
                    if known.group < 0 {
                        outside.steps[known.step].count += 1
                    } else {
                        groups[known.group].steps[known.step].count += 1
                    }
                    continue
                }
                folded[key] = place.map { ($0, groups[$0].steps.count) } ?? (-1, outside.steps.count)
            }
            if let place { groups[place].steps.append(step) } else { outside.steps.append(step) }
        }
        if !outside.steps.isEmpty { groups.append(outside) }
    }

    /// Moves media outside of sessions into a session that has such media in the other run: it is not linked to the
    /// session if the message that announces it differs.
    mutating func adoptMedia(into place: Int, like other: Group) {
        guard let outside = groups.indices.last, groups[outside].record == nil, outside != place else { return }
        for step in other.steps where step.protocolName == "rtp" {
            guard !groups[place].steps.contains(where: { $0.isAlike(step) }),
                let found = groups[outside].steps.firstIndex(where: {
                    $0.protocolName == "rtp" && $0.kind == step.kind && $0.name == step.name
                })
            else { continue }
            var adopted = groups[outside].steps.remove(at: found)
            adopted.direction = step.direction
            let index = groups[place].steps.partitioningIndex { $0.time > adopted.time }
            groups[place].steps.insert(adopted, at: index)
        }
        if groups[outside].steps.isEmpty { groups.remove(at: outside) }
    }

    /// Returns what equal steps have in common whose number depends on timing, or nil for other steps.
    private static func folding(_ step: RunStep) -> String? {
        guard
            ["stun", "rtcp", "icmp"].contains(step.protocolName) || (step.protocolName == "tcp" && step.name == "end")
        else { return nil }
        return
            "\(step.protocolName) \(step.protocolName == "tcp" ? "" : step.kind) \(step.name) \(step.direction.map { "\($0)" } ?? "")"
    }
}
