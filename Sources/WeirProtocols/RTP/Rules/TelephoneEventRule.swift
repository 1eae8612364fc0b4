import WeirEngine
import WeirPackets

/// TEL-EVENT: all packets of a telephone event have its timestamp, and the last one of a key has the end bit (RFC 4733
/// §2.5.1.2).
///
/// An event has no end if all packets arrived and another event begins, or the stream continues without it for half a
/// second. States, from event 16 on, may be ended by another state.
struct TelephoneEventPackets: PacketFaultRule {
    static let info = RuleInfo(
        "TEL-EVENT", .error, .must, reference: "RFC 4733 §2.5.1.2",
        check: "All packets of a telephone event have the same timestamp; the last one has E.",
        example: "key 5 for 800 ticks without E, and the next key")
    static let forms = [
        FaultForm(.eventTimestamp, "TEL-EVENT.timestamp"), FaultForm(.eventEnd, "TEL-EVENT.end"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { (stream.content.telephone?.count ?? 0) > 0 }
}
