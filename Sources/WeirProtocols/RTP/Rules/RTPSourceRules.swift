import WeirEngine
import WeirPackets

/// RTP-ENDPOINT: media uses the negotiated addresses and ports (RFC 2326 §12.39).
///
/// A port other than `server_port` is an error: filters by port drop the media. Another address is a warning: a
/// multihomed server may not signal its sending address. A client port translated by NAT is not a fault: one that media
/// is sent to, from which the client has sent nothing, while others of its signaled ports are in use.
struct RTPEndpointAgreed: Rule {
    static let info = RuleInfo(
        "RTP-ENDPOINT", .error, .plain, reference: "RFC 2326 §12.39",
        check: "Media is sent from the address and port negotiated by SETUP, to the client's port.",
        example: "server_port=6000-6001, and RTP from port 6100")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return judgement.ignore() }
        guard details.channel == nil, details.stream.agreement.isDescribed else {
            judgement.notApplicable()
            return
        }
        guard let agreed = details.stream.agreedEnd else {
            judgement.pass()
            return
        }
        let isDestination = agreed.address == stream.destination.address
        let isPort = isDestination || agreed.address == stream.source.address
        let actual = isDestination ? stream.destination : stream.source
        let key = isDestination ? "destination" : isPort ? "port" : "address"
        let message = Text("RTP-ENDPOINT.\(key)", .string(actual.description), .string(agreed.description))
        if isDestination, let session, session.completeness.lacksMessages || session.completeness.hasDrops {
            // Another port may have been negotiated since, or the receiver may have sent from it.
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: details.stream.firstFrame)
            return
        }
        judgement.fail(
            message,
            expected: .wire(agreed.description), actual: .wire(actual.description), severity: isPort ? nil : .warning,
            subject: stream.mediaType ?? "", frame: details.stream.firstFrame, time: details.stream.startTime)
    }
}

/// RTP-SSRC-ANNOUNCED: the SSRC is the one announced in Transport or `a=ssrc` (RFC 2326 §12.39, RFC 5576 §4.1).
struct RTPSourceAnnounced: Rule {
    static let info = RuleInfo(
        "RTP-SSRC-ANNOUNCED", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "The SSRC of a stream is the announced one.",
        example: "Transport: …;ssrc=1F2E3D4C, and packets of SSRC 0x0badcafe")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        let announced = media.agreement.sources
        // Repair streams have their own SSRC; without a known format they cannot be recognized.
        guard !announced.isEmpty, !media.agreement.announcesMore, let format = media.mainFormat, !format.isRepair else {
            judgement.notApplicable()
            return
        }
        guard !announced.contains(media.ssrc) else {
            judgement.pass()
            return
        }
        let message = Text("RTP-SSRC-ANNOUNCED.other", .string(hexadecimal(media.ssrc)), .integer(media.packets))
        guard session.map({ !$0.completeness.lacksMessages }) ?? true else {
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: media.firstFrame)
            return
        }
        judgement.fail(
            message, expected: .wire(announced.map { hexadecimal($0) }.joined(separator: ", ")),
            actual: .wire(hexadecimal(media.ssrc)), subject: stream.mediaType ?? "", frame: media.firstFrame,
            time: media.startTime)
    }
}

/// RTP-SSRC-CHANGE: the SSRC does not change (RFC 3550 §8.2); a source that changes it sends a BYE for the former one
/// first.
///
/// If the session was restarted in between, the change is expected. A missing BYE is certain if the capture contains
/// parsable reports of the source; otherwise only if the sequence numbers continue, so that no packet is missing in
/// between.
struct RTPSourceChanged: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-SSRC-CHANGE", .warning, .plain, restsOnOrder: true, reference: "RFC 3550 §8.2",
        check: "The SSRC of a stream does not change without BYE.",
        example: "seq 100 of SSRC 0x1f2e3d4c, seq 101 of SSRC 0x0badcafe")
    static let forms = [FaultForm(.sourceChange, "RTP-SSRC-CHANGE.changed")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard let entry = media.faults[.sourceChange] else {
            judgement.pass()
            return
        }
        let other = hexadecimal(UInt32(truncatingIfNeeded: entry.detail))
        let message = Text(
            "RTP-SSRC-CHANGE.changed", .integer(entry.count), .string(hexadecimal(media.ssrc)), .string(other),
            .integer(Int(entry.sequence)))
        let isSeen = media.reports.senderReports > 0 && session.map { !$0.completeness.lacksMessages } ?? true
        guard !media.stream.isEncrypted, isSeen || entry.highestDetail >= SourceChanges.goesOn else {
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: entry.frames.first)
            return
        }
        judgement.fail(
            message, expected: .wire(hexadecimal(media.ssrc)), actual: .wire(other), subject: stream.mediaType ?? "",
            frame: entry.frames.first, time: entry.time)
    }
}

/// RTP-SSRC-COLLISION: an SSRC is unique to one source (RFC 3550 §8, §8.2).
///
/// Checked for two simultaneous senders with the same SSRC: from two addresses to one, or in both directions of a flow.
struct RTPSourceCollision: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-SSRC-COLLISION", .error, .must, reference: "RFC 3550 §8.2",
        check: "Each source of a session has its own SSRC.", example: "both peers send as SSRC 0x1f2e3d4c")
    static let forms = [FaultForm(.collision, "RTP-SSRC-COLLISION.shared")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
}
