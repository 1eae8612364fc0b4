import WeirPackets

// Dispatch of dissector output: messages go to stories, packets and payloads to their readers.

extension Analyzer {
    /// Dispatches the items of the outlet. `bytes` are those that the dissector read, `place` their start, if known.
    @inline(__always)
    func drain(_ state: FlowState, _ bytes: RawSpan, _ moment: EventContext, at place: BytePosition?) {
        guard outlet.hasItems else { return }
        drain(outlet, state, bytes, moment, at: place)
    }

    func drain(
        _ outlet: Outlet, _ state: FlowState, _ bytes: RawSpan, _ moment: EventContext, at place: BytePosition?
    ) {
        var remarks: [Remark] = []
        var isLayer = false
        for index in outlet.items.indices {
            switch outlet.items[index] {
            case .packet(let packet):
                let then = place?.moment(of: packet.range, moment) ?? moment
                if let frame = packet.frame { self.frame(frame.message, frame.range, state, then, place) }
                let arrival = PacketArrival(
                    at: then, wireLength: packet.wireLength, channel: packet.channel, isRelayed: packet.isRelayed)
                packetReader(packet.protocolName, state)?.read(
                    bytes.clamped(packet.range.lowerBound, packet.range.upperBound), arrival)
                takeFastPath(state)
            case .message(let message, let range):
                if let layer = state.layer, isLayer || layer.reader.outlet === outlet {
                    layerMessage(
                        message,
                        MessageContext(
                            flow: state, at: place?.moment(of: range, moment) ?? moment, range: range,
                            remarks: remarks, position: place), layer, state)
                    remarks = []
                    continue
                }
                self.message(message, range, remarks, state, place?.moment(of: range, moment) ?? moment, place)
                remarks = []
            case .earlier(let earlier): emit(earlier, state, moment, place)
            case .payload(let name, let range):
                payload(name, bytes.clamped(range.lowerBound, range.upperBound), range, state, moment, place)
            case .tunnel(let name): openTunnel(name, state)
            case .join(let key, let name, let half): join(key, name, half, state)
            case .stream(let key, let name, let direction, let octets, let range):
                offer(
                    octets, to: key, name, direction, state, range.flatMap { place?.moment(of: $0, moment) } ?? moment)
            case .streamGap(let key, let name, let direction, let octets):
                skip(octets, in: key, name, direction, state, moment)
            case .carried(let message): carried(message, state, moment, place)
            case .carriedGap(let direction, let octets): skipCarried(octets, direction, state, moment)
            case .layer(let isShown):
                beginLayer(state, isShown: isShown)
                isLayer = true
            case .layerSource(let source): note(source: source, ofLayerOf: state)
            case .content(let octets, let direction, let range):
                offerContent(
                    octets, direction, state, place?.moment(of: range, moment) ?? moment,
                    frame: place?.origin(of: range.lowerBound) ?? moment.frame)
            case .contentGap(let direction, let octets):
                gap(octets, state, state.moment(direction, frame: moment.frame, time: moment.time))
            case .resume: state.layer?.resumes = true
            case .become(let name, let agreement): become(name, agreement, state, moment)
            case .leave: state.isGivenUp = true
            case .stopped:
                for session in state.sessions {
                    session.completeness.isReadInPart = true
                    if state.layer != nil { session.completeness.lacksOctets = true }
                }
            case .remark(let remark):
                // A reached limit is reported for the capture, not for the message.
                if remark.text.key.hasPrefix("limit.") {
                    reach(remark.text.key)
                    state.noteLimit()
                } else {
                    remarks.append(remark)
                }
            }
        }
        outlet.clear()
        if !remarks.isEmpty { self.remarks(remarks, state, moment) }
    }

    /// Dispatches what `say` emits without bytes. Uses a separate outlet, since a message being dispatched may end
    /// another flow or replace the dissector.
    func emit(_ state: FlowState, _ moment: EventContext, _ say: (Outlet) -> Void) {
        let (own, nothing) = (Outlet(), [UInt8]())
        say(own)
        drain(own, state, nothing.rawSpan, moment, at: nil)
    }

    /// Returns the packet reader for packets carried in the flow's messages.
    private func packetReader(_ name: String, _ state: FlowState) -> (any PacketReader)? {
        if let known = state.packetReader(name) { return known }
        guard let reader = dissector(named: name)?.packetReader(state, sessionOutlet) else { return nil }
        state.packetReaders = state.packetReaders + [(name, reader)]
        return reader
    }

