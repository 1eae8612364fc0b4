import WeirPackets

// Layers: dissectors that decode the stream of a flow, and the decoded stream.

extension Analyzer {
    /// Makes the dissector of a flow a layer. The flow is undecided again, until its decoded stream is recognized.
    func beginLayer(_ state: FlowState, isShown: Bool) {
        guard state.layer == nil, let reader = state.reader else { return }
        let layer = StreamLayer(reader, isShown: isShown)
        state.begin(layer)
        timeline.noteDecoded(flow: state.id, by: layer.name)
    }

    /// Records the source of the secrets with which a layer decodes.
    func note(source: String, ofLayerOf state: FlowState) {
        guard let layer = state.layer else { return }
        layer.source = source
        timeline.noteDecoded(flow: state.id, by: layer.name, source: source)
    }

    /// Passes bytes of the connection to its layer, or else to its dissector.
    func offerSegment(_ bytes: RawSpan, _ state: FlowState, _ moment: EventContext, place: Int?, frame: Int) {
        if let layer = state.layer {
            noteOrder(of: state)
            let side = layer.reader.side(moment.direction)
            side.begin(in: frame)
            take(bytes, side, layer.reader, state, moment, place: place, frame: frame)
            resume(layer, state, moment)
            discardRest(of: layer, state)
        } else {
            offer(bytes, state, moment, place: place, frame: frame)
            if let layer = state.layer { discardRest(of: layer, state) }
        }
    }

    /// Passes the buffered bytes of the other direction to a layer that waited for the latest message.
    private func resume(_ layer: StreamLayer, _ state: FlowState, _ now: EventContext) {
        guard layer.resumes else { return }
        layer.resumes = false
        let direction = now.direction.opposite
        let side = layer.reader.side(direction)
        guard !side.buffer.isEmpty else { return }
        for (octets, segment) in takeWaiting(side) {
            let moment = state.moment(direction, frame: segment.frame, time: segment.time)
            side.begin(in: segment.origin)
            take(octets.rawSpan, side, layer.reader, state, moment, place: nil, frame: segment.origin)
        }
        // What was read now may release what the first direction has buffered, but not endlessly.
        layer.resumes = false
    }

    /// Releases the buffers of a layer whose flow is ignored.
    private func discardRest(of layer: StreamLayer, _ state: FlowState) {
        guard state.role == .ignored else { return }
        layer.reader.fromClient.buffer.discard(&fastPaths.messageBudget)
        layer.reader.fromServer.buffer.discard(&fastPaths.messageBudget)
    }

    /// Processes decoded bytes. `now` is when the layer had them complete, `frame` where they started.
    func offerContent(
        _ octets: [UInt8], _ direction: Direction, _ state: FlowState, _ now: EventContext, frame: Int
    ) {
        guard state.role != .ignored, !octets.isEmpty else { return }
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        offer(octets.rawSpan, state, moment, place: nil, frame: frame)
    }

    /// Handles missing bytes of the connection below a layer, which reports those of the decoded stream.
    func gap(_ octets: Int, below layer: StreamLayer, _ state: FlowState, _ moment: EventContext) {
        let side = layer.reader.side(moment.direction)
        let cut = min(octets, side.cutOctets)
        side.cutOctets -= cut
        state.side(moment.direction).cutOctets += cut
        readCut(side, layer.reader, state, moment)
        side.consumed += octets
        skip(octets, side, layer.reader, state, moment)
    }

    /// Finishes the layer of a flow, before its decoded stream.
    func finishLayer(_ state: FlowState, _ info: FrameInfo) {
        guard let layer = state.layer else { return }
        for direction in [Direction.clientToServer, .serverToClient] {
            readCut(
                layer.reader.side(direction), layer.reader, state,
                state.moment(direction, frame: info.number, time: info.time))
        }
        timeline.noteEnd(ofDecoded: state.id)
        // Nothing was decoded: the protocol stays unknown.
        if layer.source == nil, state.session == nil, state.protocolNames.isEmpty { summary.encryptedFlows += 1 }
    }

    /// Emits the messages of a flow's layer although nothing was recognized in its stream, if they matter by
    /// themselves.
    func showLayer(of state: FlowState) {
        guard let layer = state.layer, layer.hasHeld else { return }
        if layer.isShown { showConnect(state, nil) } else { _ = layer.takeHeld() }
    }

    /// Processes a message of a flow's layer: emits it once the flow is shown.
    func layerMessage(_ message: any Message, _ context: MessageContext, _ layer: StreamLayer, _ state: FlowState) {
        if !layer.hold(message, context, most: options.limits.heldMessages) { reach("limit.heldMessages") }
        if let session = state.session { emitHeld(layer, state, session) }
    }

    /// Emits the messages that were held.
    func emitHeld(_ layer: StreamLayer, _ state: FlowState, _ session: Session?) {
        state.addProtocol(layer.name)
        for held in layer.takeHeld() {
            var event = sessionOutlet.event(held.message, held.context)
            let isFurther = session.map { $0.keepsPhase(throughConnectionOf: state) } ?? false
            event.phase = isFurther ? session?.phase : session == nil ? nil : .connect
            timeline.emit(event, session: session)
        }
    }
}
