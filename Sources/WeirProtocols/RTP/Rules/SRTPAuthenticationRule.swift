import WeirEngine
import WeirPackets

/// SRTP-AUTH: the tag that ends each packet of encrypted media is made with the key that signaling told.
///
/// RFC 3711 §3.3: a receiver drops a packet whose authentication tag is not the one that it computes itself (§4.2). Judged where
/// the capture shows the key, in `a=crypto` (RFC 4568). Where no tag of a stream is right, its sender may use a key that an
/// incomplete capture does not show.
struct SRTPAuthenticated: Rule {
    static let info = RuleInfo(
        "SRTP-AUTH", .error, .must, reference: "RFC 3711 §3.3",
        check: "The authentication tag of each packet is right, where a=crypto shows the key.",
        example: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:…; a packet that was changed on the way")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let tags = stream.media?.authentication else { return }
        guard let failure = tags.firstFailure else {
            if tags.verified > 0 { judgement.pass() }
            return
        }
        guard tags.verified > 0 else {
            let text = Text("SRTP-AUTH.none", .integer(tags.failed), .integer(failure.frame))
            guard session?.completeness.isComplete == true else {
                return judgement.inconclusive(text, subject: stream.mediaType ?? "", frame: failure.frame)
            }
            return judgement.fail(
                text, subject: stream.mediaType ?? "", frame: failure.frame, time: failure.time)
        }
        judgement.fail(
            Text(
                "SRTP-AUTH.some", .integer(tags.failed), .integer(tags.failed &+ tags.verified),
                .integer(Int(failure.sequence)), .integer(failure.frame)),
            subject: stream.mediaType ?? "", frame: failure.frame, time: failure.time)
    }
}
