public import WeirEngine

extension RTMPMessage {
    /// Returns the name of a type used for `type` in the report, or nil for an unknown one.
    static func name(ofType typeID: UInt8) -> String? {
        switch typeID {
        case 1: "setChunkSize"
        case 2: "abort"
        case 3: "acknowledgement"
        case 4: "userControl"
        case 5: "windowAckSize"
        case 6: "setPeerBandwidth"
        case 8: "audio"
        case 9: "video"
        case 15, 18: "data"
        case 16, 19: "sharedObject"
        case 17, 20: "command"
        case 22: "aggregate"
        default: nil
        }
    }

    /// `rtmp`.
    public var protocolName: String { "rtmp" }
    /// The session type.
    public var sessionType: Session.Type? { RTMPSession.self }
    /// `message`.
    public var kind: String { "message" }
    /// The type name used for `type` in the report.
    public var typeName: String { Self.name(ofType: typeID) ?? "unknown" }

    /// Returns the message in one line, with the values relevant to a stream.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        switch payload {
        case .setChunkSize(let size): return "Set Chunk Size \(size)"
        case .abort(let id): return "Abort the message on chunk stream \(id)"
        case .acknowledgement(let octets): return "Acknowledgement \(octets)"
        case .userControl(let event): return event.wording
        case .windowAckSize(let size): return "Window Acknowledgement Size \(size)"
        case .setPeerBandwidth(let size, let type):
            let words: Wording = "Set Peer Bandwidth \(size)"
            guard let type else { return words }
            let names: [UInt8: Wording] = [0: ", hard", 1: ", soft", 2: ", dynamic"]
            return words + (names[type] ?? ", limit type \(type)")
        case .command(let command): return wording(of: command, secrets)
        case .data(let data): return "data: " + wording(of: data, secrets)
        case .audio(let audio): return audio?.wording(length) ?? "audio: empty message, silence"
        case .video(let video): return video?.wording(length) ?? "video: empty message"
        case .sharedObject(let object): return object.wording { RTMPSecrets.hide($0, streamKeys, secrets) }
        case .aggregate:
            return "aggregate of \(aggregate?.count ?? 0, "message", "messages"), \(length, "octet", "octets")"
        case .unknown:
            guard let name = Self.name(ofType: typeID) else {
                return "message of type \(typeID), \(length, "octet", "octets")"
            }
            return isCut
                ? "\(name), truncated before its contents, \(length, "octet", "octets")"
                : "\(name), \(length, "octet", "octets")"
        case .malformed(let reason): return "\(typeName), malformed: \(reason)"
        }
    }

    private func wording(of command: RTMPCommand, _ secrets: SecretPolicy) -> Wording {
        var words = [
            command.name.map { Wording(verbatim: $0) } ?? (isCut ? "a command, truncated before its name" : "no name")
        ]
        func show(_ value: String) -> String { RTMPSecrets.hide(value, streamKeys, secrets) }
        switch command.name {
        case "connect":
            if let app = command.arguments.first?["app"]?.text {
                words.append("app \"\(hide(application: app, secrets))\"")
            }
            if let url = command.arguments.first?["tcUrl"]?.text {
                words.append("tcUrl \(hide(application: url, secrets))")
            }
        case "_result", "_error", "onStatus", "onPlayStatus", "onFCPublish", "onFCUnpublish", "onFCSubscribe":
            if case .number(let number)? = command.arguments.last, command.name == "_result" {
                words.append(command.makesStream ? "stream \(plain(number))" : Wording(verbatim: plain(number)))
            }
            if let code = command.information?["code"]?.text {
                words.append(Wording(verbatim: Self.explainedCodes.contains(code) ? code : show(code)))
            } else if isCut, let level = command.arguments.lazy.compactMap({ $0["level"]?.text }).first {
                words.append("level \(show(level))")
            }
            if let text = command.information?["description"]?.text, command.information?["level"]?.text == "error" {
                let shown = lacksName(command) ? secrets.apply(text) : show(text)
                words.append(Wording(verbatim: "\"\(shown)\""))
            }
            if let url = command.information?["tcUrl"]?.text { words.append("to \(hide(application: url, secrets))") }
        default:
            if let name = command.streamName { words.append("\"\(secrets.apply(name))\"") }
            if command.name == "publish", case .string(let type)? = command.arguments.dropFirst(2).first {
                words.append(Wording(verbatim: Self.publishingTypes.contains(type) ? type : secrets.apply(type)))
            }
            if let inner = command.arguments.first?.text, command.name == "@setDataFrame" {
                words.append(Wording(verbatim: show(inner)))
            }
            switch command.arguments.dropFirst().first {
            case .boolean(let flag)? where ["pause", "receiveAudio", "receiveVideo"].contains(command.name):
                words.append(Wording(verbatim: flag ? "true" : "false"))
            case .number(let milliseconds)? where command.name == "seek": words.append("\(plain(milliseconds)) ms")
            default: break
            }
            if command.name == "deleteStream", let stream = command.arguments.last?.number {
                words.append("stream \(plain(stream))")
            }
        }
        if let transaction = command.transactionID {
            if command.name == "_result" || command.name == "_error" {
                let number = plain(transaction)
                words.insert(words.count > 1 ? "for transaction \(number):" : "for transaction \(number)", at: 1)
            } else if transaction != 0 {
                words.append("(transaction \(plain(transaction)))")
            }
        }
        var text = words.joined(separator: " ")
        if let facts = command.metadata?.value.wording(show), !facts.isEmpty { text += ": " + facts }
        if command.problem == nil || isCut && command.name == nil { return text }
        return text + (isCut ? ", truncated" : ", not fully decoded")
    }

    /// Returns the members of `fields` in the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("chunkStreamId", chunkStreamID)
        fields.add("typeId", Int(typeID))
        fields.add("type", typeName)
        fields.add("messageStreamId", framing.isMessageStreamKnown ? Int(messageStreamID) : nil)
        fields.add("timestamp", framing.isTimestampKnown ? Int(timestamp) : nil)
        fields.add("length", length)
        fields.add("chunks", chunks)
        switch payload {
        case .setChunkSize(let size): fields.add("chunkSize", Int(size))
        case .abort(let id): fields.add("abortedChunkStreamId", Int(id))
        case .acknowledgement(let octets): fields.add("sequenceNumber", Int(octets))
        case .windowAckSize(let size): fields.add("windowSize", Int(size))
        case .setPeerBandwidth(let size, let type):
            fields.add("windowSize", Int(size))
            fields.add("limitType", type.map { Int($0) })
        case .userControl(let event):
            fields.add("eventType", Int(event.eventType))
            fields.add("event", event.name)
            fields.add("eventValue", event.value.map { Int($0) })
            fields.add("bufferMs", event.bufferMilliseconds.map { Int($0) })
        case .command(let command), .data(let command):
            fields.add("command", command.name)
            fields.add("transactionId", command.transactionID.flatMap(Self.finite))
            fields.add("arguments", arguments(command, secrets))
            fields.add("capabilities", command.capabilities?.field)
            fields.add("problem", command.problem)
        case .audio(let audio): fields += audio?.fields ?? []
        case .video(let video): fields += video?.fields { RTMPSecrets.hide($0, streamKeys, secrets) } ?? []
        case .sharedObject(let object):
            fields.add("sharedObject", object.fields(secrets) { RTMPSecrets.hide($0, streamKeys, secrets) })
            fields.add("problem", object.problem)
        case .malformed(let reason): fields.add("problem", reason)
        case .aggregate, .unknown: break
        }
        addFraming(&fields)
        if isCut { fields.add("isCut", true) }
        return fields
    }

    private func addFraming(_ fields: inout [Field]) {
        if framing.isInAggregate {
            fields.add("inAggregate", true)
        } else {
            fields.add("chunkType", Int(framing.format))
        }
        if framing.isExtended { fields.add("extendedTimestamp", true) }
        fields.add("type3Timestamps", framing.extendedHabit?.rawValue)
        if framing.passedOver > 0 { fields.add("passedOver", framing.passedOver) }
        fields.add("sentBefore", framing.prematureOf?.rawValue)
        fields.add("aggregatedMessages", aggregate?.count)
    }

    private func arguments(_ command: RTMPCommand, _ secrets: SecretPolicy) -> FieldValue {
        let keys = streamKeys.map { $0 + command.streamNames }
        let isConnect = command.name == "connect"
        // Arguments of unspecified commands have no known meaning; before publish they are mostly keys.
        let isUnknown =
            typeID != 18 && typeID != 15 && command.name.map { !Self.explainedCommands.contains($0) } ?? false
        let lacksName = lacksName(command)
        let shown = command.arguments.enumerated().map { position, argument in
            argument.json { member, text in
                // The optional user arguments of connect are specific to the application, usually credentials (RTMP
                // §7.2.1.1, "Optional User Arguments").
                if isConnect && position > 0 || isUnknown || member.map(SecretNames.isSecret) == true
                    || !isConnect && position >= command.knownArguments && !Self.publishingTypes.contains(text)
                {
                    return secrets.apply(text)
                }
                if lacksName, let member, !Self.ownWords.contains(TextSyntax.lowercased(member)) {
                    return secrets.apply(text)
                }
                if let member, RTMPSecrets.isApplication(member) {
                    return RTMPSecrets.hide(application: text, keys, secrets)
                }
                return RTMPSecrets.hide(text, keys, secrets)
            }
        }
        return .array(shown)
    }

    /// Whether it refers to a stream whose name was not captured, so that it cannot be distinguished from other text.
    private func lacksName(_ command: RTMPCommand) -> Bool {
        guard mayLackName, command.streamNames.isEmpty else { return false }
        return typeID == 18 || typeID == 15 || RTMPSecrets.isAboutStream(code: command.information?["code"]?.text)
    }

    /// Lowercase member names whose values never repeat a stream name.
    private static let ownWords: Set = [
        "level", "code", "encoder", "server", "metadatacreator", "videocodecid", "audiocodecid", "major_brand",
        "minor_version", "compatible_brands", "creationdate", "creation_time", "presetname", "videodevice",
        "audiodevice", "fmsver", "mode", "version", "objectencoding", "clientid", "handler_name", "language",
        "audiochannels", "profile", "avcprofile", "avclevel", "aacaot", "videokeyframe_frequency",
    ]

    private func hide(application text: String, _ secrets: SecretPolicy) -> String {
        RTMPSecrets.hide(application: text, streamKeys, secrets)
    }

    /// Values of the third argument of `publish` (RTMP §7.2.2.6).
    private static let publishingTypes: Set = ["live", "record", "append", "appendWithGap"]

    private static func finite(_ number: Double) -> FieldValue? {
        Int(exactly: number).map { .integer($0) } ?? (number.isFinite ? .double(number) : nil)
    }

    /// The purpose of the step.
    public var note: Text? {
        switch payload {
        case .command(let command):
            guard let name = command.name else { return nil }
            if name == "onStatus" || name == "_result" || name == "_error", let status = command.statusNote {
                return status
            }
            return Self.explainedCommands.contains(name)
                ? Text("rtmp.command.\(name)") : Text("rtmp.command.unknown", .string(name))
        case .data(let data):
            if let status = data.statusNote { return status }
            let isMetadata = data.name == "onMetaData" || data.arguments.first?.text == "onMetaData"
            return Text(isMetadata ? "rtmp.data.metadata" : "rtmp.data.other")
        case .audio(let audio): return Text(audio?.isConfiguration == true ? "rtmp.audio.configuration" : "rtmp.audio")
        case .video(let video): return Text(video?.isConfiguration == true ? "rtmp.video.configuration" : "rtmp.video")
        case .userControl(let event): return Text("rtmp.userControl.\(event.name ?? "unknown")")
        case .unknown, .malformed: return nil
        default: return Text("rtmp.message.\(typeName)")
        }
    }

    static let explainedCommands: Set = [
        "connect", "_result", "_error", "onStatus", "releaseStream", "FCPublish", "FCUnpublish", "createStream",
        "publish", "play", "play2", "pause", "seek", "receiveAudio", "receiveVideo", "deleteStream", "closeStream",
        "onFCPublish", "onBWDone", "_checkbw", "getStreamLength", "FCSubscribe", "call", "onFCUnpublish",
        "onFCSubscribe", "FCUnsubscribe", "set_playlist", "close",
    ]
    static let explainedCodes: Set = [
        "NetConnection.Connect.Success", "NetConnection.Connect.Rejected", "NetConnection.Connect.Failed",
        "NetStream.Publish.Start", "NetStream.Publish.BadName", "NetStream.Unpublish.Success",
        "NetStream.Play.Reset", "NetStream.Play.Start", "NetStream.Play.StreamNotFound", "NetStream.Play.Failed",
        "NetStream.Play.Stop", "NetStream.Play.PublishNotify", "NetStream.Play.UnpublishNotify",
        "NetConnection.Connect.ReconnectRequest", "NetConnection.Connect.Closed", "NetConnection.Connect.AppShutdown",
        "NetConnection.Connect.InvalidApp", "NetConnection.Connect.IdleTimeOut", "NetStream.Play.Complete",
        "NetStream.Play.Switch", "NetStream.Play.Transition", "NetStream.Play.TransitionComplete",
        "NetStream.Play.InsufficientBW", "NetStream.Pause.Notify", "NetStream.Unpause.Notify", "NetStream.Seek.Notify",
        "NetStream.Seek.InvalidTime", "NetStream.Data.Start", "NetStream.Failed", "NetStream.Publish.Idle",
        "NetStream.Record.Start", "NetStream.Record.Stop", "NetStream.Record.NoAccess",
    ]
}

