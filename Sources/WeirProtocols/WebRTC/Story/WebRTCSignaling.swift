import WeirEngine
import WeirPackets

// What signaling tells a call.

extension WebRTCSession {
    /// Whether the call has no description yet, or waits for an answer.
    var isOpenToAnswer: Bool { awaitsAnswer }
    /// Whether descriptions came already.
    var hasDescriptions: Bool { firstOffer != nil || firstAnswer != nil }
    /// Whether checks found a way already.
    var hasPair: Bool { pairs.contains { $0.nominated != nil } }

    /// Whether one of the agents made descriptions of this origin.
    func knows(_ description: SessionDescription) -> Bool {
        guard let origin = description.origin else { return false }
        return agents.all.contains { $0.origin == "\(origin.username) \(origin.sessionId)" }
    }

    func takeSignal(_ message: any WebRTCSignal, _ context: MessageContext, _ outlet: StoryOutlet) {
        let signal = message.signal
        outlet.showConnection(of: context.flow, self)
        var event = outlet.event(message, context)
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        signalingBegan = signalingBegan ?? moment
        for name in SessionNames.of(signal, on: context.flow) { lay(name.key, name.text, outlet) }
        if let description = signal.description { observe(description, moment, event, outlet) }
        for candidate in signal.candidates { observe(candidate, moment, event) }
        if signal.endsCandidates,
            let author = agents.author(ofCandidate: nil, flow: event.flow, event.direction)
        {
            agents[author].candidatesEnded = agents[author].candidatesEnded ?? event.frame
        }
        if signal.endsCall {
            isHungUp = true
            phase = .close
        }
        event.phase = phase
        outlet.tell(event, self)
        if let description = signal.description {
            if description.isWrapped { tell(description, context, outlet) }
            media.configureStreams(of: self)
        }
    }

    /// Tells a description that the message around it does not hold octet by octet.
    private func tell(
        _ description: WebRTCSignalContent.Description, _ context: MessageContext, _ outlet: StoryOutlet
    ) {
        var content = description.content
        content.role = description.type == .offer ? .offer : .answer
        var event = outlet.event(content, context)
        event.phase = phase
        event.remarks = []
        // Lines of it have no place of their own in the frame.
        event.byteRange = nil
        outlet.tell(event, self)
    }

    private func observe(
        _ description: WebRTCSignalContent.Description, _ moment: ICEPair.Moment, _ event: Event, _ outlet: StoryOutlet
    ) {
        let content = description.content
        let author = agents.author(
            of: description, flow: event.flow, event.direction, offerer: offer?.agent)
        let fragments = content.userFragments
        if let known = agents[author].credentials.last, let first = fragments.first, known.password != nil,
            !agents[author].has(first)
        {
            restarts += 1
        }
        for ufrag in fragments {
            agents.add(ufrag, content.password(of: ufrag), to: author, event.frame)
            layFragment(ufrag, outlet)
        }
        if agents[author].speaksOn.count < 8 { agents[author].speaksOn.append((event.flow, event.direction)) }
        agents[author].description = content
        agents[author].descriptionFrame = event.frame
        agents[author].isLite = content.isICELite
        agents[author].setup = content.setup ?? content.media.lazy.compactMap(\.setup).first
        let fingerprints = content.fingerprints + content.media.flatMap(\.fingerprints)
        if !fingerprints.isEmpty { agents[author].fingerprints = Array(fingerprints.prefix(16)) }
        if content.media.contains(where: \.endOfCandidates) || content.attributes.has("end-of-candidates") {
            agents[author].candidatesEnded = agents[author].candidatesEnded ?? event.frame
        }
        for medium in content.media {
            for candidate in medium.candidates {
                add(candidate, medium.mid, medium.iceUfrag ?? content.iceUfrag, to: author, moment)
            }
        }
        if description.type == .offer {
            if firstOffer == nil {
                firstOffer = moment
                if agents[author].isOfferer == nil { agents[author].isOfferer = true }
            }
            offer = (author, content)
            awaitsAnswer = true
        } else {
            firstAnswer = firstAnswer ?? moment
            if agents[author].isOfferer == nil { agents[author].isOfferer = false }
            answer = (author, content)
            if description.type == .answer { awaitsAnswer = false }
        }
    }

    private func observe(_ candidate: WebRTCSignalContent.Candidate, _ moment: ICEPair.Moment, _ event: Event) {
        let ufrag = candidate.ufrag ?? candidate.content.ufrag
        // Candidates may overtake the description that they belong to: who sends them is known by the connection.
        let author = agents.author(ofCandidate: ufrag, flow: event.flow, event.direction)
        guard let author else { return }
        add(candidate.content, candidate.mid, ufrag, to: author, moment)
    }

    private func add(
        _ candidate: ICECandidate, _ mid: String?, _ ufrag: String?, to author: Int, _ moment: ICEPair.Moment
    ) {
        guard !agents[author].candidates.contains(where: { $0.content == candidate && $0.ufrag == ufrag }) else {
            return
        }
        guard agents[author].candidates.count < limits.candidates else { return leaveOut() }
        agents[author].candidates.append(
            ICEAgent.Candidate(
                content: candidate, frame: moment.frame, time: moment.time, event: moment.event, mid: mid, ufrag: ufrag)
        )
    }
}
