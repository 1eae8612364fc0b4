import WeirEngine
import WeirPackets

/// RTMP-ORDER: a message stream is created before it is used.
///
/// The client waits for the createStream response before it sends play (RTMP §7.2.2.1); media uses the stream created
/// by createStream (§7.2.1.3), so publish and play are sent on the message stream in that response.
struct RTMPStreamOrder: Rule {
    static let info = RuleInfo(
        "RTMP-ORDER", .error, .plain, reference: "RTMP §7.2.1.3, §7.2.2.1",
        check: "publish and play follow the result of createStream, on the message stream that it returns.",
        example: "createStream (transaction 4)\npublish on stream 1, before the answer")

    static var sorts: MessageSorts { .rtmpStreamCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.kind == .publish || said.kind == .play, let message = step.rtmp,
            let session = step.rtmpSession
        else { return }
        let id = message.messageStreamID
        if session.netStreams.contains(where: { $0.id == id && $0.created != nil }) {
            judgement.pass()
        } else if step.mayHaveMissed || step.completeness?.isOneSided == true {
            judgement.inconclusive(Text("RTMP-ORDER.inconclusive", .string(said.name)), subject: said.name)
        } else if session.pending.contains(where: { $0.command.kind == .createStream }) {
            judgement.fail(Text("RTMP-ORDER.early", .string(said.name), .integer(Int(id))), subject: said.name)
        } else if id == 0 {
            judgement.fail(
                Text("RTMP-ORDER.zero", .string(said.name)), quirk: "Q-RTMP-CMD", subject: said.name)
        } else {
            judgement.fail(Text("RTMP-ORDER.unknown", .string(said.name), .integer(Int(id))), subject: said.name)
        }
    }
}

/// RTMP-PUBLISH: `publish` has all its arguments.
///
/// A null command object, the publishing name and the publishing type: `live`, `record` or `append` (RTMP §7.2.2.6).
struct RTMPPublishArguments: Rule {
    static let info = RuleInfo(
        "RTMP-PUBLISH", .error, .plain, reference: "RTMP §7.2.2.6",
        check: "publish has null, a name, and the type live, record or append.",
        example: "publish null \"***\" \"LIVE\"")

    static var sorts: MessageSorts { .rtmpStreamCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.kind == .publish else { return }
        let arguments = said.arguments
        // publish(false) stops publishing in Flash Player.
        if case .boolean? = arguments.dropFirst().first { return }
        guard case .null? = arguments.first else {
            judgement.fail(Text("RTMP-PUBLISH.notNull"), subject: "null")
            return
        }
        guard let name = arguments.dropFirst().first?.text, !name.isEmpty else {
            judgement.fail(Text("RTMP-PUBLISH.noName"), subject: "name")
            return
        }
        switch arguments.dropFirst(2).first?.text {
        case "live", "record", "append": judgement.pass()
        case nil: judgement.fail(Text("RTMP-PUBLISH.noType"), severity: .warning, subject: "type")
        case let type?:
            // If the arguments are shifted, this may be the stream key.
            judgement.fail(Text("RTMP-PUBLISH.type"), actual: Text("{0}", .secret(Text.clip(type))), subject: "type")
        }
    }
}

/// RTMP-MEDIA-EARLY: media is sent before the server has accepted the stream.
///
/// The server answers publish with onStatus when publishing may start (RTMP §7.2.2.6). The example of §7.3.1 sends
/// media earlier; some servers drop it, including the decoder configuration.
struct RTMPMediaEarly: Rule {
    static let info = RuleInfo(
        "RTMP-MEDIA-EARLY", .note, .plain, reference: "RTMP §7.2.2.6, §7.3.1",
        check: "Audio and video start after NetStream.Publish.Start.", example: "publish\nvideo begins\nonStatus")

    static var sorts: MessageSorts { .rtmpStart }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.rtmp == nil, step.isFromClient, let start = step.message(RTMPStart.self),
            let session = step.rtmpSession, let id = start.messageStreamID, let stream = session.netStreamIndex(id),
            session.netStreams[stream].role == .publish
        else { return }
        if session.netStreams[stream].accepted != nil {
            judgement.pass()
        } else if step.mayHaveMissed || step.completeness?.isOneSided == true {
            judgement.inconclusive(Text("RTMP-MEDIA-EARLY.inconclusive"))
        } else {
            judgement.fail(Text("RTMP-MEDIA-EARLY.early", .string(start.mediaType)), subject: start.mediaType)
        }
    }
}
