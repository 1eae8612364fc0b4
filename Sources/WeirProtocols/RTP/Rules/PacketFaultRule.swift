import WeirEngine
import WeirPackets

/// A rule that single packets of a stream break. Its finding points at the first packet that does, and says how many do.
protocol PacketFaultRule: Rule {
    /// The faults that break it.
    static var forms: [FaultForm] { get }
    /// Whether the clause applies to a stream.
    static func judges(_ stream: RTPStreamDetails) -> Bool
    /// The clause where the payload's format has one of its own for what all formats ask.
    static func reference(of payload: RTPPayloadFormat?) -> String?
    /// Whether the capture shows enough to call a fault one.
    static func isCertain(_ stream: RTPStreamDetails) -> Bool
    /// The same, where the session says more.
    static func isCertain(_ stream: RTPStreamDetails, _ session: Session?) -> Bool
}

/// One way to break a rule, and what is said of it: the sentence gets how many packets, of how many, the number that the
/// first adds, the first frames, and how many of these.
struct FaultForm: Sendable {
    var fault: PacketFault
    var key: String
    var severity: Severity?
    var reference: String?
    var quirk: String?
    /// What is said where packets have no numbers, so that some may be missing.
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

    /// Whether no description of a session can be missing: another one may name what this one does not.
    static func isDescribedToTheEnd(_ session: Session?) -> Bool { session?.completeness.lacksMessages != true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return }
        guard Self.judges(media) else {
            judgement.notApplicable()
            return
        }
        judgement.judge(
            Self.forms, media.faults, packets: media.packets, stream,
            reference: { Self.reference(of: media.mainFormat?.payload) }, isCertain: Self.isCertain(media, session))
    }
}

extension Judgement {
    /// Fails for each of these faults that packets of a stream show, or passes.
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
