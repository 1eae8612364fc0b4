import WeirEngine

/// Parses the `require` section of a profile.
struct RequirementReader {
    let source: YAMLSource

    mutating func read(_ node: YAMLNode) throws(ProfileError) -> [Requirement] {
        var requirements: [Requirement] = []
        let subjects = Requirement.Subject.allCases
        for member in try source.members(node, "require", known: subjects.map(\.rawValue)) {
            guard let subject = Requirement.Subject(rawValue: member.key) else { continue }
            let facts = Fact.all.filter { $0.subjects.contains(subject) }
            let names = facts.map(\.name) + (subject == .session ? ["facts"] : [])
            for measure in try source.members(member.value, member.key, known: names) {
                if let fact = facts.first(where: { $0.name == measure.key }) {
                    requirements.append(try requirement(subject, fact, measure.value))
                } else {
                    requirements += try free(subject, measure.value)
                }
            }
        }
        return requirements
    }

    private func requirement(
        _ subject: Requirement.Subject, _ fact: Fact, _ node: YAMLNode
    ) throws(ProfileError) -> Requirement {
        var words: [String] = []
        for item in source.list(node) { words.append(try source.word(item, fact.name)) }
        let text = words.joined(separator: ", ")
        if fact.unit == .word {
            return Requirement(subject, fact.name, .words(words), words: text, place: source.place(node))
        }
        guard words.count == 1, let range = Quantity.range(text, fact.unit) else {
            throw source.error(
                node, "\(fact.name) takes \(Quantity.example(fact.unit)), not '\(text)'")
        }
        if let reason = Quantity.impossible(range, fact.unit) {
            throw source.error(node, "\(fact.name) can never be '\(text)': \(reason)")
        }
        return Requirement(subject, fact.name, .range(range), words: text, place: source.place(node))
    }

    /// Parses requirements for any field of a session record by name, such as `server.peerBandwidthAnswered: true`.
    private func free(_ subject: Requirement.Subject, _ node: YAMLNode) throws(ProfileError) -> [Requirement] {
        var requirements: [Requirement] = []
        for member in try source.members(node, "facts") {
            let text = try source.word(member.value, member.key)
            let condition: Requirement.Condition =
                if text == "true" || text == "false" {
                    .flag(text == "true")
                } else if let range = Quantity.range(text, .count) {
                    .range(range)
                } else {
                    .words([text])
                }
            requirements.append(
                Requirement(subject, member.key, condition, words: text, place: source.place(member.value)))
        }
        return requirements
    }
}