extension RTMPCommand {
    /// The meaning of a status code, or nil for codes without an explanation.
    fileprivate var statusNote: Text? {
        guard let code = information?["code"]?.text, RTMPMessage.explainedCodes.contains(code) else { return nil }
        return Text("rtmp.status.\(code)")
    }
}

/// Returns the number without a fraction if it is integral.
private func plain(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
}

extension RTMPMessage {
    /// Appends the values of a complete audio or video message in plain FLV whose chunk state is fully known.
    public func outline(_ record: inout RecordOutline) -> Bool {
        guard typeID == 8 || typeID == 9, !isCut, framing.isTimestampKnown, framing.isMessageStreamKnown,
            !framing.isInAggregate, framing.passedOver == 0, framing.prematureOf == nil
        else { return false }
        record.number(chunkStreamID, field: "chunkStreamId")
        record.number(Int(messageStreamID), field: "messageStreamId")
        record.number(Int(timestamp), field: "timestamp")
        record.number(length, field: "length", after: ", ")
        record.number(chunks, field: "chunks")
        // The singular is used for one octet.
        let carriage = UInt64(typeID) | UInt64(framing.outline) << 8 | (length == 1 ? 1 << 16 : 0)
        switch payload {
        case .audio(let audio?):
            guard let octets = audio.outline else { return false }
            record.rest(carriage, octets)
        case .video(let video?):
            guard let octets = video.outline else { return false }
            if let time = video.compositionTime { record.number(time, field: "compositionTime") }
            if let units = video.units { record.number(units.count, field: "nalUnits") }
            record.rest(carriage, octets, video.units?.types ?? 0)
        default: return false
        }
        return true
    }

    /// The memory used by the values of commands and data, in octets.
    public var keptOctets: Int {
        switch payload {
        case .command, .data, .sharedObject: length
        default: 0
        }
    }

    /// The member that links an answer to the event of its command.
    public var answerLink: String { "replyTo" }

    /// The recurrence key of media, data, acknowledgements and pings, which are sent continuously; otherwise nil.
    public var recurrence: String? {
        switch payload {
        case .command, .setChunkSize, .windowAckSize, .setPeerBandwidth: nil
        case .userControl(let event) where event.eventType != 6 && event.eventType != 7: nil
        default: typeName
        }
    }
}

extension RTMPFraming {
    /// The properties that determine the members about chunks.
    fileprivate var outline: UInt8 {
        let habit: UInt8 =
            switch extendedHabit {
            case nil: 0
            case .repeated: 8
            case .omitted: 16
            }
        return format & 3 | (isExtended ? 4 : 0) | habit
    }
}
