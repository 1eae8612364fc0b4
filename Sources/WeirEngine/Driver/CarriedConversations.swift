import WeirPackets

// Conversations whose messages are carried whole inside those of a flow.

extension Analyzer {
    /// The number of messages after which stream dissectors are no longer probed, since each probe joins all messages
    /// again.
    private static let mostStreamLooks = 16

    /// Processes a message carried by the flow's messages. `place` is the start of the bytes from which it was read.
    func carried(_ message: CarriedMessage, _ state: FlowState, _ now: EventContext, _ place: BytePosition?) {
        let conversation = carriedConversation(message.carriage.protocolName, state, now)
        let moment = message.place?.moment ?? state.moment(message.direction, frame: now.frame, time: now.time)
        let inFrame = message.range.flatMap { range in place?.inFrame.map { $0 + range.lowerBound } }
        let position = BytePosition(
            inFrame: inFrame, firstFrame: message.firstFrame ?? place?.firstFrame ?? moment.frame)
        if case .undecided = conversation.reading {
            recognize(.init(message: message, moment: moment, place: position, around: place), conversation, state)
        } else {
            read(.init(message: message, moment: moment, place: position, around: place), conversation, state)
        }
    }

    /// Records missing bytes in one direction of the carried conversation.
    func skipCarried(_ octets: Int, _ direction: Direction, _ state: FlowState, _ now: EventContext) {
        guard let conversation = state.carried else { return }
        let moment = state.moment(direction, frame: now.frame, time: now.time)
        switch conversation.reading {
        case .undecided: forgetKept(of: conversation)
        case .messages(let reader):
            emit(state, moment) { reader.dissector.gap(direction, octets: octets, $0) }
        case .stream(let reader):
            let side = reader.side(direction)
            readCut(side, reader, state, moment)
            side.consumed &+= octets
            skip(octets, side, reader, state, moment)
        }
        for session in state.sessions { session.completeness.lacksOctets = true }
    }

    /// Finishes the carried conversation, because the flow ended or carries another one from here on.
    func finishCarried(_ state: FlowState, frame: Int, time: Timestamp) {
        guard let conversation = state.carried else { return }
        if case .undecided = conversation.reading { recognizeEnded(conversation, state) }
        state.carried = nil
        innerBudget.change(by: -conversation.keptOctets)
        let moment = state.moment(.clientToServer, frame: frame, time: time)
        switch conversation.reading {
        case .undecided: break
        case .messages(let reader): emit(state, moment) { reader.dissector.finish($0) }
        case .stream(let reader):
            for direction in [Direction.clientToServer, .serverToClient] {
                readCut(reader.side(direction), reader, state, state.moment(direction, frame: frame, time: time))
            }
            emit(state, moment) { reader.dissector.finish($0) }
        }
    }

    /// Probes the last buffered message again if another connection to the server was recognized since.
    private func recognizeEnded(_ conversation: CarriedConversation, _ state: FlowState) {
        guard let last = conversation.kept.last, state.context.isKnownServer else { return }
        for type in messageDissectors where !type.readsAcrossMessages {
            guard case .yes = ask(type, last, conversation, state) else { continue }
            innerBudget.change(by: -conversation.keptOctets)
            return assign(type, last.message.carriage, conversation, state)
        }
    }

    /// Discards the buffered messages of a conversation, which can no longer be dissected.
    private func forgetKept(of conversation: CarriedConversation) {
        innerBudget.change(by: -conversation.keptOctets)
        conversation.forgetKept()
    }

    private func carriedConversation(
        _ carrier: String, _ state: FlowState, _ now: EventContext
    ) -> CarriedConversation {
        if let known = state.carried {
            if known.carrier == carrier { return known }
            finishCarried(state, frame: now.frame, time: now.time)
        }
        let made = CarriedConversation(carrier: carrier)
        state.carried = made
        return made
    }

    // MARK: - Recognition