    /// Dispatches a message to its story.
    private func message(
        _ message: any Message, _ range: Range<Int>, _ remarks: [Remark], _ state: FlowState, _ moment: EventContext,
        _ place: BytePosition?
    ) {
        let context = MessageContext(flow: state, at: moment, range: range, remarks: remarks, position: place)
        let isStep = !message.requiresSession || isStepOfKnown(message, state)
        guard isStep || options.packets else { return }
        if state.isQuiet { state.speak() }
        let sessionType = isStep ? message.sessionType : nil
        if let session = sessionType.map({ session(of: $0, for: message, state) }) ?? state.session {
            observe(session, state, moment.direction) { session.take(message, context, sessionOutlet) }
        } else {
            showConnect(state, nil)
            timeline.emit(sessionOutlet.event(message, context), session: nil)
        }
    }

    /// Dispatches a message that was read earlier, or that encloses what is being read.
    func emit(
        _ earlier: EnclosingMessage, _ state: FlowState, _ moment: EventContext, _ place: BytePosition?
    ) {
        guard let own = earlier.place else {
            return message(earlier.message, earlier.range, [], state, moment, place)
        }
        message(earlier.message, earlier.range, [], state, own.moment, own.position)
    }

    /// Emits the framing around a packet as an event.
    private func frame(
        _ message: any Message, _ range: Range<Int>, _ state: FlowState, _ moment: EventContext,
        _ place: BytePosition?
    ) {
        if state.session == nil { openLate(state) }
        let context = MessageContext(flow: state, at: moment, range: range, remarks: [], position: place)
        timeline.emit(sessionOutlet.event(message, context), session: state.session)
    }

    /// Dissects a part of a message that another protocol defines.
    private func payload(
        _ name: String, _ bytes: RawSpan, _ range: Range<Int>, _ state: FlowState, _ moment: EventContext,
        _ place: BytePosition?
    ) {
        guard let type = dissector(named: name) else { return }
        var dissector = type.init(flow: state.context)
        let inner = Outlet()
        let innerPlace = place?.advanced(by: range.lowerBound)
        state.addProtocol(name)
        do throws(DissectionError) {
            _ = try dissector.read(bytes, moment.direction, inner)
            dissector.finish(inner)
            drain(inner, state, bytes, moment, at: innerPlace)
        } catch {
            drain(inner, state, bytes, moment, at: innerPlace)
            broken(error, name, state, moment, at: innerPlace)
        }
    }

    /// Emits remarks that belong to no message.
    private func remarks(_ remarks: [Remark], _ state: FlowState, _ moment: EventContext) {
        var event = timeline.event(UnframedBytes(protocolName: state.protocolName), at: moment)
        event.remarks = remarks
        state.session?.observe(remarks, at: moment)
        timeline.emit(event, session: state.session)
    }

    /// Emits a message that could not be parsed.
    func broken(
        _ error: DissectionError, _ name: String, _ state: FlowState, _ moment: EventContext, at place: BytePosition?
    ) {
        var event = timeline.event(MalformedMessage(protocolName: name, reason: error.reason), at: moment)
        if let first = place?.firstFrame, first != moment.frame, first > 0 { event.firstFrame = first }
        if let start = place?.inFrame {
            event.byteRange = start &+ max(0, error.offset)..<start &+ max(0, error.offset) &+ 1
        }
        timeline.emit(event, session: state.session)
    }

    /// Emits the connection establishment, and bytes missing from its start, once the protocol is recognized.
    func showConnect(_ state: FlowState, _ session: Session?) {
        if let moment = state.history?.connected { showConnect(state, session, moment) }
        if let layer = state.layer, layer.hasHeld { emitHeld(layer, state, session) }
        guard let lost = state.history?.lostEarly else { return }
        state.history?.lostEarly = nil
        timeline.emit(timeline.event(tcp(.gap(octets: lost.octets), state, session), at: lost.at), session: session)
    }

    private func showConnect(_ state: FlowState, _ session: Session?, _ moment: EventContext) {
        state.history?.connected = nil
        // Not a variable here, which would be copied.
        timeline.emit(connectEvent(state, session, moment), session: session)
    }

    private func connectEvent(_ state: FlowState, _ session: Session?, _ moment: EventContext) -> Event {
        let roundTrip = self[connection: state].handshakeRTT.map { Int64(($0 * 1_000_000_000).rounded()) }
        var event = timeline.event(tcp(.connect(roundTrip: roundTrip), state, session), at: moment)
        let isFurther = session.map { $0.keepsPhase(throughConnectionOf: state) } ?? false
        event.phase = isFurther ? session?.phase : session == nil ? nil : .connect
        return event
    }
}
