import WeirEngine
import WeirPackets

// UDP: announced media, RTP that nobody announced, and other protocols.

extension Analyzer {
    /// Datagrams of a flow after which it is known that it is nothing known.
    private static let looks = 16

    @inline(__always)
    func datagram(_ payload: RawSpan, _ unit: TransportUnit, _ state: FlowState, _ moment: Moment, _ info: FrameInfo) {
        let wireLength = payload.byteCount &+ unit.missingOctets
        if state.role == .media {
            media(payload, wireLength: wireLength, channel: nil, state, moment)
        } else {
            undecidedDatagram(payload, wireLength, unit, state, moment, info)
        }
    }

    @inline(never)
    private func undecidedDatagram(
        _ payload: RawSpan, _ wireLength: Int, _ unit: TransportUnit, _ state: FlowState, _ moment: Moment,
        _ info: FrameInfo
    ) {
        let place = unit.isReassembled ? nil : unit.payload.lowerBound
        var moment = moment
        if state.role != .dissected, state.lookedUp != expectations.generation {
            lookUp(state)
            if moment.source != state.moment(moment.direction, frame: 0, time: moment.time).source {
                moment.direction = moment.direction.opposite
            }
        }
        switch state.role {
        case .media: media(payload, wireLength: wireLength, channel: nil, state, moment)
        case .dissected: read(payload, state, moment, place: place)
        case .undecided: decide(payload, wireLength, state, moment, info, place: place)
        case .opaque: break
        }
    }

    private func read(_ payload: RawSpan, _ state: FlowState, _ moment: Moment, place: Int?) {
        outlet.clear()
        let place = Place(inFrame: place, firstFrame: moment.frame)
        do throws(DissectionError) {
            _ = try state.dissector?.read(payload, moment.direction, outlet)
            drain(state, payload, moment, at: place)
        } catch {
            drain(state, payload, moment, at: place)
            broken(error, state, moment)
        }
    }

    /// Asks whether the flow was announced.
    private func lookUp(_ state: FlowState) {
        state.lookedUp = expectations.generation
        guard let entry = announcement(for: state) else { return }
        state.because = entry.expectation.because
        guard entry.expectation.protocolName == RTPDissector.descriptor.name else {
            if let type = dissectors.first(where: { $0.descriptor.name == entry.expectation.protocolName }) {
                adopt(type, state)
            }
            return
        }
        state.role = .media
        state.link = entry.link
        state.heuristics = nil
        guard let link = entry.link else { return }
        state.isEncrypted = isEncrypted(link)
        let session = link.session
        let setup = session.setups[link.setup]
        if setup.rtpEndpoints.contains(state.server) || setup.rtcpEndpoints.contains(state.server) {
            state.turn()
        }
        session.mediaFlows.append(state.index)
        session.flows.append(state.id)
    }

    /// The announcement that a flow fulfils: one of both its ends, or of the server's alone, to which a client came whose
    /// port is another than it said: behind a translating router (NAT), or one that said none.
    private func announcement(for state: FlowState) -> Expectations.Entry? {
        if let entry = expectations.match(state.client, state.server) {
            if let link = entry.link {
                for end in [state.client, state.server] { expectations.close(end, link) }
            }
            return entry
        }
        let start = table[state.index].startTime
        guard let (entry, peer) = expectations.takeOpen(state.client, state.server, start: start),
            let link = entry.link
        else { return nil }
        link.session.learn(peer, setup: link.setup, server: entry.expectation.endpoint)
        return entry
    }

