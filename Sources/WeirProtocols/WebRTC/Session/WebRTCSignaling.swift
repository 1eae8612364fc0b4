import WeirEngine
import WeirPackets

// The signaling of a call.

extension WebRTCSession {
    /// Whether an offer is pending.
    var isOpenToAnswer: Bool { awaitsAnswer }
    /// Whether any description was seen.
    var hasDescriptions: Bool { firstOffer != nil || firstAnswer != nil }
    /// Whether an offer and an answer were seen.
    var hasAnswer: Bool { firstOffer != nil && firstAnswer != nil }
    /// Whether an answer was seen without an offer: one of the two descriptions was not captured.
    var lacksOffer: Bool { firstOffer == nil && firstAnswer != nil }
    /// Whether a pair was nominated.
    var hasPair: Bool { pairs.contains { $0.nominated != nil } }

    /// Whether a description updates an earlier one of either agent.
    func knows(_ description: SessionDescription) -> Bool {
        agents.all.contains { $0.goesOn(with: description) }
    }

    func takeSignal(_ message: any WebRTCSignal, _ context: MessageContext, _ outlet: SessionOutlet) {
        let signal = message.signal
        noteOneSided(outlet.isOneSided(context.flow))
        outlet.showConnection(of: context.flow, self)
        var event = outlet.event(message, context)
        let moment = ICEPair.Moment(frame: event.frame, time: event.time, event: event.id)
        if signalingBegan == nil {
            signalingBegan = moment
            lacksOctetsBefore = context.flow.lacksOctets || outlet.mayLackOctets(context.flow, event.direction)
        }
        for name in SessionNames.of(signal, on: context.flow) { lay(name.key, name.text, outlet) }
        if signal.call != nil { authority = authority ?? signal.authority }
        if let refusal = signal.refusal { note(refusal, frame: event.frame) }
        for ufrag in signal.fragments { claimFragment(ufrag, outlet) }
        if let description = signal.description {
            if description.type == .offer {
                offerFrom = signal.from
                latestOffer = (context.flow.id, event.firstFrame ?? event.frame, event.frame)
            }
            let restarted = observe(description, moment, event, outlet)
            if let restarted { event.remarks.append(Remark(restarted, reference: "RFC 8839 §4.4.1.1.1")) }
        }
        for candidate in signal.candidates { observe(candidate, moment, event) }
        claimCandidates(signal.candidates.map(\.content), outlet)
        if let content = signal.description?.content { claimCandidates(content.media.flatMap(\.candidates), outlet) }
        if signal.endsCandidates,
            let author = agents.author(ofCandidate: nil, flow: event.flow, event.direction)
        {
            agents[author].candidatesEnded = agents[author].candidatesEnded ?? event.frame
        }
        if signal.endsCall {
            isClosedByPeer = true
            phase = .close
        }
        event.phase = phase
        outlet.emit(event, self)
        for step in message.steps(of: event.id) {
            var event = outlet.event(step, context)
            event.phase = phase
            outlet.emit(event, self)
        }
        if let description = signal.description {
            if description.isWrapped { emit(description, context, outlet) }
            media.configureStreams(of: self)
        }
    }

    /// Emits an event for a description that its message does not contain octet by octet.
    private func emit(
        _ description: WebRTCSignalContent.Description, _ context: MessageContext, _ outlet: SessionOutlet
    ) {
        var content = description.content
        content.role = description.type == .offer ? .offer : .answer
        var event = outlet.event(content, context)
        event.phase = phase
        event.remarks = []
        // Lines of an embedded description have no byte range in the frame.
        event.byteRange = nil
        outlet.emit(event, self)
    }

