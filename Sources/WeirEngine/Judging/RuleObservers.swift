/// The rules that observe each protocol and sort of messages, as positions in a list of rules.
///
/// Linear search is faster than hashing here: there are few protocols, and few combinations of sorts in a usual capture. The
/// most that a capture can contain are some 3,000, of RTMP.
struct RuleObservers {
    /// The positions of the rules that observe a sort of messages. An object, of which a copy counts one reference.
    final class Chosen: Sendable {
        let all: [Int]
        /// Those whose judgement depends only on the content.
        let onContent: [Int]
        /// The others.
        let onStep: [Int]
        /// Whether none needs the event.
        let isBrief: Bool
        /// Those that observe only distinct steps without events, and those that observe all.
        let onDistinct: [Int]
        let onEach: [Int]

        init(_ positions: [Int], _ types: [any Rule.Type]) {
            all = positions
            let isOnContent = positions.map { types[$0].dependsOnlyOnContent && !types[$0].hasState }
            onContent = zip(positions, isOnContent).filter(\.1).map(\.0)
            onStep = zip(positions, isOnContent).filter { !$0.1 }.map(\.0)
            isBrief = positions.allSatisfy { types[$0].briefly != .none }
            onDistinct = positions.filter { types[$0].briefly == .distinct }
            onEach = positions.filter { types[$0].briefly == .all }
        }
    }

    /// The rules that observe one protocol.
    private struct OfProtocol {
        let name: String
        var positions: [Int] = []
        /// The subset for each message sort seen so far.
        var chosen: [(sorts: MessageSorts, positions: Chosen)] = []
    }

    private let types: [any Rule.Type]
    private var protocols: [OfProtocol] = []
    /// The index of the protocol of the latest event, which is mostly that of the next one.
    private var latest = 0

    /// Creates an empty set of observers among rules of these types.
    init(_ types: [any Rule.Type]) {
        self.types = types
    }

    /// Adds the rule at a position to those that observe a protocol.
    mutating func add(_ position: Int, to name: String) {
        let place = place(of: name) ?? protocols.count
        if place == protocols.count { protocols.append(OfProtocol(name: name)) }
        protocols[place].positions.append(position)
    }

    /// Returns the rules that observe the message of an event, or nil if none observes its protocol.
    mutating func rules(for event: Event) -> Chosen? {
        guard let place = place(of: event.message.protocolName) else { return nil }
        return rules(for: event.message.sorts(of: event), at: place)
    }

    /// Returns the rules that observe messages of a protocol with certain sorts, or nil if none observes the protocol.
    mutating func rules(for name: String, _ sorts: MessageSorts) -> Chosen? {
        guard let place = place(of: name) else { return nil }
        return rules(for: sorts, at: place)
    }

    /// Returns the index of a protocol, or nil if no rule observes it.
    private mutating func place(of name: String) -> Int? {
        if !protocols.indices.contains(latest) || protocols[latest].name != name {
            guard let found = protocols.firstIndex(where: { $0.name == name }) else { return nil }
            latest = found
        }
        return latest
    }

    private mutating func rules(for sorts: MessageSorts, at place: Int) -> Chosen {
        if let known = protocols[place].chosen.firstIndex(where: { $0.sorts == sorts }) {
            return protocols[place].chosen[known].positions
        }
        let chosen = Chosen(protocols[place].positions.filter { !types[$0].sorts.isDisjoint(with: sorts) }, types)
        protocols[place].chosen.append((sorts, chosen))
        return chosen
    }
}

extension Rule {
    /// Whether a rule has state between steps.
    static var hasState: Bool { MemoryLayout<Self>.size > 0 }
}
