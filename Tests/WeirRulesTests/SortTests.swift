import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// A rule to which messages of every sort are passed.
private struct Unsorted<Base: Rule>: Rule {
    static var info: RuleInfo { Base.info }
    static var observes: [String] { Base.observes }
    static var sorts: MessageSorts { .all }
    static var dependsOnlyOnContent: Bool { Base.dependsOnlyOnContent }

    private var base = Base()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) { base.observe(step, &judgement) }
    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        base.observe(stream, session: session, &judgement)
    }
    mutating func finish(_ session: Session, _ judgement: inout Judgement) { base.finish(session, &judgement) }
    mutating func finish(_ flow: FlowRecord, _ judgement: inout Judgement) { base.finish(flow, &judgement) }
}

private func unsorted<Base: Rule>(_ rule: Base.Type) -> any Rule.Type { Unsorted<Base>.self }

/// The sorts of messages that a rule declares are those that it judges: with all others, the result is the same.
@Suite("Sorts of messages") struct SortTests {
    private static let rules: [any Rule.Type] = BuiltIn.rules.map { unsorted($0) }
    private static let paths = RecordedCaptures.sample(
        RecordedCaptures.all.filter { $0.contains("/rtsp/") || $0.contains("/rtmp/") }, every: 2)

    private static func expectSame(_ one: Collector, _ other: Collector) {
        #expect(!one.tallies.isEmpty)
        let differing = zip(one.tallies, other.tallies).filter { $0 != $1 }.map(\.0.rule)
        #expect(differing == [])
        #expect(one.findings.map(Collector.line) == other.findings.map(Collector.line))
    }

    @Test("in captures", arguments: paths)
    func captures(_ path: String) {
        let (sorted, unsorted) = (Collector(), Collector())
        // A damaged capture is judged up to the damage.
        try? WholeAnalysis.run(RecordedCaptures.path(path), into: sorted)
        try? WholeAnalysis.run(RecordedCaptures.path(path), rules: Self.rules, into: unsorted)
        Self.expectSame(sorted, unsorted)
    }

    @Test("in conversations that break a rule", arguments: RTSPCases.rtsp + RTPCases.rtp)
    func cases(_ example: RTSPCase) throws {
        let transcript = try #require(example.script.replacing(example.edits))
        Self.expectSame(transcript.judged(), transcript.judged(by: Self.rules))
    }

    @Test("in conversations of both versions of RTSP")
    func versions() {
        let transcript = Transcript(
            """
            C: OPTIONS * RTSP/1.0
            CSeq: 1

            S: RTSP/1.0 200 OK
            CSeq: 1

            S: RTSP/2.0 200 OK
            CSeq: 9

            C: OPTIONS * RTSP/2.0
            CSeq: 2

            S: RTSP/2.0 200 OK
            CSeq: 1

            """)
        let sorted = transcript.judged()
        #expect(sorted.said("RTSP2-CSEQ").contains("error RTSP2-CSEQ.unasked"))
        Self.expectSame(sorted, transcript.judged(by: Self.rules))
    }
}
