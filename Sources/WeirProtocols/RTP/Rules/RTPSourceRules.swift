import WeirEngine
import WeirPackets

/// RTP-SSRC-ANNOUNCED: the source is the one that Transport or `a=ssrc` announced (RFC 2326 §12.39, RFC 5576 §4.1).
struct RTPSourceAnnounced: Rule {
    static let info = RuleInfo(
        "RTP-SSRC-ANNOUNCED", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "The SSRC of a stream is the one that was announced.",
        example: "Transport: …;ssrc=1F2E3D4C, and packets of SSRC 0x0badcafe")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = (stream.details as? RTPStreamDetails)?.stream else { return }
        let announced = media.agreement.sources
        // What makes up for losses has a source of its own.
        guard !announced.isEmpty, media.mainFormat?.isRepair != true else {
            judgement.notApplicable()
            return
        }
        guard !announced.contains(media.ssrc) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("RTP-SSRC-ANNOUNCED.other", .string(hexadecimal(media.ssrc)), .integer(media.packets)),
            expected: .wire(announced.map { hexadecimal($0) }.joined(separator: ", ")),
            actual: .wire(hexadecimal(media.ssrc)), subject: stream.mediaType ?? "", frame: media.firstFrame,
            time: media.startTime)
    }
}

/// RTP-SSRC-CHANGE: the source stays the same (RFC 3550 §8.2): one that changes its SSRC says goodbye to the former first.
///
/// Where the session was told to begin anew in between, the change is nobody's fault.
struct RTPSourceChanged: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-SSRC-CHANGE", .warning, .plain, reference: "RFC 3550 §8.2",
        check: "The SSRC of a stream does not change without BYE.",
        example: "seq 100 of SSRC 0x1f2e3d4c, seq 101 of SSRC 0x0badcafe")
    static let forms = [FaultForm(.sourceChange, "RTP-SSRC-CHANGE.changed")]
    static func judges(_ stream: MediaStream) -> Bool { true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = (stream.details as? RTPStreamDetails)?.stream else { return }
        guard let entry = media.faults[.sourceChange] else {
            judgement.pass()
            return
        }
        let other = hexadecimal(UInt32(truncatingIfNeeded: entry.detail))
        judgement.fail(
            Text(
                "RTP-SSRC-CHANGE.changed", .integer(entry.count), .string(hexadecimal(media.ssrc)), .string(other),
                .integer(Int(entry.sequence))),
            expected: .wire(hexadecimal(media.ssrc)), actual: .wire(other), subject: stream.mediaType ?? "",
            frame: entry.frames.first, time: entry.time)
    }
}

/// RTP-SSRC-COLLISION: an SSRC belongs to one source (RFC 3550 §8, §8.2).
///
/// Judged where two that send at the same time share it: from two addresses to one, or in both directions of a flow.
struct RTPSourceCollision: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-SSRC-COLLISION", .error, .must, reference: "RFC 3550 §8.2",
        check: "No two sources of a session use one SSRC.", example: "both peers send as SSRC 0x1f2e3d4c")
    static let forms = [FaultForm(.collision, "RTP-SSRC-COLLISION.shared")]
    static func judges(_ stream: MediaStream) -> Bool { true }
}
