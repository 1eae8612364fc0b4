import WeirEngine

/// RTP-MID: packets of bundled media carry their MID.
///
/// Media that share a transport are distinguished by the identification-tag in RTP packets: a sender SHOULD include it
/// in some packets at the start of a stream, and whenever its SSRC changes (RFC 9143 §15). Evaluated where offer and
/// answer both have the header extension for several media of a BUNDLE group. RTCP can carry the tag, too, but is
/// encrypted.
struct RTPMediumName: Rule {
    static let info = RuleInfo(
        "RTP-MID", .warning, .should, reference: "RFC 9143 §15",
        check: "Packets of bundled media carry the MID header extension at the start of a stream.",
        example: "a=group:BUNDLE 0 1, a=extmap:1 urn:…:sdes:mid\n(RTP without element 1)")
    static let observes: [String] = []

    /// The minimum number of packets; in shorter streams the tagged packets may not have been captured.
    private static let fewest = 10

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let call = session as? WebRTCSession, let media = stream.media, media.naming.element != 0 else { return }
        guard !media.naming.isNamed else { return judgement.pass() }
        guard media.packets >= Self.fewest else { return judgement.notApplicable() }
        guard media.naming.isFromStart, media.sequence.missing == 0, call.completeness.isComplete else {
            return judgement.inconclusive(Text("RTP-MID.undecided", .integer(media.packets)), subject: "mid")
        }
        judgement.fail(
            Text(media.identity == nil ? "RTP-MID.unknown" : "RTP-MID.absent", .integer(media.packets)),
            expected: .wire("MID (\(media.naming.element))"), subject: stream.mediaType ?? "")
    }
}
