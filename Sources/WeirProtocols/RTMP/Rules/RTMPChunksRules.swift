import WeirEngine
import WeirPackets

/// RTMP-CS-TYPE0: a chunk stream starts with a type 0 chunk.
///
/// All other types omit fields that only an earlier chunk provides (RTMP §5.3.1.2.1). Some peers start with type 1,
/// which omits only the message stream ID.
struct RTMPChunkType0: Rule {
    static let info = RuleInfo(
        "RTMP-CS-TYPE0", .error, .must, reference: "RTMP §5.3.1.2.1",
        check: "The first chunk of each chunk stream is of type 0.", example: "first chunk on chunk stream 4: type 1")

    static var sorts: MessageSorts { [.rtmpFirstOnChunkStream, .rtmpRemarked] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        for remark in step.event.remarks where remark.text.key == "rtmp.remark.stray" {
            judge(stray: remark.text, step, &judgement)
        }
        guard let message = step.chunked, message.framing.isFirstOnChunkStream else { return }
        guard message.framing.beginsWithoutType0 else {
            judgement.pass()
            return
        }
        let id = message.chunkStreamID
        if step.mayHaveMissed {
            judgement.inconclusive(Text("RTMP-CS-TYPE0.inconclusive", .integer(id)), subject: "\(id)")
        } else {
            judgement.fail(
                Text("RTMP-CS-TYPE0.other", .integer(id), .integer(Int(message.framing.format))), expected: .wire("0"),
                actual: .wire("\(message.framing.format)"), quirk: message.framing.format == 1 ? "Q-RTMP-CHUNK" : nil,
                subject: "\(id)")
        }
    }

    /// Judges a chunk that could not be parsed because it continues a message that never started.
    private func judge(stray: Text, _ step: Step, _ judgement: inout Judgement) {
        guard case .integer(let id)? = stray.arguments.first, case .integer(let format)? = stray.arguments.last else {
            return
        }
        if step.completeness?.lacksMessages == true {
            judgement.inconclusive(Text("RTMP-CS-TYPE0.inconclusive", .integer(id)), subject: "\(id)")
        } else {
            judgement.fail(
                Text("RTMP-CS-TYPE0.stray", .integer(id), .integer(format)), expected: .wire("0"),
                actual: .wire("\(format)"), subject: "\(id)")
        }
    }
}

/// RTMP-CS-CSID: the basic header uses the shortest form for the chunk stream ID.
///
/// Of its three forms, the shortest that can represent the ID should be used (RTMP §5.3.1.1).
struct RTMPChunkStreamID: Rule {
    static let info = RuleInfo(
        "RTMP-CS-CSID", .note, .should, reference: "RTMP §5.3.1.1",
        check: "The basic header has the shortest form for the chunk stream ID.",
        example: "chunk stream 70 in three octets, though two hold it")

    static var sorts: MessageSorts { .rtmpMessage }

    private var isSaid = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.chunked else { return }
        if !message.framing.isBasicHeaderLong(message.chunkStreamID) {
            judgement.pass()
        } else if !isSaid {
            isSaid = true
            judgement.fail(
                Text("RTMP-CS-CSID.long", .integer(message.chunkStreamID), .integer(message.framing.basicOctets)))
        }
    }
}

/// RTMP-CS-CONTROL: protocol control messages use chunk stream 2 and message stream 0.
///
/// Both are a MUST for types 1, 2, 3, 5 and 6 (RTMP §5.4). A message shorter than the fields of its type has no
/// meaning.
struct RTMPControlStream: Rule {
    static let info = RuleInfo(
        "RTMP-CS-CONTROL", .error, .must, reference: "RTMP §5.4",
        check: "Messages of types 1, 2, 3, 5 and 6 are on chunk stream 2 and message stream 0.",
        example: "Set Chunk Size on chunk stream 3")

    static var sorts: MessageSorts { .rtmpControl }

    /// The minimum payload size in octets by type (RTMP §5.4.1 to §5.4.5; §6.2: event type and some event data).
    private static let fields: [UInt8: Int] = [1: 4, 2: 4, 3: 4, 4: 2, 5: 4, 6: 5]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtmp else { return }
        if let least = Self.fields[message.typeID], message.length < least, !message.isCut, !message.framing.isInferred
        {
            judgement.fail(
                Text("RTMP-CS-CONTROL.short", .string(message.typeName), .integer(message.length), .integer(least)),
                expected: .wire("\(least)"), actual: .wire("\(message.length)"),
                reference: message.typeID == 4 ? "RTMP §6.2" : nil, subject: message.typeName)
            return
        }
        guard step.chunked != nil, [1, 2, 3, 5, 6].contains(message.typeID) else { return }
        let name = Text.Argument.string(message.typeName)
        if message.chunkStreamID != 2 {
            judgement.fail(
                Text("RTMP-CS-CONTROL.chunkStream", name, .integer(message.chunkStreamID)), expected: .wire("2"),
                actual: .wire("\(message.chunkStreamID)"), subject: message.typeName)
        } else if message.messageStreamID != 0, message.framing.isMessageStreamKnown {
            judgement.fail(
                Text("RTMP-CS-CONTROL.messageStream", name, .integer(Int(message.messageStreamID))),
                expected: .wire("0"), actual: .wire("\(message.messageStreamID)"), subject: message.typeName)
        } else {
            judgement.pass()
        }
    }
}

