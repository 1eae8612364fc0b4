import WeirEngine
import WeirPackets

/// A rule that single packets of a stream break. Its finding points at the first packet that does, and says how many do.
protocol PacketFaultRule: Rule {
    /// The faults that break it.
    static var forms: [FaultForm] { get }
    /// Whether the clause applies to a stream.
    static func judges(_ stream: MediaStream) -> Bool
    /// Whether the capture shows enough to call a fault one.
    static func isCertain(_ stream: MediaStream) -> Bool
    /// The same, where the session says more.
    static func isCertain(_ stream: MediaStream, _ session: Session?) -> Bool
}

/// One way to break a rule, and what is said of it: the sentence gets how many packets, of how many, the number that the
/// first adds, the first frames, and how many of these.
struct FaultForm: Sendable {
    var fault: PacketFault
    var key: String
    var severity: Severity?
    var reference: String?
    var quirk: String?

    init(
        _ fault: PacketFault, _ key: String, severity: Severity? = nil, reference: String? = nil, quirk: String? = nil
    ) {
        (self.fault, self.key, self.severity) = (fault, key, severity)
        (self.reference, self.quirk) = (reference, quirk)
    }
}

extension PacketFaultRule {
    static var observes: [String] { [] }
    static func isCertain(_ stream: MediaStream) -> Bool { true }
    static func isCertain(_ stream: MediaStream, _ session: Session?) -> Bool { isCertain(stream) }

    /// Whether no description of a session can be missing: another one may name what this one does not.
    static func isDescribedToTheEnd(_ session: Session?) -> Bool { session?.completeness.lacksMessages != true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.details as? RTPStreamDetails else { return }
        Self.judge(details.stream, session, stream.mediaType ?? "", &judgement)
    }

    /// The figures of a stream are large: they are looked at where they are.
    private static func judge(
        _ media: borrowing MediaStream, _ session: Session?, _ subject: String, _ judgement: inout Judgement
    ) {
        guard Self.judges(media) else {
            judgement.notApplicable()
            return
        }
        var isKept = true
        for form in Self.forms {
            guard let entry = media.faults[form.fault] else { continue }
            isKept = false
            let message = Text(
                form.key, .integer(entry.count), .integer(media.packets), .integer(entry.detail),
                .string(entry.names), .integer(entry.frames.count))
            guard Self.isCertain(media, session) else {
                judgement.inconclusive(message, subject: subject, frame: entry.frames.first)
                continue
            }
            judgement.fail(
                message, quirk: form.quirk, severity: form.severity, reference: form.reference,
                subject: subject, frame: entry.frames.first, time: entry.time)
        }
        if isKept { judgement.pass() }
    }
}
