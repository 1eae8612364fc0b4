import WeirPackets

/// The rules whose answers count for an event or the end of a session, given the selection.
enum RuleShare {
    case all
    case none
    /// Only rules of these plugins, because the event itself belongs to another protocol.
    case of(Set<String>)

    /// Whether the results of all rules count.
    var isAll: Bool { if case .all = self { true } else { false } }

    func counts(_ owner: String) -> Bool {
        switch self {
        case .all: true
        case .none: false
        case .of(let plugins): plugins.contains(owner)
        }
    }
}

extension Selection {
    /// Returns the rules that count for an event.
    func share(of event: Event) -> RuleShare {
        if isAll || includes(event) { return .all }
        return includesPlace(of: event) && includes(session: event.session) ? .of(protocols) : .none
    }

    /// Returns the rules that count for the end of a session or stream, or of flows without a session.
    ///
    /// - Parameters:
    ///   - time: Its first and last packet.
    ///   - start: The time of the first packet of the capture.
    func share(
        of flows: [Int], session: Int?, during time: (start: Timestamp, end: Timestamp)?, since start: Timestamp?
    ) -> RuleShare {
        guard includes(anyOf: flows), includes(session: session), overlaps(time, since: start) else { return .none }
        return protocols.isEmpty ? .all : .of(protocols)
    }

    private func overlaps(_ time: (start: Timestamp, end: Timestamp)?, since start: Timestamp?) -> Bool {
        guard hasTimeRange, let time, let start else { return true }
        return !(from.map { isBefore(time.end, since: start, $0) } ?? false)
            && (to.map { isBefore(time.start, since: start, $0) } ?? true)
    }
}
