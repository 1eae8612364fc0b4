import WeirEngine
import WeirPackets

/// RTP-ENDPOINT: media comes from and goes to the addresses and ports that were agreed on (RFC 2326 §12.39).
///
/// Another port than `server_port` is an error: who filters by it sees nothing. Another address is a warning: a server of
/// several addresses may forget to name the one it sends from. A client's port that a router translates is no fault: it is one to
/// which media goes, from which the client has sent nothing, while others of its ports that it told are in use.
struct RTPEndpointAgreed: Rule {
    static let info = RuleInfo(
        "RTP-ENDPOINT", .error, .plain, reference: "RFC 2326 §12.39",
        check: "Media comes from the address and port that SETUP granted, and goes to the port that the client told.",
        example: "server_port=6000-6001, and RTP from port 6100")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.media else { return }
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
            // Another port may have been agreed on since, or the receiver may have sent from it.
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: details.stream.firstFrame)
            return
        }
        judgement.fail(
            message,
            expected: .wire(agreed.description), actual: .wire(actual.description), severity: isPort ? nil : .warning,
            subject: stream.mediaType ?? "", frame: details.stream.firstFrame, time: details.stream.startTime)
    }
}

/// RTP-SSRC-ANNOUNCED: the source is the one that Transport or `a=ssrc` announced (RFC 2326 §12.39, RFC 5576 §4.1).
struct RTPSourceAnnounced: Rule {
    static let info = RuleInfo(
        "RTP-SSRC-ANNOUNCED", .warning, .plain, reference: "RFC 2326 §12.39",
        check: "The SSRC of a stream is the one that was announced.",
        example: "Transport: …;ssrc=1F2E3D4C, and packets of SSRC 0x0badcafe")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return }
        let announced = media.agreement.sources
        // What makes up for losses has a source of its own; without a format nothing tells whether it does.
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

/// RTP-SSRC-CHANGE: the source stays the same (RFC 3550 §8.2): one that changes its SSRC says goodbye to the former first.
///
/// Where the session was told to begin anew in between, the change is nobody's fault. That there was no BYE is known where
/// the capture has reports of the source, which can be read; without them only where the numbers go on, so that nothing
/// stood between.
struct RTPSourceChanged: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-SSRC-CHANGE", .warning, .plain, restsOnOrder: true, reference: "RFC 3550 §8.2",
        check: "The SSRC of a stream does not change without BYE.",
        example: "seq 100 of SSRC 0x1f2e3d4c, seq 101 of SSRC 0x0badcafe")
    static let forms = [FaultForm(.sourceChange, "RTP-SSRC-CHANGE.changed")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return }
        guard let entry = media.faults[.sourceChange] else {
            judgement.pass()
            return
        }
        let other = hexadecimal(UInt32(truncatingIfNeeded: entry.detail))
        let message = Text(
            "RTP-SSRC-CHANGE.changed", .integer(entry.count), .string(hexadecimal(media.ssrc)), .string(other),
            .integer(Int(entry.sequence)))
        let isSeen = media.reports.senderReports > 0 && session.map { !$0.completeness.lacksMessages } ?? true
        guard !media.stream.isEncrypted, isSeen || entry.highestDetail >= MediaStreams.goesOn else {
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: entry.frames.first)
            return
        }
        judgement.fail(
            message, expected: .wire(hexadecimal(media.ssrc)), actual: .wire(other), subject: stream.mediaType ?? "",
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
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
}
