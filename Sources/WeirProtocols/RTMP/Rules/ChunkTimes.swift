import WeirEngine
import WeirPackets

/// RTMP-CS-EXTTS: the extended timestamp is present exactly where it is required.
///
/// A type 3 chunk carries it if the most recent chunk of another type on the same chunk stream did (RTMP §5.3.1.3).
/// Older librtmp and others omit it there, so receivers have to look ahead. A timestamp that fits into 24 bits SHOULD
/// be in the 24-bit field (§5.3.1.2.1).
struct RTMPExtendedTimestamp: Rule {
    static let info = RuleInfo(
        "RTMP-CS-EXTTS", .error, .plain, reference: "RTMP §5.3.1.3",
        check: "Type 3 chunks repeat the extended timestamp, which is used only when 24 bits do not suffice.",
        example: "C4 (type 3) without the four octets that the chunk of type 0 had")

    static var sorts: MessageSorts { .rtmpExtended }

    private var isOmissionSaid: Set<Bool> = []

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let framing = step.chunked?.framing, framing.isExtended else { return }
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

/// RTMP-CS-TS24: timestamps beyond 24 bits use the extended field.
///
/// From 16777215 on, the 24-bit field must contain that value and the extended field the timestamp (RTMP §5.3.1.2.1). A
/// sender that writes only the lower 24 bits restarts at 0 after 4 h 39 min 37 s.
struct RTMPTimestamp24: Rule {
    static let info = RuleInfo(
        "RTMP-CS-TS24", .error, .must, reference: "RTMP §5.3.1.2.1",
        check: "A timestamp beyond 16777215 ms does not wrap to 0.",
        example: "timestamp 16777190, then 16 on the same chunk stream")

    static var sorts: MessageSorts { .rtmpExtended }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.chunked else { return }
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

/// RTMP-CS-TSBACK: a timestamp that goes back is sent in a type 0 chunk.
///
/// Only type 0 can carry a timestamp that goes back (RTMP §5.3.1.2.1); deltas are unsigned (§4), so a negative delta
/// becomes a jump of hours.
struct RTMPTimestampBackward: Rule {
    static let info = RuleInfo(
        "RTMP-CS-TSBACK", .warning, .must, reference: "RTMP §5.3.1.2.1",
        check: "A timestamp goes back only in a type 0 chunk, never by a delta.",
        example: "type 1, delta 16777195, which was to mean -21")

    static var sorts: MessageSorts { .rtmpTimestampStep }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.chunked, let since = message.framing.step else { return }
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

/// RTMP-CS-MSID-LE: the message stream ID is little-endian.
///
/// It is the only little-endian number of the protocol (RTMP §5.3.1.2.5). An ID with only its most significant octet
/// set was written big-endian.
struct RTMPMessageStreamOrder: Rule {
    static let info = RuleInfo(
        "RTMP-CS-MSID-LE", .warning, .plain, reference: "RTMP §5.3.1.2.5",
        check: "The message stream ID in chunk headers is little-endian.",
        example: "00 00 00 01 for message stream 1")

    static var sorts: MessageSorts { .rtmpMessageStreamID }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.chunked, message.framing.format == 0, message.messageStreamID != 0 else {
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
