import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// A description to judge, with its context.
struct Description: Sendable {
    var text: String
    var role: SessionDescription.Role
    var isRTSP = false

    /// A description presented by a server, with or without RTSP; lines end in CRLF unless they have their own ends.
    static func presented(_ lines: String, rtsp: Bool = false) -> Self {
        Self(text: ends(lines), role: .presentation, isRTSP: rtsp)
    }
    static func offer(_ lines: String) -> Self { Self(text: ends(lines), role: .offer) }
    static func answer(_ lines: String) -> Self { Self(text: ends(lines), role: .answer) }
    static func octets(_ text: String) -> Self { Self(text: text, role: .presentation) }

    private static func ends(_ lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\r\n" }.joined()
    }
}

/// Judges descriptions as an analysis does, and collects the findings.
final class SDPBench: ReportSink {
    private(set) var findings: [Finding] = []
    private(set) var tallies: [RuleTally] = []

    /// Judges `descriptions` in order; offers come from the client, all others from the server.
    init(_ rules: [any Rule.Type], _ descriptions: [Description]) {
        let judge = RuleEngine(rules: rules, sink: self)
        let address = IPAddress(ipv4: 0xC000_0201)
        let client = Endpoint(address: address, port: 50_000)
        let server = Endpoint(address: address, port: 554)
        for (index, description) in descriptions.enumerated() {
            let outlet = SessionOutlet(AnalyzerOptions(), Timeline(sink: judge))
            let session =
                description.isRTSP
                ? RTSPSession(
                    SessionContext(
                        id: 1, client: client, server: server, limits: LimitsReference(Limits()), outlet: outlet)) : nil
            let isClients = description.role == .offer
            let event = Event(
                id: index + 1, frame: index + 1, time: Timestamp(nanoseconds: 0), offset: 0, flow: 1,
                direction: isClients ? .clientToServer : .serverToClient, source: isClients ? client : server,
                destination: isClients ? server : client,
                message: SessionDescription(description.text, role: description.role))
            judge.event(event, session: session)
        }
        judge.end(SummaryRecord())
    }

    /// The findings in short: key, severity, and quirk.
    var words: [String] {
        findings.map { finding in
            [finding.message.key, finding.verdict == .fail ? finding.severity.rawValue : "inconclusive", finding.quirk]
                .compactMap(\.self).joined(separator: " ")
        }
    }

    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) { self.findings += findings }
    func finding(_ finding: Finding, session: SessionReference?) { findings.append(finding) }
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: SessionReference?) {}
    func session(_ record: SessionRecord) {}
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { self.tallies = tallies }
}
