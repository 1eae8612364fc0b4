import WeirEngine
import WeirPackets

// The groups of the text report: the steps of a session, or of a flow without one, under a heading.

extension TextReport {
    /// The group of a session, created if there is none.
    func group(_ session: Int) -> TimelineGroup {
        if let known = known(session) { return known }
        let group = TimelineGroup()
        var taken = groups.take()
        taken.insert(group, at: session)
        groups.put(consume taken)
        return group
    }

    /// The group of a session, if there is one.
    func known(_ session: Int) -> TimelineGroup? { groups.current[session] }

    /// Removes and returns the group of a session.
    @discardableResult
    func removeGroup(_ session: Int) -> TimelineGroup? {
        var taken = groups.take()
        let group = taken.remove(session)
        groups.put(consume taken)
        return group
    }

    /// Returns the group of a session that has steps or findings, and is open.
    func opened(_ session: SessionReference) -> TimelineGroup {
        let group = group(session.id)
        if group.digest == nil {
            sessionsSeen += 1
            group.open(session)
        }
        return group
    }

    /// Starts or resumes the group of a session, or of a flow without one.
    func enter(_ session: SessionReference?, flow event: Event?) -> Int {
        guard let session else {
            if let event, current?.group != Self.loose || current?.flow != event.flow { headFlow(event) }
            return Self.loose
        }
        let group = group(session.id)
        let isNew = group.digest?.isHeaded != true
        group.digest?.reference = session
        // What a session is about is known from its first steps on.
        if group.subject == nil, let subject = session.subject(options.secrets) {
            group.subject = Printable.clean(options.secrets.apply(text: subject))
        }
        if isLive, current?.group != session.id {
            leave()
            current = (session.id, 0)
            group.phase = nil
            group.digest?.isHeaded = true
            writer.text.line()
            writer.text.line(name(session) + (isNew ? "" : "  " + writer.text.label("continued")))
        }
        return session.id
    }

    private func headFlow(_ event: Event) {
        leave()
        if !isLive, let group = known(Self.loose) { writer.close(group) }
        current = (Self.loose, event.flow)
        known(Self.loose)?.phase = nil
        let isForward = event.direction == .clientToServer
        let (source, destination) = event.flowEnds
        let ends = isForward ? (source, destination) : (destination, source)
        let text = writer.text
        writer.text.line()
        writer.text.line(text.style(text.label("flow", .integer(event.flow)), .heading) + "  \(ends.0) → \(ends.1)")
    }

    /// Prints the pending lines of the current group, before those of another.
    func leave() {
        guard isLive, let current, let group = known(current.group) else { return }
        writer.close(group)
    }

    /// Returns the heading of a session: number, kind, endpoints and subject.
    func name(_ session: SessionReference) -> String {
        let number = writer.text.style(writer.text.label("session", .integer(session.id)), .heading)
        let title = options.secrets.apply(text: session.title(options.secrets))
        return "\(number)  \(session.kind.uppercased())  \(Printable.clean(title))"
    }

    /// Counts findings.
    func count(_ found: [Finding], in group: TimelineGroup?) {
        var taken = findings.take()
        taken.add(found)
        findings.put(consume taken)
        group?.digest?.add(found)
    }
}
