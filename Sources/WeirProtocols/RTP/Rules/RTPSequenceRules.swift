import WeirEngine
import WeirPackets

/// RTP-SEQ-REORDER: packets arrive in order.
///
/// A packet after one with a higher number is late, not lost (RFC 3550 §A.1).
struct RTPSequenceReorder: Rule {
    static let info = RuleInfo(
        "RTP-SEQ-REORDER", .note, .practice, restsOnOrder: true, reference: "RFC 3550 §A.1",
        check: "Packets arrive in the order of their sequence numbers.",
        example: "seq 100, 102, 101")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        // Retransmissions under their original numbers come as they are requested.
        guard details.stream.retransmission != .same else { return judgement.notApplicable() }
        let late = details.stream.sequence.reordered
        if late == 0 {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTP-SEQ-REORDER.late", .integer(late), .integer(details.stream.packets)),
                subject: stream.mediaType ?? "", frame: details.stream.places.late?.frame,
                time: details.stream.places.late?.time)
        }
    }
}

/// RTP-SEQ-DUP: packets are not duplicated.
///
/// A repeated sequence number is a duplicate (RFC 3550 §A.1). Duplicates made by the capture are not counted. A
/// repeated number with another payload type, timestamp or payload is a different packet: the sender does not increment
/// its sequence number (RFC 3550 §5.1). Payload types that were not negotiated are reported by RTP-PT.
struct RTPSequenceDuplicate: Rule {
    static let info = RuleInfo(
        "RTP-SEQ-DUP", .note, .practice, reference: "RFC 3550 §A.1",
        check: "Packets of a stream are not duplicated.",
        example: "seq 100, 101, 101, 102")
    /// Minimum number of old sequence numbers with new timestamps; a single one may be a source restart.
    private static let fewestAgain = 8
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        let twice = details.stream.sequence.duplicates
        let again = details.stream.faults[.numberAgain]
        let isAgain = again.map { $0.count >= Self.fewestAgain } ?? false
        if let other = details.stream.faults[.numberReused] ?? (isAgain ? again : nil) {
            let count = other.fault == .numberReused ? other.count + (again?.count ?? 0) : other.count
            let message = Text(
                "RTP-SEQ-DUP.again", .integer(count), .integer(details.stream.packets), .string(other.names),
                .integer(other.frames.count))
            // Without a description, packets of another payload type may not belong to the stream at all.
            guard details.stream.agreement.isDescribed || details.stream.types.others.isEmpty else {
                judgement.inconclusive(
                    message, subject: stream.mediaType ?? "", frame: other.frames.first, time: other.time)
                return
            }
            judgement.fail(
                message, severity: .warning, reference: "RFC 3550 §5.1", subject: stream.mediaType ?? "",
                frame: other.frames.first, time: other.time)
        } else if twice == 0 {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTP-SEQ-DUP.twice", .integer(twice), .integer(details.stream.packets)),
                subject: stream.mediaType ?? "", frame: details.stream.places.duplicate?.frame,
                time: details.stream.places.duplicate?.time)
        }
    }
}

/// RTP-SEQ-RESTART: sequence numbers continue.
///
/// The sequence number increases by one for each packet (RFC 3550 §5.1). Receivers discard what follows a jump until two
/// packets confirm a restart (§A.1), and SRTP loses its rollover counter (RFC 3711 §3.3.1). A new source has a new SSRC;
/// after PLAY the server may announce other numbers in RTP-Info (RFC 2326 §12.33).
struct RTPSequenceRestart: Rule {
    static let info = RuleInfo(
        "RTP-SEQ-RESTART", .warning, .plain, restsOnOrder: true, reference: "RFC 3550 §5.1",
        check: "Sequence numbers do not restart under the same SSRC, except after PLAY.",
        example: "seq 20117, then 1 and 2, of the same SSRC")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        guard let entry = details.stream.faults[.numberingRestart] else {
            judgement.pass()
            return
        }
        let (before, first) = (Text.Argument.integer(entry.detail), Text.Argument.integer(Int(entry.sequence)))
        guard session?.completeness.lacksMessages != true else {
            judgement.inconclusive(
                Text("RTP-SEQ-RESTART.inconclusive", before, first), subject: stream.mediaType ?? "",
                frame: entry.frames.first, time: entry.time)
            return
        }
        judgement.fail(
            Text(
                "RTP-SEQ-RESTART.restarts", .integer(entry.count), before, first, .string(entry.names),
                .integer(entry.frames.count)),
            subject: stream.mediaType ?? "", frame: entry.frames.first, time: entry.time)
    }
}
