import WeirEngine
import WeirPackets

/// RTMP-CS-TYPE0: a chunk stream begins with a chunk of type 0.
///
/// No other type may begin one (RTMP §5.3.1.2.1): they leave out what only an earlier chunk can tell. Some peers begin
/// with type 1, which has all but the message stream id.
struct RTMPChunkType0: Rule {
    static let info = RuleInfo(
        "RTMP-CS-TYPE0", .error, .must, reference: "RTMP §5.3.1.2.1",
        check: "The first chunk of each chunk stream is of type 0.", example: "first chunk on chunk stream 4: type 1")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        for remark in step.event.remarks where remark.text.key == "rtmp.remark.stray" {
            judge(stray: remark.text, step, &judgement)
        }
        guard step.isChunked, let message = step.rtmp, message.framing.isFirstOnChunkStream else { return }
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

    /// A chunk that could not be read at all, since nothing had begun what it goes on with.
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

/// RTMP-CS-CSID: the basic header is as short as the chunk stream id allows.
///
/// Of the three forms of an id, the shortest that has room for it should be used (RTMP §5.3.1.1).
struct RTMPChunkStreamID: Rule {
    static let info = RuleInfo(
        "RTMP-CS-CSID", .note, .should, reference: "RTMP §5.3.1.1",
        check: "The basic header has the shortest form that holds the chunk stream id.",
        example: "chunk stream 70 in three octets, though two hold it")

    private var isSaid = false

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let message = step.rtmp else { return }
        if !message.framing.isBasicHeaderLong(message.chunkStreamID) {
            judgement.pass()
        } else if !isSaid {
            isSaid = true
            judgement.fail(
                Text("RTMP-CS-CSID.long", .integer(message.chunkStreamID), .integer(message.framing.basicOctets)))
        }
    }
}

/// RTMP-CS-CONTROL: protocol control messages travel on chunk stream 2 and message stream 0.
///
/// Both are a MUST for the types 1, 2, 3, 5 and 6 (RTMP §5.4). A message that is shorter than what its type holds says
/// nothing.
struct RTMPControlStream: Rule {
    static let info = RuleInfo(
        "RTMP-CS-CONTROL", .error, .must, reference: "RTMP §5.4",
        check: "Messages of types 1, 2, 3, 5 and 6 are on chunk stream 2 and message stream 0.",
        example: "Set Chunk Size on chunk stream 3")

    static var sorts: MessageSorts { .rtmpControl }

    /// Octets of the types' fields (RTMP §5.4.1 to §5.4.5, §6.2: an event type and its data, of which no event has none).
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
        guard step.isChunked, [1, 2, 3, 5, 6].contains(message.typeID) else { return }
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

/// RTMP-CS-UCM: user control messages travel on chunk stream 2, message stream 0, in one chunk.
///
/// Each of the three is a SHOULD (RTMP §6.2); for the last one chunks have to be large enough.
struct RTMPUserControlStream: Rule {
    static let info = RuleInfo(
        "RTMP-CS-UCM", .warning, .should, reference: "RTMP §6.2",
        check: "User control messages are on chunk stream 2 and message stream 0, in one chunk.",
        example: "Stream Begin on chunk stream 3")

    static var sorts: MessageSorts { .rtmpControl }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let message = step.rtmp, message.typeID == 4 else { return }
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

/// RTMP-CS-SIZE: Set Chunk Size holds a size that is allowed.
///
/// The first bit MUST be zero, the size MUST NOT be 0, and SHOULD NOT be below 128 octets; chunks are no longer than the
/// side has said (RTMP §5.4.1), 128 octets until it has said anything.
struct RTMPChunkSize: Rule {
    static let info = RuleInfo(
        "RTMP-CS-SIZE", .error, .must, reference: "RTMP §5.4.1",
        check: "Set Chunk Size has the first bit clear and a size from 128 on; chunks are no longer than it says.",
        example: "Set Chunk Size 0")

    private var isExcessSaid: Set<Bool> = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if let message = step.rtmp, message.framing.exceedsChunkSize, isExcessSaid.insert(step.isFromClient).inserted {
            judgement.fail(Self.excess(of: message, step), subject: step.isFromClient ? "client" : "server")
        }
        guard case .setChunkSize(let size)? = step.rtmp?.payload else { return }
        judge(size, &judgement)
    }

    /// That a chunk is too long, and where that comes from if the peer has announced such chunks for the other direction.
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

/// RTMP-CS-LENGTH: a message has the length that it announces.
///
/// The chunks of a message add up to its length (RTMP §5.3.1.2.5): one that another message cuts short never becomes
/// complete, unless Abort says so (§5.4.2). Behind the first chunk of a message all should be of type 3 (§5.3.1.2.4).
struct RTMPMessageLength: Rule {
    static let info = RuleInfo(
        "RTMP-CS-LENGTH", .error, .must, reference: "RTMP §5.3.1.2.5",
        check:
            "Every message is complete before another one begins on its chunk stream; it goes on in chunks of type 3.",
        example: "message of 300 octets, a new one after 128")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let message = step.rtmp else { return }
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