    /// Asks the dissectors whether a datagram of a flow that nobody announced is theirs.
    private func decide(
        _ payload: RawSpan, _ wireLength: Int, _ state: FlowState, _ moment: Moment, _ info: FrameInfo, place: Int?
    ) {
        let none = [UInt8]()
        let isForward = moment.direction == .clientToServer
        let context = state.context
        for isUsual in [true, false] {
            for candidate in datagramDissectors where candidate.usesPort(state) == isUsual {
                let opening = Opening(
                    client: isForward ? payload : none.rawSpan, server: isForward ? none.rawSpan : payload,
                    flow: context)
                guard case .yes = candidate.type.probe(opening) else { continue }
                adopt(candidate.type, state)
                if state.role == .media {
                    media(payload, wireLength: wireLength, channel: nil, state, moment)
                } else {
                    read(payload, state, moment, place: place)
                }
                return
            }
        }
        recognise(payload, wireLength, state, moment, info)
    }

    /// Looks for RTP that nobody announced, over several packets.
    private func recognise(
        _ payload: RawSpan, _ wireLength: Int, _ state: FlowState, _ moment: Moment, _ info: FrameInfo
    ) {
        var heuristics = state.heuristics ?? (RTPHeuristic(), RTPHeuristic())
        state.heuristics = nil
        let isForward = moment.direction == .clientToServer
        let answer =
            isForward
            ? heuristics.0.observe(payload, wireLength: wireLength, info)
            : heuristics.1.observe(payload, wireLength: wireLength, info)
        state.looks += 1
        keepReport(payload, state, moment, info)
        switch answer {
        case .needMore: state.heuristics = heuristics
        case .no:
            // A datagram that opens a port may look like anything: what comes back decides.
            if isForward { state.isNoRTP.0 = true } else { state.isNoRTP.1 = true }
            let isSettled = state.isNoRTP.0 && state.isNoRTP.1 || state.looks > Self.looks
            if isSettled {
                state.earlyReports = []
                pass(state)
            } else if state.looks == 1, state.earlyReports.isEmpty, !state.isCut {
                hold(state, info)
            } else {
                state.heuristics = heuristics
            }
        case .yes:
            state.role = .media
            state.because = Text(
                "expect.heuristic", .integer((isForward ? heuristics.0 : heuristics.1).seen.count + 1),
                .integer(moment.frame))
            state.recognisedFrame = moment.frame
            catchUp(heuristics, state)
            state.recognisedFrame = nil
            media(payload, wireLength: wireLength, channel: nil, state, moment)
        }
    }

    /// RTCP on the port of RTP (RFC 5761) may begin before the media does.
    private func keepReport(_ payload: RawSpan, _ state: FlowState, _ moment: Moment, _ info: FrameInfo) {
        guard state.earlyReports.count < EarlyReport.most, payload.byteCount <= EarlyReport.longest,
            let word = payload.uint32(at: 0), word >> 30 == 2,
            RTCPPacket.isRTCP(secondOctet: UInt8(truncatingIfNeeded: word >> 16))
        else { return }
        state.earlyReports.append(EarlyReport(octets: payload.array(), direction: moment.direction, info: info))
    }

    /// Hands on what came before it was known that the flow is media, in order.
    private func catchUp(_ heuristics: (RTPHeuristic, RTPHeuristic), _ state: FlowState) {
        let seen =
            heuristics.0.seen.map { (Direction.clientToServer, $0) }
            + heuristics.1.seen.map { (Direction.serverToClient, $0) }
        var reports = state.earlyReports[...]
        state.earlyReports = []
        for (direction, packet) in seen.sorted(by: { $0.1.info.number < $1.1.info.number }) {
            while let report = reports.first, report.info.number < packet.info.number {
                reports.removeFirst()
                catchUp(report, state)
            }
            let then = state.moment(direction, frame: packet.info.number, time: packet.info.time)
            let nothing = [UInt8]()
            rtp(packet.header, nothing.rawSpan, channel: nil, state, then)
        }
        for report in reports { catchUp(report, state) }
        for duplicate in state.earlyDuplicates { countDuplicate(of: duplicate.ssrc, state, duplicate.direction) }
        state.earlyDuplicates = []
    }

    private func catchUp(_ report: EarlyReport, _ state: FlowState) {
        let then = state.moment(report.direction, frame: report.info.number, time: report.info.time)
        rtcp(report.octets.rawSpan, nil, state, then)
    }
}
