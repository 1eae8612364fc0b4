import WeirEngine
import WeirPackets

/// RTMP-CMD-TYPE: commands are sent in command messages.
///
/// Message types 20 (AMF0) and 17 (AMF3) carry commands (RTMP §7.1.1), 18 and 15 carry metadata and other data
/// (§7.1.2). A command in a data message is forwarded to players or dropped, never executed.
struct RTMPCommandType: Rule {
    static let info = RuleInfo(
        "RTMP-CMD-TYPE", .warning, .plain, reference: "RTMP §7.1.1, §7.1.2",
        check: "Commands are sent in messages of type 20 or 17.", example: "type 18: releaseStream")

    static var sorts: MessageSorts { .rtmpCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.said else { return }
        if said.isData, let message = step.rtmp {
            judgement.fail(
                Text("RTMP-CMD-TYPE.data", .wire(said.name), .integer(Int(message.typeID))), expected: .wire("20"),
                actual: .wire("\(message.typeID)"), subject: said.name)
        } else {
            judgement.pass()
        }
    }
}

/// RTMP-EXT-CMD: commands outside the specification.
///
/// Flash Media Server introduced them, encoders still send them, and servers may answer, refuse or ignore them. Each is
/// reported once.
struct RTMPExtensionCommand: Rule {
    static let info = RuleInfo(
        "RTMP-EXT-CMD", .note, .practice, reference: "practice",
        check: "Reports releaseStream, FCPublish and other commands that are not in the specification.",
        example: "releaseStream \"***\" (transaction 2)")

    /// The commands that were reported. A list: there are few.
    private var reported: [RTMPCommandKind] = []

    static var sorts: MessageSorts { .rtmpCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.said else { return }
        guard let kind = said.kind, kind.isExtension else {
            judgement.pass()
            return
        }
        guard !reported.contains(kind) else { return }
        reported.append(kind)
        judgement.fail(Text("RTMP-EXT-CMD." + kind.rawValue), quirk: "Q-RTMP-CMD", subject: kind.rawValue)
    }
}

/// RTMP-KEY-CLEAR: the stream key is visible on the network.
///
/// On most services, the name in `publish` is all that is needed to publish; the same applies to a token in the query
/// of a played name. RTMP is not encrypted; RTMPS is.
struct RTMPKeyInClear: Rule {
    static let info = RuleInfo(
        "RTMP-KEY-CLEAR", .note, .practice, reference: "practice",
        check: "No stream key or token is sent in the clear.", example: "publish \"***\" live")

    private var isSaid = false

    static var sorts: MessageSorts { .rtmpStreamCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.kind == .publish || said.kind == .play,
            let name = said.streamName, !name.isEmpty
        else { return }
        let hasToken = name.utf8.contains(UInt8(ascii: "?"))
        guard said.kind == .publish || hasToken, step.event.decrypted == nil else {
            judgement.pass()
            return
        }
        guard !isSaid else { return }
        isSaid = true
        judgement.fail(Text(hasToken ? "RTMP-KEY-CLEAR.token" : "RTMP-KEY-CLEAR.name"), subject: said.name)
    }
}

/// RTMP-TXID-ZERO: commands on a message stream have transaction ID 0.
///
/// This applies to publish, play, play2, pause, seek, deleteStream, receiveAudio and receiveVideo (RTMP §7.2.2.1 to
/// §7.2.2.8), which are answered by onStatus rather than by transaction.
struct RTMPTransactionZero: Rule {
    static let info = RuleInfo(
        "RTMP-TXID-ZERO", .note, .plain, reference: "RTMP §7.2.2.1-§7.2.2.8",
        check: "publish, play, pause, seek, deleteStream and similar commands have transaction 0.",
        example: "publish \"***\" live (transaction 5)")

    /// The commands that were reported. A list: there are few.
    private var reported: [RTMPCommandKind] = []

    static var sorts: MessageSorts { .rtmpStreamCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let command = step.clientCommand, let kind = command.kind, kind.isStreamCommand else { return }
        if command.transactionID == 0 {
            judgement.pass()
        } else if !reported.contains(kind) {
            reported.append(kind)
            judgement.fail(
                Text("RTMP-TXID-ZERO.other", .string(command.name)), expected: .wire("0"),
                actual: .wire(command.transactionText), quirk: "Q-RTMP-CMD", subject: command.name)
        }
    }
}