    /// Probes the dissectors for a message; buffers it while one may need more data.
    private func recognize(
        _ latest: CarriedConversation.Kept, _ conversation: CarriedConversation, _ state: FlowState
    ) {
        let limits = options.limits
        let before = conversation.keptOctets
        conversation.looks += 1
        conversation.keep(latest, octets: limits.carriedOctets, messages: limits.carriedMessages)
        var mayBe = false
        for type in messageDissectors where !type.readsAcrossMessages || conversation.looks <= Self.mostStreamLooks {
            switch ask(type, latest, conversation, state) {
            case .no, .hidden, .wait: break
            case .needMore: mayBe = true
            case .yes:
                if conversation.hasForgotten {
                    reach("limit.carried")
                    state.noteLimit()
                }
                innerBudget.change(by: -before)
                assign(type, latest.message.carriage, conversation, state)
                if type.recognizesServer { self.limits.recordKnown(client: state.client.address, state.server) }
                return
            }
        }
        if options.packets {
            for enclosing in latest.message.enclosing { emit(enclosing, state, latest.moment, latest.around) }
            conversation.removeEnclosingOfLast()
        }
        if !mayBe { conversation.forgetLast() }
        innerBudget.change(by: conversation.keptOctets &- before)
        if innerBudget.isExceeded {
            conversation.giveWay()
            forgetKept(of: conversation)
        }
    }

    private func ask(
        _ type: any Dissector.Type, _ latest: CarriedConversation.Kept, _ conversation: CarriedConversation,
        _ state: FlowState
    ) -> ProbeAnswer {
        var context = state.context
        context.carriage = latest.message.carriage
        context.preface = latest.message.enclosing.map(\.message)
        let isClients = latest.message.direction == .clientToServer
        var client: [UInt8] = []
        var server: [UInt8] = []
        if type.readsAcrossMessages {
            client = conversation.said(.clientToServer)
            server = conversation.said(.serverToClient)
        } else if isClients {
            client = latest.message.octets
        } else {
            server = latest.message.octets
        }
        return type.probe(FirstBytes(client: client.rawSpan, server: server.rawSpan, flow: context))
    }

    /// Assigns a dissector to the conversation, which then reads the buffered messages with their original times.
    private func assign(
        _ type: any Dissector.Type, _ carriage: Carriage, _ conversation: CarriedConversation, _ state: FlowState
    ) {
        var context = state.context
        context.carriage = carriage
        if state.isQuiet { state.speak() }
        if !type.emitsEnclosing { state.addProtocol(type.descriptor.name) }
        let dissector = type.init(flow: context)
        conversation.reading =
            type.readsAcrossMessages
            ? .stream(
                StreamReader(
                    dissector, fromClient: StreamSide(), fromServer: StreamSide(), outlet: Outlet(), isInner: true))
            : .messages(.init(dissector))
        for kept in conversation.takeKept() { read(kept, conversation, state) }
    }

    // MARK: - Reading

    private func read(
        _ carried: CarriedConversation.Kept, _ conversation: CarriedConversation, _ state: FlowState
    ) {
        let (message, moment, place) = (carried.message, carried.moment, carried.place)
        switch conversation.reading {
        case .undecided: break
        case .stream(let reader):
            for enclosing in message.enclosing { emit(enclosing, state, moment, carried.around) }
            let side = reader.side(moment.direction)
            side.begin(in: place.firstFrame)
            take(
                message.octets.rawSpan, side, reader, state, moment, place: place.inFrame, frame: moment.frame)
            for session in state.sessions where session.carrier == nil { session.carrier = conversation.carrier }
        case .messages(let reader):
            if !type(of: reader.dissector).emitsEnclosing {
                for enclosing in message.enclosing { emit(enclosing, state, moment, carried.around) }
            }
            read(carried, reader, state)
        }
    }

    private func read(
        _ carried: CarriedConversation.Kept, _ reader: CarriedConversation.MessageReader, _ state: FlowState
    ) {
        let (moment, place) = (carried.moment, carried.place)
        let outlet = reader.outlet
        outlet.clear()
        outlet.place(first: place.firstFrame, waiting: 0, last: moment.frame)
        outlet.place = ReadingPlace(moment: moment, position: place)
        outlet.carriage = carried.message.carriage
        let around = ReadingPlace(moment: moment, position: carried.around)
        outlet.enclosing = carried.message.enclosing.map { enclosing in
            EnclosingMessage(enclosing.message, enclosing.range, at: enclosing.place ?? around)
        }
        let bytes = carried.message.octets
        do throws(DissectionError) {
            _ = try reader.dissector.read(bytes.rawSpan, moment.direction, outlet)
            drain(outlet, state, bytes.rawSpan, moment, at: place)
        } catch {
            drain(outlet, state, bytes.rawSpan, moment, at: place)
            broken(error, type(of: reader.dissector).descriptor.name, state, moment, at: place)
        }
    }
}