/// RTMP-CS-UCM: user control messages use chunk stream 2, message stream 0 and a single chunk.
///
/// Each of the three is a SHOULD (RTMP §6.2); the last one applies if the chunk size permits it.
struct RTMPUserControlStream: Rule {
    static let info = RuleInfo(
        "RTMP-CS-UCM", .warning, .should, reference: "RTMP §6.2",
        check: "User control messages are on chunk stream 2 and message stream 0, in one chunk.",
        example: "Stream Begin on chunk stream 3")

    static var sorts: MessageSorts { .rtmpUserControl }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.chunked, message.typeID == 4 else { return }
        if message.chunkStreamID != 2 {
            judgement.fail(
                Text("RTMP-CS-UCM.chunkStream", .integer(message.chunkStreamID)), expected: .wire("2"),
                actual: .wire("\(message.chunkStreamID)"), subject: "chunkStream")
        } else if message.messageStreamID != 0, message.framing.isMessageStreamKnown {
            judgement.fail(
                Text("RTMP-CS-UCM.messageStream", .integer(Int(message.messageStreamID))), expected: .wire("0"),
                actual: .wire("\(message.messageStreamID)"), subject: "messageStream")
        } else if message.chunks > 1 {
            judgement.fail(Text("RTMP-CS-UCM.chunks", .integer(message.chunks)), subject: "chunks")
        } else {
            judgement.pass()
        }
    }
}

/// RTMP-CS-SIZE: Set Chunk Size carries a valid size.
///
/// The first bit MUST be zero, the size MUST NOT be 0 and SHOULD NOT be below 128 octets; chunks do not exceed the
/// announced size (RTMP §5.4.1), 128 octets by default.
struct RTMPChunkSize: Rule {
    static let info = RuleInfo(
        "RTMP-CS-SIZE", .error, .must, reference: "RTMP §5.4.1",
        check:
            "The first bit of Set Chunk Size is 0, and its size at least 128; chunks do not exceed the announced size.",
        example: "Set Chunk Size 0")

    static var sorts: MessageSorts { .rtmpChunkSize }

    private var isExcessSaid: Set<Bool> = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let message = step.rtmp, message.framing.exceedsChunkSize, isExcessSaid.insert(step.isFromClient).inserted {
            judgement.fail(Self.excess(of: message, step), subject: step.isFromClient ? "client" : "server")
        }
        guard case .setChunkSize(let size)? = step.rtmp?.payload else { return }
        judge(size, &judgement)
    }

    /// Describes a chunk that is too long, and the cause if the peer announced that size for the other direction.
    private static func excess(of message: RTMPMessage, _ step: Step) -> Text {
        let (length, id) = (Text.Argument.integer(message.length), Text.Argument.integer(message.chunkStreamID))
        guard let long = step.rtmpSession?.marks.longChunk, long.isClients == step.isFromClient, let peer = long.peer
        else {
            return Text("RTMP-CS-SIZE.exceeded", length, id)
        }
        return Text(
            "RTMP-CS-SIZE.ofPeer.\(step.isFromClient ? "client" : "server")", length, id, .integer(peer.size),
            .integer(peer.frame))
    }

    private func judge(_ size: UInt32, _ judgement: inout Judgement) {
        let value = Text.Argument.integer(Int(size & 0x7FFF_FFFF))
        if size > 0x7FFF_FFFF {
            judgement.fail(Text("RTMP-CS-SIZE.firstBit", value), actual: .wire("\(size)"), subject: "firstBit")
        } else if size == 0 {
            judgement.fail(Text("RTMP-CS-SIZE.zero"), subject: "zero")
        } else if size < 128 {
            judgement.fail(Text("RTMP-CS-SIZE.small", value), severity: .warning, subject: "small")
        } else {
            judgement.pass()
        }
    }
}

/// RTMP-CS-LENGTH: a message has the length its header announces.
///
/// The chunks of a message add up to its length (RTMP §5.3.1.2.5): a message interrupted by another on the same chunk
/// stream stays incomplete unless it is aborted (§5.4.2). All chunks after the first should be type 3 (§5.3.1.2.4).
struct RTMPMessageLength: Rule {
    static let info = RuleInfo(
        "RTMP-CS-LENGTH", .error, .must, reference: "RTMP §5.3.1.2.5",
        check:
            "Every message is complete before the next one on its chunk stream, and continues in type 3 chunks.",
        example: "message of 300 octets, a new one after 128")

    static var sorts: MessageSorts { .rtmpMessage }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.chunked else { return }
        let id = Text.Argument.integer(message.chunkStreamID)
        if let unfinished = message.framing.unfinished {
            if step.completeness?.lacksMessages == true {
                judgement.inconclusive(Text("RTMP-CS-LENGTH.inconclusive", id))
            } else {
                judgement.fail(
                    Text("RTMP-CS-LENGTH.unfinished", id, .integer(unfinished.received), .integer(unfinished.length)),
                    expected: .wire("\(unfinished.length)"), actual: .wire("\(unfinished.received)"),
                    subject: "unfinished")
            }
        } else if message.framing.oddContinuations > 0 {
            judgement.fail(
                Text("RTMP-CS-LENGTH.continuation", id, .integer(message.framing.oddContinuations)), severity: .note,
                reference: "RTMP §5.3.1.2.4", subject: "continuation")
        } else {
            judgement.pass()
        }
    }
}
