import WeirEngine
import WeirPackets

/// SRTP-ROC: sequence numbers never jump so far that the receiver's rollover estimate is wrong.
///
/// RFC 3711 §3.3.1: a receiver estimates the rollover counter such that a packet is nearest to the highest index so
/// far. After a jump of more than 2^15 it treats later packets as old ones. A source that restarts at a number nearer
/// ahead is followed; only the authentication tags show whether sender and receiver still use the same counter. During
/// a pause, packets may not have been captured.
struct SRTPRollover: Rule {
    static let info = RuleInfo(
        "SRTP-ROC", .warning, .plain, restsOnOrder: true, reference: "RFC 3711 §3.3.1",
        check: "No sequence number of encrypted media jumps so far that receivers take it for an old one.",
        example: "seq 100, then 40000")
    static let observes = ["rtp"]

    private static let half = 1 << 15

    /// The state of an open stream.
    private struct Watch {
        /// The first sequence number after the latest pause.
        var behindSilence: UInt16?
        var hasLeapt = false
    }

    private var watches: [Int: Watch] = [:]

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let call = step.call, let stream = step.event.stream,
            call.mediaStreams.first(where: { $0.id == stream })?.isEncrypted == true
        else { return }
        if let silence = step.message(RTPSilence.self) {
            watches[stream, default: Watch()].behindSilence = silence.sequence
        }
        guard let change = step.message(RTPSourceChange.self), change.previous == change.ssrc else { return }
        let leap = Int(change.sequence &- change.previousSequence)
        guard leap > Self.half else { return }
        watches[stream, default: Watch()].hasLeapt = true
        let text = Text(
            "SRTP-ROC.restart", .integer(Int(change.previousSequence)), .integer(Int(change.sequence)),
            .integer(1 << 16 &- leap))
        let mayLack = watches[stream]?.behindSilence == change.sequence || !call.completeness.isComplete
        if mayLack {
            judgement.inconclusive(text, subject: "restart")
        } else {
            judgement.fail(text, subject: "restart")
        }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard session is WebRTCSession, let details = stream.media, details.isEncrypted else {
            return
        }
        if watches.removeValue(forKey: stream.id)?.hasLeapt != true { judgement.pass() }
    }
}
