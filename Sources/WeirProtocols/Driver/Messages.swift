import WeirEngine
import WeirPackets

// What dissectors said: messages become events, payloads go to their own dissectors.

extension Analyzer {
    /// Empties the flow's outlet. `bytes` are those that the dissector read; `place` says where they begin, if known.
    @inline(__always)
    func drain(_ state: FlowState, _ bytes: RawSpan, _ moment: Moment, at place: Place?) {
        guard !outlet.items.isEmpty else { return }
        drain(outlet, state, bytes, moment, at: place)
    }

    func drain(_ outlet: Outlet, _ state: FlowState, _ bytes: RawSpan, _ moment: Moment, at place: Place?) {
        var remarks: [Remark] = []
        for index in outlet.items.indices {
            switch outlet.items[index] {
            case .media(let channel, let range, let wireLength):
                if options.packets, channel >= 0 {
                    frame(RTSPInterleavedFrame(channel: channel, length: wireLength), range, state, moment, place)
                }
                media(
                    bytes.clamped(range.lowerBound, range.upperBound), wireLength: wireLength,
                    channel: channel < 0 ? nil : channel, state, moment)
            case .message(let message, let range):
                self.message(message, range, remarks, state, moment, place)
                remarks = []
            case .payload(let name, let range):
                payload(name, bytes.clamped(range.lowerBound, range.upperBound), range, state, moment, place)
            case .joined(let key, let name, let direction, let octets):
                join(key, name, direction, octets, state, moment)
            case .joinedGap(let key, let name, let direction, let octets):
                joinGap(key, name, direction, octets, state, moment)
            case .expectation(let expectation): expect(expectation, link: nil)
            case .remark(let remark): remarks.append(remark)
            }
        }
        outlet.clear()
        if !remarks.isEmpty { self.remarks(remarks, state, moment) }
    }

    /// One message: an event, linked to its session.
    private func message(
        _ message: any Message, _ range: Range<Int>, _ remarks: [Remark], _ state: FlowState, _ moment: Moment,
        _ place: Place?
    ) {
        if let rtsp = message as? RTSPMessage {
            self.rtsp(rtsp, range, remarks, state, moment, place)
            return
        }
        if let message = message as? RTMPMessage {
            rtmp(message, Said(range: range, remarks: remarks, place: place), state, moment)
            return
        }
        if let part = message as? RTMPHandshakePart {
            rtmp(part, Said(range: range, remarks: remarks, place: place), state, moment)
            return
        }
        if state.session == nil, let http = message as? HTTPMessage, let cookie = http.headers.first("x-sessioncookie")
        {
            let conversation = conversation(cookie, RTSPDissector.descriptor.name, state)
            let session = session(state, conversation)
            session.isTunnelled = true
            if let method = http.method { session.evidence.isOneSided = conversation.lacksHalf(with: method) }
        }
        if state.session == nil, let http = message as? HTTPMessage, http.isRequest, state.dissector is RTMPTDissector {
            openTunnel(state)
        }
        showConnect(state, state.session)
        if let description = message as? SessionDescription, let session = state.session as? RTSPSession {
            session.observe(description)
            configureStreams(of: session)
        }
        timeline.emit(located(message, range, remarks, moment, place), session: state.session)
    }

    /// The interleaved frame around a packet; its range begins with the four octets before that (RFC 2326 §10.12).
    private func frame(
        _ message: RTSPInterleavedFrame, _ range: Range<Int>, _ state: FlowState, _ moment: Moment, _ place: Place?
    ) {
        if state.session == nil { openLate(state) }
        let event = located(message, max(0, range.lowerBound - 4)..<range.upperBound, [], moment, place)
        timeline.emit(event, session: state.session)
    }

    private func rtsp(
        _ message: RTSPMessage, _ range: Range<Int>, _ remarks: [Remark], _ state: FlowState, _ moment: Moment,
        _ place: Place?
    ) {
        let session = session(for: message, state)
        session.evidence.mayHaveGap = mayLackOctets(state, moment.direction)
        session.introduce(message)
        showConnect(state, session)
        var event = located(message, range, remarks, moment, place)
        event.isCut = message.isCut
        let effects = session.observe(message, &event)
        event.answers = effects.exchange
        if let setup = effects.setup {
            let link = MediaLink(session: session, setup: setup)
            for expectation in effects.announced.flows { expect(expectation, link: link) }
            for end in effects.announced.serverEnds { expectOpen(end, link: link) }
        }
        timeline.emit(event, session: session)
        session.evidence.mayHaveGap = false
    }

