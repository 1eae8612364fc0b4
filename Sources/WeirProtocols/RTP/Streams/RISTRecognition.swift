import WeirEngine
import WeirPackets

// Sessions of RIST: found by its RTCP packets, or by a retransmission that a NACK requested.

extension MediaStreams {
    /// Returns the session of an RTCP datagram: a new one if it contains a message of RIST.
    func ristSession(_ compound: RTCPCompound, _ packets: MediaFlow) -> RISTSession? {
        guard isFree(packets) else { return nil }
        let isRIST = compound.elements.contains { element in
            if case .application(let packet) = element.packet { packet.rist != nil } else { false }
        }
        guard isRIST || hasRIST else { return nil }
        let sources = isRIST ? compound.elements.compactMap(\.packet.ssrc) : []
        return open(packets, sources: sources, isRIST: isRIST)
    }

    /// Assigns a stream whose requested packets are retransmitted as in RIST to a session.
    func joinRIST(_ original: MediaEntry, _ repair: MediaEntry) {
        guard streams[original.stream].reports.requestedAgain > 0 else { return }
        for case let packets? in [original.packets, repair.packets] where isFree(packets) {
            open(packets, sources: [original.ssrc], isRIST: true)?.note(sender: original.source)
        }
    }

    /// Returns whether the flow may belong to a session of RIST, and has none.
    private func isFree(_ packets: MediaFlow) -> Bool {
        packets.flow.transport == .udp && !packets.isRelayed && packets.flow.latestSession == nil
            && packets.flow.claim == nil
    }

    /// Adds a flow to the session of its ports or sources, or else to a new one if it is known to be RIST.
    private func open(_ packets: MediaFlow, sources: [UInt32], isRIST: Bool) -> RISTSession? {
        let flow = packets.flow
        if let known = known(flow, sources) {
            outlet.attach(flow, to: known)
            include(packets, sources, in: known)
            return known
        }
        guard isRIST, let session = outlet.open(RISTSession.self, for: flow) as? RISTSession else { return nil }
        hasRIST = true
        include(packets, sources, in: session)
        return session
    }

    /// Returns the session of the ports beside those of a flow, or of one of its sources.
    private func known(_ flow: FlowState, _ sources: [UInt32]) -> RISTSession? {
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

    /// Adds the streams of a flow, claims its sources and the ports beside it, and adds the media that is already there.
    private func include(_ packets: MediaFlow, _ sources: [UInt32], in session: RISTSession) {
        let flow = packets.flow
        packets.join(session)
        session.include(flow.client, flow.server)
        for source in sources { outlet.claim(Claim(Self.source(source)), for: session) }
        for end in [flow.client, flow.server] {
            outlet.claim(Claim(MediaFlow.reported(isTCP: false, RISTSession.neighbor(of: end))), for: session)
        }
        for case let entry? in entries where entry.channel == nil && session.signals(entry.source, entry.destination) {
            guard let beside = entry.packets, isFree(beside) else { continue }
            outlet.attach(beside.flow, to: session)
            include(beside, [entry.ssrc], in: session)
            session.note(sender: entry.source)
        }
    }

    /// Returns the claim key of a source; retransmissions differ from it in the lowest bit.
    private static func source(_ ssrc: UInt32) -> ClaimKey { .name(space: "rist.source", "\(ssrc & ~1)") }
}
