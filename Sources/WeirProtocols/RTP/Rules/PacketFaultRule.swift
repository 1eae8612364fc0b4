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
}

/// One way to break a rule, and what is said of it: the sentence gets how many packets, of how many, the number that the
/// first adds, and the first frames.
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

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let details = stream.details as? RTPStreamDetails else { return }
        Self.judge(details.stream, stream.mediaType ?? "", &judgement)
    }

    /// The figures of a stream are large: they are looked at where they are.
    private static func judge(_ media: borrowing MediaStream, _ subject: String, _ judgement: inout Judgement) {
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
                .string(entry.frames.map(String.init).joined(separator: ", ")))
            guard Self.isCertain(media) else {
                judgement.inconclusive(
                    message, subject: subject, frame: entry.frames.first, time: entry.time)
                continue
            }
            judgement.fail(
                message, quirk: form.quirk, severity: form.severity, reference: form.reference,
                subject: subject, frame: entry.frames.first, time: entry.time)
        }
        if isKept { judgement.pass() }
    }
}