    /// Whether who speaks may have heard what has not come here.
    func mayLackOctets(_ state: FlowState, _ direction: Direction) -> Bool {
        guard state.connection >= 0 else { return false }
        if self[connection: state].mayLackOctets(direction.opposite) { return true }
        guard let joined = state.joined else { return false }
        return joined.flows.contains { other in
            other !== state && other.connection >= 0
                && (self[connection: other].mayLackOctets(.clientToServer)
                    || self[connection: other].mayLackOctets(.serverToClient))
        }
    }

    func located(_ message: any Message, _ said: Said, _ moment: Moment) -> Event {
        located(message, said.range, said.remarks, moment, said.place)
    }

    private func located(
        _ message: any Message, _ range: Range<Int>, _ remarks: [Remark], _ moment: Moment, _ place: Place?
    ) -> Event {
        var event = timeline.event(message, at: moment)
        event.remarks = remarks
        if let first = message.firstFrame ?? place?.firstFrame, first != moment.frame, first > 0 {
            event.firstFrame = first
        }
        // A range can begin before the bytes that were read last, in the same frame.
        if event.firstFrame == nil || message.firstFrame == nil, let start = place?.inFrame,
            start + range.lowerBound >= 0
        {
            event.byteRange = start + range.lowerBound..<start + range.upperBound
        }
        return event
    }

    /// A part of a message that another protocol describes.
    private func payload(
        _ name: String, _ bytes: RawSpan, _ range: Range<Int>, _ state: FlowState, _ moment: Moment, _ place: Place?
    ) {
        guard let type = dissectors.first(where: { $0.descriptor.name == name }) else { return }
        var dissector = type.init(flow: state.context)
        let inner = Outlet()
        let start = place?.inFrame.map { $0 + range.lowerBound }
        let innerPlace = place.map { Place(inFrame: start, firstFrame: $0.firstFrame) }
        state.addProtocol(name)
        do throws(DissectionError) {
            _ = try dissector.read(bytes, moment.direction, inner)
            dissector.finish(inner)
            drain(inner, state, bytes, moment, at: innerPlace)
        } catch {
            drain(inner, state, bytes, moment, at: innerPlace)
            let event = timeline.event(BrokenMessage(protocolName: name, reason: error.reason), at: moment)
            timeline.emit(event, session: state.session)
        }
    }

    /// Oddities that belong to no message.
    private func remarks(_ remarks: [Remark], _ state: FlowState, _ moment: Moment) {
        var event = timeline.event(OddBytes(protocolName: state.protocolName), at: moment)
        event.remarks = remarks
        timeline.emit(event, session: state.session)
    }

    /// Shows that the connection was made, and what the capture lacks of its beginning, now that something known travels
    /// on it.
    func showConnect(_ state: FlowState, _ session: Session?) {
        if let moment = state.connected { showConnect(state, session, moment) }
        guard let lost = state.lostEarly else { return }
        state.lostEarly = nil
        timeline.emit(timeline.event(TCPEvent(.gap(octets: lost.octets)), at: lost.moment), session: session)
    }

    private func showConnect(_ state: FlowState, _ session: Session?, _ moment: Moment) {
        state.connected = nil
        let roundTrip = self[connection: state].handshakeRTT.map { Int64(($0 * 1_000_000_000).rounded()) }
        var event = timeline.event(TCPEvent(.connect(roundTrip: roundTrip)), at: moment)
        let isFurther = session is RTMPSession && session?.flows.first != state.id
        event.phase = isFurther ? session?.phase : session == nil ? nil : .connect
        timeline.emit(event, session: session)
    }
}

// MARK: - Conversations that several flows carry

