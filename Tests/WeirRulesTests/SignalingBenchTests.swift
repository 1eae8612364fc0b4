import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// Signaling rules for what a single connection between two hosts cannot show: several connections, and a single host.
@Suite("Rules of signaling, several connections") struct SignalingBenchTests {
    private final class Findings: ReportSink {
        var findings: [Finding] = []
        var tallies: [RuleTally] = []
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: SessionReference?, findings: [Finding]) { self.findings += findings }
        func finding(_ finding: Finding, session: SessionReference?) { findings.append(finding) }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: SessionReference?) {}
        func session(_ record: SessionRecord) {}
        func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { self.tallies = tallies }
    }

    /// Judges messages, each with flow, time in seconds and text.
    private func judged(
        _ rule: any Rule.Type, _ said: [(flow: Int, second: Int64, text: String)], server: UInt32 = 0xC000_0202
    ) -> (words: [String], passes: Int) {
        let sink = Findings()
        let judge = RuleEngine(rules: [rule], sink: sink)
        let client = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 50_000)
        let server = Endpoint(address: IPAddress(ipv4: server), port: 6_868)
        let outlet = SessionOutlet(AnalyzerOptions(), Timeline(sink: judge))
        let session = WebRTCSession(
            SessionContext(id: 1, client: client, server: server, limits: LimitsReference(Limits()), outlet: outlet))
        for (index, step) in said.enumerated() {
            for message in SignalingMessage.all(JSONText(step.text), SignalingCarriage(), Limits()) {
                judge.event(
                    Event(
                        id: index + 1, frame: index + 1, time: Timestamp(nanoseconds: step.second * 1_000_000_000),
                        offset: 0, flow: step.flow, direction: .clientToServer, source: client, destination: server,
                        message: message), session: session)
            }
        }
        judge.end(SummaryRecord())
        return (
            sink.findings.map { "\($0.severity.rawValue) \($0.message.key)" }, sink.tallies.reduce(0) { $0 + $1.pass }
        )
    }

    private static let login = #"{"type":"login","source":7}"#
    private static let offer =
        #"{"type":"offer","sdp":"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=fingerprint:sha-256 AB:CD\r\n"}"#

    @Test("a second login on another connection soon after is a reconnect")
    func reconnect() {
        #expect(
            judged(SIGReconnect.self, [(1, 0, Self.login), (2, 2, Self.login)]).words == ["note SIG-RECONNECT.again"])
        let later = judged(SIGReconnect.self, [(1, 0, Self.login), (2, 60, Self.login)])
        #expect(later.words == [] && later.passes == 2)
        #expect(judged(SIGReconnect.self, [(1, 0, Self.login), (1, 2, Self.login)]).words == [])
    }

    @Test("on a single host there is no network between the peers")
    func clear() {
        #expect(judged(SIGClear.self, [(1, 0, Self.offer), (1, 1, Self.offer)]).words == ["warning SIG-CLEAR.clear"])
        let local = judged(SIGClear.self, [(1, 0, Self.offer)], server: 0xC000_0201)
        #expect(local.words == [] && local.passes == 1)
    }
}
