import WeirEngine
import WeirPackets

/// A rule about single packets of a stream. Its finding points at the first faulty packet and contains the number of
/// such packets.
protocol PacketFaultRule: Rule {
    /// The faults that violate the rule.
    static var forms: [FaultForm] { get }
    /// Returns whether the rule applies to a stream.
    static func judges(_ stream: RTPStreamDetails) -> Bool
    /// Returns the payload format's own clause, if it restates a general requirement.
    static func reference(of payload: RTPPayloadFormat?) -> String?
    /// Returns whether the capture is complete enough to report a fault.
    static func isCertain(_ stream: RTPStreamDetails) -> Bool
    /// Returns whether the capture and the session are complete enough to report a fault.
    static func isCertain(_ stream: RTPStreamDetails, _ session: Session?) -> Bool
}

/// A fault and its message. The arguments of the message are the number of faulty packets, of all packets, the value
/// from the first one, the first frames, and their number.
struct FaultForm: Sendable {
    var fault: PacketFault
    var key: String
    var severity: Severity?
    var reference: String?
    var quirk: String?
    /// The message for streams without sequence numbers, where packets may be missing.
    var unnumbered: String?

    init(
        _ fault: PacketFault, _ key: String, unnumbered: String? = nil, severity: Severity? = nil,
        reference: String? = nil, quirk: String? = nil
    ) {
        (self.fault, self.key, self.unnumbered, self.severity) = (fault, key, unnumbered, severity)
        (self.reference, self.quirk) = (reference, quirk)
    }
}

extension PacketFaultRule {
    static var observes: [String] { [] }
    static func reference(of payload: RTPPayloadFormat?) -> String? { nil }
    static func isCertain(_ stream: RTPStreamDetails) -> Bool { true }
    static func isCertain(_ stream: RTPStreamDetails, _ session: Session?) -> Bool { isCertain(stream) }

    /// Returns whether no session description can be missing; another one may contain what this one does not.
    static func isDescribedToTheEnd(_ session: Session?) -> Bool { session?.completeness.lacksMessages != true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard Self.judges(media) else {
            judgement.notApplicable()
            return
        }
        // Most streams have no faults: the rest is not asked.
        guard media.hasFaults else { return judgement.pass() }
        judgement.judge(
            Self.forms, media.faults, packets: media.packets, stream,
            reference: { Self.reference(of: media.mainFormat?.payload) }, isCertain: Self.isCertain(media, session))
    }
}

extension Judgement {
    /// Reports a finding for each of these faults in the stream's packets, or a pass.
    mutating func judge(
        _ forms: [FaultForm], _ faults: FaultLog, packets: Int, _ stream: StreamRecord,
        reference: () -> String? = { nil }, isCertain: Bool = true, isNumbered: Bool = true
    ) {
        var isKept = true
        for form in forms {
            guard let entry = faults[form.fault] else { continue }
            isKept = false
            let message = Text(
                isNumbered ? form.key : form.unnumbered ?? form.key, .integer(entry.count), .integer(packets),
                .integer(entry.detail), .string(entry.names), .integer(entry.frames.count))
            guard isCertain else {
                inconclusive(message, subject: stream.mediaType ?? "", frame: entry.frames.first, time: entry.time)
                continue
            }
            fail(
                message, quirk: form.quirk, severity: form.severity, reference: form.reference ?? reference(),
                subject: stream.mediaType ?? "", frame: entry.frames.first, time: entry.time)
        }
        if isKept { pass() }
    }
}
