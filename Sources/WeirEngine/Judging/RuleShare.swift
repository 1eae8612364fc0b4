/// Which rules' answers count at a step or an end, where only a part of the capture is asked for.
enum RuleShare {
    case all
    case none
    /// Those of these plugins: the step itself is another one's.
    case of(Set<String>)

    func counts(_ owner: String) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .of(let plugins): plugins.contains(owner)
        }
    }
}

extension Selection {
    /// The rules that count at a step.
    func share(of event: Event) -> RuleShare {
        if isAll || includes(event) { return .all }
        return includesPlace(of: event) && includes(session: event.session) ? .of(protocols) : .none
    }

    /// The rules that count at the end of what travelled on these flows and belongs to the session, or to none.
    func share(of flows: [Int], session: Int?) -> RuleShare {
        guard includes(anyOf: flows), includes(session: session) else { return .none }
        return protocols.isEmpty ? .all : .of(protocols)
    }
}
