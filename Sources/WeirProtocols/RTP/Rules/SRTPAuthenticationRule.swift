import WeirEngine
import WeirPackets

/// SRTP-AUTH: the authentication tag of each encrypted media packet matches the signaled key.
///
/// RFC 3711 §3.3: a receiver discards a packet whose authentication tag differs from the one it computes (§4.2).
/// Checked if the capture contains the key, in `a=crypto` (RFC 4568). If no tag of a stream matches, its sender may use
/// a key missing from an incomplete capture, or a signaled key that is not tried. A key with an MKI requires it in each
/// packet (RFC 4568 §6.1): a receiver that expects one uses the wrong octets as the tag.
struct SRTPAuthenticated: Rule {
    static let info = RuleInfo(
        "SRTP-AUTH", .error, .must, reference: "RFC 3711 §3.3",
        check: "The authentication tag of each packet is correct, if a=crypto has the key.",
        example: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:…; a packet modified in transit")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let tags = stream.media?.authentication, tags.isMeaningful else { return }
        let subject = stream.mediaType ?? ""
        if let place = tags.firstUnidentified {
            let text = Self.text("unidentified", tags.unidentified, of: tags, place)
            judgement.fail(
                text, reference: "RFC 4568 §6.1", subject: "\(subject) identifier", frame: place.frame, time: place.time
            )
        }
        guard let failure = tags.firstFailure else {
            if tags.verified > 0, tags.unidentified == 0 { judgement.pass() }
            return
        }
        let fits = tags.verified > 0
        let text =
            fits
            ? Self.text("some", tags.failed, of: tags, failure)
            : Text(
                "SRTP-AUTH.none", .integer(tags.failed), .integer(failure.frame),
                tags.isGivenUp ? .text(Text("SRTP-AUTH.givenUp")) : .string(""))
        guard fits || session?.completeness.isComplete == true, !tags.lacksKeys else {
            return judgement.inconclusive(text, subject: subject, frame: failure.frame)
        }
        judgement.fail(text, subject: subject, frame: failure.frame, time: failure.time)
    }

    private static func text(
        _ what: String, _ count: Int, of tags: SRTPAuthentication, _ place: SRTPAuthentication.Failure
    ) -> Text {
        Text(
            "SRTP-AUTH.\(what)", .integer(count), .integer(tags.failed &+ tags.verified), .integer(Int(place.sequence)),
            .integer(place.frame))
    }
}
