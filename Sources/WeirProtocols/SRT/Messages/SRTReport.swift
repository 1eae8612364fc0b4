import WeirEngine

extension SRTPacket: Message {
    /// The protocol name, `srt`.
    var protocolName: String { "srt" }
    /// The kind of packet.
    var kind: String {
        switch content {
        case .data: "data"
        case .handshake: "handshake"
        case .keepAlive: "keepAlive"
        case .ack: "ack"
        case .nak: "nak"
        case .congestionWarning: "congestionWarning"
        case .shutdown: "shutdown"
        case .ackAck: "ackAck"
        case .dropRequest: "dropRequest"
        case .peerError: "peerError"
        case .keyExchange: "keyExchange"
        case .other: "other"
        }
    }

    /// Whether it is one of the many packets of a healthy session, which only `--packets` shows.
    var isShownWithPacketsOnly: Bool {
        switch content {
        case .data, .keepAlive, .ack, .ackAck: true
        default: false
        }
    }
    var sessionType: Session.Type? { SRTSession.self }
    var isRoutine: Bool {
        if case .data = content { return true }
        return false
    }
    var keptOctets: Int {
        if case .data(let data) = content { return data.octets.count }
        return 0
    }
    var recurrence: String? { isShownWithPacketsOnly ? kind : nil }
    var condensed: Condensed {
        switch content {
        case .nak: .firstOnly("NAK")
        case .handshake where isRepetition: .counted("handshake")
        case .data, .keepAlive, .ack, .ackAck: .omitted
        default: .step
        }
    }

    /// Returns the packet in one line.
    func wording(_ secrets: SecretPolicy) -> Wording {
        switch content {
        case .data(let data):
            var words: Wording = "SRT data \(data.sequence), message \(data.message), \(data.length, "octet", "octets")"
            if data.key != 0 { words += ", encrypted" }
            if data.isRetransmitted { words += ", retransmitted" }
            return words
        case .handshake(let handshake): return handshake.wording(secrets)
        case .keepAlive: return "SRT keep-alive"
        case .ack(let ack):
            var words: Wording = "SRT ACK up to \((ack.nextSequence &- 1) & 0x7FFF_FFFF)"
            if let roundTrip = ack.roundTrip {
                words += ", RTT \(rounded(Double(roundTrip) / 1_000, places: 1)) ms"
            }
            return words
        case .nak(let ranges):
            let count = ranges.reduce(0) { $0 &+ max(0, SRTPacket.distance($1.last, from: $1.first) &+ 1) }
            var words: Wording = "SRT NAK: \(count, "packet", "packets") missing"
            if let first = ranges.first {
                words += ranges.count > 1 ? " in \(ranges.count) ranges from \(first.first)" : " from \(first.first)"
            }
            return words
        case .congestionWarning: return "SRT congestion warning"
        case .shutdown: return "SRT shutdown"
        case .ackAck(let number): return "SRT ACKACK \(number)"
        case .dropRequest(_, let first, let last): return "SRT drop request \(first) to \(last)"
        case .peerError(let code): return "SRT peer error \(code)"
        case .keyExchange(let keys):
            return keys.isResponse ? "SRT key refresh response\(keys.wording)" : "SRT key refresh\(keys.wording)"
        case .other(let type, let subtype): return "SRT control type \(type), subtype \(subtype)"
        }
    }

    /// An explanation of the step.
    var note: Text? {
        switch content {
        case .handshake(let handshake):
            switch handshake.kind {
            case .induction: Text(handshake.isCallers == true ? "srt.note.induction" : "srt.note.cookie")
            case .conclusion where !handshake.extensions.isEmpty: Text("srt.note.conclusion")
            case .conclusion: handshake.isCut ? nil : Text("srt.note.bare")
            case .waveAHand: Text("srt.note.wave")
            case .rejection: Text("srt.note.rejection")
            case .agreement, .done: nil
            }
        case .nak: Text("srt.note.nak")
        case .dropRequest: Text("srt.note.drop")
        case .shutdown: Text("srt.note.shutdown")
        default: nil
        }
    }