    /// Records a description, and emits an ICE restart.
    private func observe(
        _ description: WebRTCSignalContent.Description, _ moment: ICEPair.Moment, _ event: Event,
        _ outlet: SessionOutlet
    ) -> Text? {
        let content = description.content
        let author = agents.author(
            of: description, flow: event.flow, event.direction, offerer: offer?.agent)
        let fragments = content.userFragments
        let restartText = noteRestart(by: author, fragments, description.type, moment)
        for ufrag in fragments {
            agents.add(
                ufrag, content.password(of: ufrag), to: author, event.frame, media: content.media(of: ufrag))
            claimFragment(ufrag, outlet)
        }
        if agents[author].speaksOn.count < 8, !agents[author].speaks(on: event.flow, event.direction) {
            agents[author].speaksOn.append((event.flow, event.direction))
        }
        agents[author].description = content
        agents[author].descriptionFrame = event.frame
        agents[author].isLite = content.isICELite
        agents[author].setup = content.setup ?? content.media.lazy.compactMap(\.setup).first
        let fingerprints = content.allFingerprints
        if !fingerprints.isEmpty { agents[author].fingerprints = Array(fingerprints.prefix(ICEAgent.mostFingerprints)) }
        if content.media.contains(where: \.endOfCandidates) || content.attributes.has("end-of-candidates") {
            agents[author].candidatesEnded = agents[author].candidatesEnded ?? event.frame
        }
        for medium in content.media {
            for candidate in medium.candidates {
                add(candidate, medium.mid, medium.iceUfrag ?? content.iceUfrag, to: author, moment)
            }
        }
        if firstDescription == nil, firstOffer == nil, firstAnswer == nil, connections.isEmpty, mediaStreams.isEmpty {
            firstDescription = (author, description.type == .offer)
        }
        if description.type == .offer {
            if firstOffer == nil {
                firstOffer = moment
                note(author, isOfferer: true)
            }
            offer = (author, content)
            awaitsAnswer = true
        } else {
            firstAnswer = firstAnswer ?? moment
            note(author, isOfferer: false)
            answer = (author, content)
            if description.type == .answer { awaitsAnswer = false }
        }
        return restartText
    }

    /// The first descriptions identify the offerer, unless earlier ones may not have been captured.
    private func note(_ author: Int, isOfferer: Bool) {
        guard agents[author].isOfferer == nil, !completeness.startsLate, !completeness.hasGap else { return }
        agents[author].isOfferer = isOfferer
    }

    /// Records an ICE restart: a description with new fragments of an agent that had others, which the answer must
    /// follow (RFC 8839 §4.4.1.1.1, §4.4.2).
    private func noteRestart(
        by author: Int, _ fragments: [String], _ type: WebRTCSignalContent.DescriptionType, _ moment: ICEPair.Moment
    ) -> Text? {
        guard let first = fragments.first,
            // The fragment of the same media section: without BUNDLE the latest may be that of another one.
            let known = agents[author].credentials.last(where: { $0.media.contains(0) || $0.media.isEmpty })
                ?? agents[author].credentials.last
        else { return nil }
        if !agents[author].has(first), known.password != nil {
            agents[author].restarts += 1
            if type == .offer {
                restart = ICERestart(moment: moment, fragment: first)
            } else {
                restart?.staleAnswer = nil
            }
            return Text("webrtc.remark.restart", .string(known.ufrag), .string(first))
        }
        if type == .answer, let offered = restart, !offered.isAnswered {
            restart?.isAnswered = true
            // Only fragments from before the offer are old ones.
            if known.ufrag == fragments.last, known.frame < offered.moment.frame { restart?.staleAnswer = moment }
        }
        return nil
    }

    private func observe(_ candidate: WebRTCSignalContent.Candidate, _ moment: ICEPair.Moment, _ event: Event) {
        let ufrag = candidate.ufrag ?? candidate.content.ufrag
        // Candidates may arrive before their description: the connection identifies their sender.
        let author = agents.author(ofCandidate: ufrag, flow: event.flow, event.direction)
        guard let author else { return }
        add(candidate.content, candidate.mid, ufrag, to: author, moment)
    }

    /// Whether two media sections have separate transports, by their agent's description.
    private func areApart(_ one: String?, _ other: String?, _ author: Int) -> Bool {
        guard let one, let other, let description = agents[author].description else { return false }
        let fragments = [one, other].map { mid in description.media.first { $0.mid == mid }?.iceUfrag }
        return fragments.allSatisfy { $0 != nil } && fragments[0] != fragments[1]
    }

    private func add(
        _ candidate: ICECandidate, _ mid: String?, _ ufrag: String?, to author: Int, _ moment: ICEPair.Moment
    ) {
        // Without BUNDLE candidates of two media sections may be equal: all active TCP candidates have port 9 (RFC
        // 6544).
        guard
            !agents[author].candidates.contains(where: {
                $0.content == candidate && $0.ufrag == ufrag && ($0.mid == mid || !areApart($0.mid, mid, author))
            })
        else { return }
        guard agents[author].candidates.count < limits.candidates else { return leaveOut() }
        agents[author].candidates.append(
            ICEAgent.Candidate(
                content: candidate, frame: moment.frame, time: moment.time, event: moment.event, mid: mid, ufrag: ufrag)
        )
    }
}
