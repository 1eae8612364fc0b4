import WeirEngine
import WeirPackets

/// Finds sessions of RIST, by its RTCP packets or by a retransmission that a NACK requested.
final class RISTRecognition {
    /// Whether there was a session of RIST.
    private var isInUse = false

    /// Returns the session of an RTCP datagram: a new one if it contains a message of RIST.
    func session(of compound: RTCPCompound, _ packets: MediaFlow) -> RISTSession? {
        guard isFree(packets) else { return nil }
        let isRIST = compound.elements.contains { element in
            if case .application(let packet) = element.packet { packet.rist != nil } else { false }
        }
        guard isRIST || isInUse else { return nil }
        let sources = isRIST ? compound.elements.compactMap(\.packet.ssrc) : []
        return open(packets, sources: sources, isRIST: isRIST)
    }

    /// Assigns a stream whose requested packets are retransmitted as in RIST to a session.
    func join(_ original: MediaEntry, _ repair: MediaEntry, _ media: MediaStreams) {
        guard media.streams[original.stream].reports.requestedAgain > 0 else { return }
        for case let packets? in [original.packets, repair.packets] where isFree(packets) {
            open(packets, sources: [original.ssrc], isRIST: true)?.note(sender: original.source)
        }
    }

    /// Returns whether the flow may belong to a session of RIST, and has none.
    private func isFree(_ packets: MediaFlow) -> Bool {
        packets.flow.transport == .udp && !packets.isRelayed && packets.flow.latestSession == nil
            && !packets.flow.isClaimed
    }

    /// Adds a flow to the session of its ports or sources, or else to a new one if it is known to be RIST.
    private func open(_ packets: MediaFlow, sources: [UInt32], isRIST: Bool) -> RISTSession? {
        let outlet = packets.media.outlet
        if let known = known(packets.flow, sources, outlet) {
            guard hasRoom(known, outlet) else { return nil }
            outlet.attach(packets.flow, to: known)
            include(packets, sources, in: known)
            return known
        }
        guard isRIST, let session = outlet.open(RISTSession.self, for: packets.flow) as? RISTSession else { return nil }
        isInUse = true
        include(packets, sources, in: session)
        return session
    }

    /// Returns whether a session may have a further flow.
    private func hasRoom(_ session: RISTSession, _ outlet: SessionOutlet) -> Bool {
        if session.flowCount < outlet.limits[RTPLimits.self].ristFlows { return true }
        outlet.reach("limit.ristFlows")
        return false
    }

    /// Returns the session of the ports beside those of a flow, or of one of its sources.
    private func known(_ flow: FlowState, _ sources: [UInt32], _ outlet: SessionOutlet) -> RISTSession? {
        for end in [flow.client, flow.server] {
            let beside = outlet.lastClaimant(of: MediaFlow.reported(isTCP: false, end)) { session in
                (session as? RISTSession)?.signals(flow.client, flow.server) == true
            }
            if let beside { return beside as? RISTSession }
        }
        for source in sources {
            let alike = outlet.lastClaimant(of: Self.source(source)) { session in
                (session as? RISTSession)?.mayInclude(flow.client, flow.server) == true
            }
            if let alike { return alike as? RISTSession }
        }
        return nil
    }

    /// Adds a flow, and the media that is already there on the ports beside those of the session.
    private func include(_ packets: MediaFlow, _ sources: [UInt32], in session: RISTSession) {
        add(packets, sources, to: session)
        let media = packets.media
        while let (entry, packets) = beside(session, media), hasRoom(session, media.outlet) {
            media.outlet.attach(packets.flow, to: session)
            add(packets, [entry.ssrc], to: session)
            session.note(sender: entry.source)
        }
    }

    /// Adds the streams of a flow, and claims its sources and the ports beside it.
    private func add(_ packets: MediaFlow, _ sources: [UInt32], to session: RISTSession) {
        let (flow, media) = (packets.flow, packets.media)
        packets.join(session)
        for entry in packets.streams where !entry.isEnded {
            let latest = (media.streams[entry.stream].payloadType, media.streams[entry.stream].latestSequence)
            media.relations.findResent(entry, latest)
            media.relations.findPaths(of: entry, latest)
        }
        session.include(flow.client, flow.server)
        for source in sources { media.outlet.claim(Claim(Self.source(source)), for: session) }
        for end in [flow.client, flow.server] {
            media.outlet.claim(Claim(MediaFlow.reported(isTCP: false, RISTSession.neighbor(of: end))), for: session)
        }
    }

    /// Returns a stream without a session on the ports beside those of a session.
    private func beside(
        _ session: RISTSession, _ media: MediaStreams
    ) -> (entry: MediaEntry, packets: MediaFlow)? {
        for case let entry? in media.entries
        where entry.channel == nil && session.signals(entry.source, entry.destination) {
            if let packets = entry.packets, isFree(packets) { return (entry, packets) }
        }
        return nil
    }

    /// Returns the claim key of a source; retransmissions differ from it in the lowest bit.
    private static func source(_ ssrc: UInt32) -> ClaimKey { .name(space: "rist.source", "\(ssrc & ~1)") }
}