    /// Returns the members, in wire order.
    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("timestamp", Int(timestamp))
        fields.add("destinationSocket", Int(socket))
        switch content {
        case .data(let data):
            fields.add("sequence", Int(data.sequence))
            fields.add("message", Int(data.message))
            fields.add("position", Int(data.position))
            fields.add("ordered", data.isOrdered)
            fields.add("encrypted", data.key != 0)
            fields.add("retransmitted", data.isRetransmitted)
            fields.add("length", data.length)
        case .handshake(let handshake): fields += handshake.fields(secrets)
        case .ack(let ack):
            fields.add("number", Int(ack.number))
            fields.add("nextSequence", Int(ack.nextSequence))
            fields.add("rttMs", ack.roundTrip.map { Double($0) / 1_000 })
            fields.add("rttVariationMs", ack.variation.map { Double($0) / 1_000 })
            fields.add("availableBuffer", ack.buffer.map { Int($0) })
            fields.add("receivingRate", ack.rate.map { Int($0) })
            fields.add("linkCapacity", ack.capacity.map { Int($0) })
        case .nak(let ranges):
            fields.add("lost", .array(ranges.map { .array([.integer(Int($0.first)), .integer(Int($0.last))]) }))
        case .ackAck(let number): fields.add("number", Int(number))
        case .dropRequest(let message, let first, let last):
            fields.add("message", Int(message))
            fields.add("firstSequence", Int(first))
            fields.add("lastSequence", Int(last))
        case .peerError(let code): fields.add("code", Int(code))
        case .keyExchange(let keys): fields += keys.fields
        case .other(let type, let subtype):
            fields.add("type", Int(type))
            fields.add("subtype", Int(subtype))
        case .keepAlive, .congestionWarning, .shutdown: break
        }
        return fields
    }
}

extension SRTHandshake {
    /// The name of the type in reports.
    var name: String {
        switch kind {
        case .waveAHand: "waveAHand"
        case .induction: "induction"
        case .conclusion: "conclusion"
        case .agreement: "agreement"
        case .done: "done"
        case .rejection: "rejection"
        }
    }
    /// The name of the type in sentences.
    private var phrase: String { kind == .waveAHand ? "wave-a-hand" : name }

    func wording(_ secrets: SecretPolicy) -> Wording {
        if case .rejection(let code) = kind {
            return "SRT rejection \(code): \(Wording(phrase: Self.reason(code)))"
        }
        var words: Wording = "SRT handshake version \(version), \(Wording(phrase: phrase))"
        if let parameters {
            words += ", SRT \(parameters.release)"
            if parameters.isTimed {
                words += ", latency \(max(parameters.receiverDelay, parameters.senderDelay)) ms"
            }
            if parameters.isBufferMode { words += ", file mode" }
        }
        if let streamID { words += ", stream ID \(streamID.text(secrets))" }
        if let filter { words += ", packet filter \(filter)" }
        if let keys { words += keys.wording }
        if isCut { words += ", cut at the snap length" }
        return words
    }

    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("type", name)
        if case .rejection(let code) = kind {
            fields.add("reasonCode", Int(code))
            fields.add("reason", Self.reason(code))
        }
        fields.add("version", Int(version))
        fields.add("encryption", Int(encryption))
        fields.add("extensionField", Int(extensionField))
        fields.add("initialSequence", Int(firstSequence))
        fields.add("mtu", Int(maximumUnit))
        fields.add("flowWindow", Int(flowWindow))
        fields.add("socket", Int(socket))
        if let parameters {
            fields.add("srtVersion", parameters.release)
            fields.add("flags", Int(parameters.flags))
            fields.add("receiverLatencyMs", Int(parameters.receiverDelay))
            fields.add("senderLatencyMs", Int(parameters.senderDelay))
        }
        if let keys { fields += keys.fields }
        fields.add("streamId", streamID?.text(secrets))
        fields.add("congestion", congestion)
        fields.add("packetFilter", filter)
        fields.add("group", group.map { Int($0.id) })
        return fields
    }
}

extension SRTKeyMaterial {
    /// What follows in the line of the message.
    var wording: Wording {
        switch state {
        case .badSecret: ", wrong passphrase"
        case .noSecret: ", no passphrase"
        case .unsecured: ", not encrypted"
        case .badCryptoMode: ", incompatible cipher mode"
        case .securing, .secured: ""
        case nil: ", \(Wording(verbatim: cipherName)) with \(keyName) of \(keyLength * 8) bits"
        }
    }

    /// Which keys it contains (§3.2.2).
    private var keyName: Wording {
        switch slots & 3 {
        case 1: "an even key"
        case 2: "an odd key"
        case 3: "both keys"
        default: "a key"
        }
    }

    var fields: [Field] {
        var fields: [Field] = []
        if let state {
            fields.add("keyState", "\(state)")
        } else {
            fields.add("cipher", cipherName)
            fields.add("keyLength", keyLength)
        }
        return fields
    }
}
