/// The clauses of a specification that a capture exercised, limited to clauses that rules cover.
package struct ClauseCoverage: Sendable, Hashable {
    /// The result for a clause.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// All subjects conform.
        case kept
        /// At least one subject violates it.
        case broken
        /// No subject violates it, and at least one was inconclusive.
        case undecided
        /// The capture contains nothing to judge.
        case untried
    }

    /// One clause.
    package struct Clause: Sendable, Hashable {
        /// The clause number, such as `§12.17`.
        package var name: String
        /// The rules that check the clause.
        package var rules: [String]
        /// The result.
        package var state: State
    }

    /// The specification, such as `RFC 2326`.
    package var specification: String
    /// The clauses that rules cover, in rule order.
    package var clauses: [Clause]

    /// Returns the number of clauses with the given state.
    package func count(_ state: State) -> Int { clauses.count { $0.state == state } }
    /// The number of clauses judged, conclusively or not.
    package var exercised: Int { clauses.count - count(.untried) }

    /// Returns the coverage of the clauses that the rules reference.
    ///
    /// A rule without a clause, such as one based on practice, exercises none.
    package static func of(_ rules: [RuleInfo], _ tallies: [RuleTally]) -> [Self] {
        var result: [Self] = []
        let counted = Dictionary(tallies.map { ($0.rule, $0) }) { first, _ in first }
        for rule in rules {
            guard let tally = counted[rule.id] else { continue }
            for (specification, clause) in clauses(rule.reference) {
                let place = result.firstIndex { $0.specification == specification } ?? result.count
                if place == result.count { result.append(Self(specification: specification, clauses: [])) }
                result[place].add(clause, rule.id, state(tally))
            }
        }
        return result
    }

    private mutating func add(_ name: String, _ rule: String, _ state: State) {
        guard let place = clauses.firstIndex(where: { $0.name == name }) else {
            clauses.append(Clause(name: name, rules: [rule], state: state))
            return
        }
        clauses[place].rules.append(rule)
        // The worst result determines the state of the clause.
        let order: [State] = [.untried, .kept, .undecided, .broken]
        let rank = { (state: State) in order.firstIndex(of: state) ?? 0 }
        if rank(state) > rank(clauses[place].state) { clauses[place].state = state }
    }

    private static func state(_ tally: RuleTally) -> State {
        if tally.fail > 0 { return .broken }
        if tally.inconclusive > 0 { return .undecided }
        return tally.pass > 0 ? .kept : .untried
    }

    /// Returns the specification and clauses of a reference such as `RTMP §7.1.1, §7.1.2`, or `E-RTMP v2 "Multitrack"`
    /// where the specification has no section numbers.
    static func clauses(_ reference: String) -> [(specification: String, clause: String)] {
        if let quote = reference.firstIndex(of: "\"") {
            return [(trimmed(reference[..<quote]), trimmed(reference[quote...]))]
        }
        var specification = ""
        var result: [(String, String)] = []
        for part in reference.split(separator: ",") {
            let words = part.split(separator: "§", maxSplits: 1, omittingEmptySubsequences: false)
            let name = trimmed(words.first ?? "")
            if !name.isEmpty { specification = name }
            guard words.count == 2, !specification.isEmpty else { continue }
            result.append((specification, "§" + trimmed(words[1])))
        }
        return result
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.split(separator: " ").joined(separator: " ")
    }
}
