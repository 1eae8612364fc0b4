import WeirEngine
import WeirPackets

/// RTMP-CS-EXTTS: the extended timestamp is where it belongs.
///
/// A chunk of type 3 has it when the latest chunk of another type on its chunk stream had it (RTMP §5.3.1.3). Older
/// librtmp and others leave it out there; receivers have to look ahead to see which it is. A field that would have fit
/// into 24 bits SHOULD be there (§5.3.1.2.1).
struct RTMPExtendedTimestamp: Rule {
    static let info = RuleInfo(
        "RTMP-CS-EXTTS", .error, .plain, reference: "RTMP §5.3.1.3",
        check: "Chunks of type 3 repeat the extended timestamp, and it is used only where 24 bits do not do.",
        example: "C4 (type 3) without the four octets that the chunk of type 0 had")

    private var isOmissionSaid: Set<Bool> = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let framing = step.rtmp?.framing, framing.isExtended else { return }
        if framing.extendedHabit == .omitted {
            guard isOmissionSaid.insert(step.isFromClient).inserted else { return }
            judgement.fail(Text("RTMP-CS-EXTTS.omitted"), quirk: "Q-RTMP-EXTTS", subject: "omitted")
        } else if framing.isExtendedNeedlessly, framing.format != 3 {
            judgement.fail(
                Text("RTMP-CS-EXTTS.needless", .integer(Int(framing.timeField))), severity: .note,
                reference: "RTMP §5.3.1.2.1", subject: "needless")
        } else {
            judgement.pass()
        }
    }
}

/// RTMP-CS-TS24: times beyond 24 bits use the extended field.
///
/// From 16777215 on the field of 24 bits must hold that number, and the time itself the extended field (RTMP
/// §5.3.1.2.1). A program that writes the lower 24 bits alone starts again at 0 after 4 h 39 min 37 s.
struct RTMPTimestamp24: Rule {
    static let info = RuleInfo(
        "RTMP-CS-TS24", .error, .must, reference: "RTMP §5.3.1.2.1",
        check: "A timestamp beyond 16777215 ms does not start again at 0.",
        example: "timestamp 16777190, then 16 on the same chunk stream")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let message = step.rtmp else { return }
        let framing = message.framing
        if framing.wrapsAt24Bits {
            judgement.fail(
                Text("RTMP-CS-TS24.wrapped", .integer(message.chunkStreamID), .integer(Int(framing.timeField))),
                subject: message.typeName)
        } else if framing.isExtended, framing.format == 0 {
            judgement.pass()
        }
    }
}

/// RTMP-CS-TSBACK: time that goes back is said in a chunk of type 0.
///
/// Where time goes back, only type 0 may say so (RTMP §5.3.1.2.1); deltas are unsigned (§4), so that a negative one
/// becomes a leap of hours.
struct RTMPTimestampBackward: Rule {
    static let info = RuleInfo(
        "RTMP-CS-TSBACK", .warning, .must, reference: "RTMP §5.3.1.2.1",
        check: "A timestamp goes back only in a chunk of type 0, never by a delta.",
        example: "type 1, delta 16777195, which was to mean -21")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let message = step.rtmp, let since = message.framing.step else { return }
        let framing = message.framing
        if framing.goesBackByDelta {
            judgement.fail(
                Text("RTMP-CS-TSBACK.delta", .integer(message.chunkStreamID), .integer(Int(framing.timeField))),
                subject: message.typeName)
        } else if framing.format == 0, since < 0, !framing.wrapsAt24Bits {
            judgement.pass()
        } else if framing.format != 0 {
            judgement.pass()
        }
    }
}

/// RTMP-CS-MSID-LE: the message stream id is written with its lowest octet first.
///
/// It is little-endian (RTMP §5.3.1.2.5), as the only number of the protocol. An id of which only the highest octet is
/// set was written the other way round.
struct RTMPMessageStreamOrder: Rule {
    static let info = RuleInfo(
        "RTMP-CS-MSID-LE", .warning, .plain, reference: "RTMP §5.3.1.2.5",
        check: "The message stream id of chunk headers is little-endian.",
        example: "00 00 00 01 for message stream 1")

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.isChunked, let message = step.rtmp, message.framing.format == 0, message.messageStreamID != 0 else {
            return
        }
        let id = message.messageStreamID
        if id & 0xFF_FFFF == 0 {
            judgement.fail(
                Text("RTMP-CS-MSID-LE.bigEndian", .integer(Int(id >> 24))), expected: .wire("\(id >> 24)"),
                actual: .wire("\(id)"), subject: message.typeName)
        } else {
            judgement.pass()
        }
    }
}