extension Analyzer {
    private func conversation(_ key: String, _ name: String, _ state: FlowState) -> JoinedConversation {
        if let known = state.joined, known.key == key { return known }
        let conversation: JoinedConversation
        if let known = joined[key] {
            conversation = known
        } else {
            let type = dissectors.first { $0.descriptor.name == name } ?? RTSPDissector.self
            conversation = JoinedConversation(key: key, dissector: type.init(flow: state.context))
            joined[key] = conversation
        }
        conversation.flows.append(state)
        state.joined = conversation
        state.addProtocol(name)
        if let session = conversation.session, state.session == nil { attach(state, to: session) }
        return conversation
    }

    private func join(
        _ key: String, _ name: String, _ direction: Direction, _ octets: [UInt8], _ state: FlowState, _ now: Moment
    ) {
        let conversation = conversation(key, name, state)
        session(state, conversation).isTunnelled = true
        guard !octets.isEmpty else { return }
        let side = direction == .clientToServer ? conversation.fromClient : conversation.fromServer
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        if side.buffer.isEmpty { side.waitingFrame = now.frame }
        let origin = side.consumed + side.buffer.count
        let outcome = side.buffer.offer(octets.rawSpan, budget: &joinedBudget) { waiting in
            conversation.outlet.place(
                first: side.waitingFrame, waiting: origin - side.consumed, last: now.frame)
            let first = side.consumed >= origin ? now.frame : side.waitingFrame
            let use = self.read(waiting, conversation, side, state, moment, first)
            side.consumed += use.octets
            return use
        }
        if case .overflow(let dropped) = outcome {
            reach("limit.message")
            side.consumed += dropped
            side.isLost = true
        }
        if side.consumed >= origin { side.waitingFrame = now.frame }
    }

    private func read(
        _ bytes: RawSpan, _ conversation: JoinedConversation, _ side: StreamSide, _ state: FlowState,
        _ moment: Moment, _ first: Int
    ) -> StreamBuffer.Use {
        if side.isLost {
            guard let start = conversation.dissector.resynchronise(bytes, from: 0, moment.direction) else {
                return StreamBuffer.Use(0)
            }
            side.isLost = false
            if start > 0 { return StreamBuffer.Use(start) }
        }
        conversation.outlet.clear()
        do throws(DissectionError) {
            let used = try conversation.dissector.read(bytes, moment.direction, conversation.outlet)
            let needed = conversation.outlet.needed
            drain(conversation.outlet, state, bytes, moment, at: Place(inFrame: nil, firstFrame: first))
            return StreamBuffer.Use(used, needed: needed)
        } catch {
            drain(conversation.outlet, state, bytes, moment, at: nil)
            broken(error, state, moment)
            side.isLost = true
            return StreamBuffer.Use(1)
        }
    }

    /// Octets of one side are missing.
    private func joinGap(
        _ key: String, _ name: String, _ direction: Direction, _ octets: Int, _ state: FlowState, _ now: Moment
    ) {
        let conversation = conversation(key, name, state)
        session(state, conversation).evidence.hasGap = true
        let side = direction == .clientToServer ? conversation.fromClient : conversation.fromServer
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        let waiting = side.buffer.waiting
        side.buffer.discard(&joinedBudget)
        side.consumed += waiting.count + octets
        conversation.outlet.clear()
        conversation.outlet.place(first: side.waitingFrame, waiting: waiting.count, last: now.frame)
        if !side.isLost { conversation.dissector.readCut(waiting.rawSpan, direction, conversation.outlet) }
        let place = Place(inFrame: nil, firstFrame: side.waitingFrame)
        drain(conversation.outlet, state, waiting.rawSpan, moment, at: place)
        conversation.dissector.gap(direction, octets: octets, conversation.outlet)
        let nothing = [UInt8]()
        drain(conversation.outlet, state, nothing.rawSpan, moment, at: nil)
        if !type(of: conversation.dissector).findsStarts { side.isLost = true }
    }

    /// The last flow of a conversation is over: what is still to be said of it.
    func finish(_ conversation: JoinedConversation, _ state: FlowState, at info: FrameInfo) {
        let moment = state.moment(.clientToServer, frame: info.number, time: info.time)
        let nothing = [UInt8]()
        conversation.outlet.clear()
        conversation.dissector.finish(conversation.outlet)
        drain(conversation.outlet, state, nothing.rawSpan, moment, at: nil)
    }
}
