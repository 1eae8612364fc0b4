import CaptureTesting
import WeirEngine
import WeirPackets
import WeirProtocols

/// The report of a capture, in a form that can be compared with that of a reduced one.
final class TimelineCounts: ReportSink {
    /// A message with its content and location.
    struct Said {
        var key: String
        var first: Int
        var frame: Int
    }

    private(set) var said: [Said] = []
    /// Errors and warnings, by rule.
    private(set) var faults: [String: Int] = [:]
    /// The outcomes, as keys.
    private(set) var outcomes: [String: Int] = [:]
    private(set) var sessions = 0
    private(set) var streams: Set<String> = []
    private(set) var streamCount = 0
    private(set) var summary: SummaryRecord?
    private var origins: [Int]

    /// Analyzes frames; `origins` are their numbers in the whole capture.
    init(_ frames: [KeptFrame], origins: [Int]? = nil) {
        self.origins = origins ?? frames.map(\.info.number)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, sink: self))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
    }

    private func origin(_ frame: Int) -> Int { origins.indices.contains(frame - 1) ? origins[frame - 1] : -1 }

    func begin(_ capture: CaptureRecord) {}

    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        for finding in findings { count(finding) }
        let message = event.message
        guard message is RTSPMessage || message is RTMPMessage || message is RTMPHandshakePart else { return }
        said.append(
            Said(
                key: "\(event.source) \(message.summary(.masked))", first: origin(event.firstFrame ?? event.frame),
                frame: origin(event.frame)))
    }

    func finding(_ finding: Finding, session: SessionReference?) { count(finding) }

    private func count(_ finding: Finding) {
        guard finding.verdict == .fail, finding.severity != .note else { return }
        faults[finding.rule, default: 0] += 1
    }

    func flow(_ flow: FlowRecord) {}

    func stream(_ stream: StreamRecord, session: SessionReference?) {
        streamCount += 1
        let ssrc = (stream.details as? RTPStreamDetails).map { "\($0.stream.ssrc)" } ?? ""
        streams.insert("\(ssrc) \(stream.source) \(stream.destination)")
    }

    func session(_ record: SessionRecord) {
        sessions += 1
        for text in record.outcome { outcomes[text.key, default: 0] += 1 }
    }

    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) { self.summary = summary }
}

extension TimelineCounts {
    /// Outcomes that state only what is seen, or are about the capture.
    private static let modest: Set<String> = [
        "outcome.open", "outcome.cut", "outcome.played", "outcome.recorded", "outcome.sent", "outcome.playedFaster",
        "outcome.recordedFaster", "outcome.missing", "outcome.missingOrSkipped", "outcome.lostOrUnseen",
        "outcome.cutMedia", "outcome.resetUnsure", "outcome.endUnseen",
        "outcome.closedUnsure", "outcome.halfTunnel", "outcome.controlUnseen", "outcome.answerUnseen",
        "outcome.statusEarly", "outcome.statusUnsure", "outcome.noDatagrams", "outcome.acceptedEarly",
        "outcome.acceptedLacking", "outcome.acceptedDisordered",
        "outcome.acceptedUnseen", "outcome.waiting", "outcome.earlyAfter", "outcome.lastSeen", "outcome.nothingSeen",
        "outcome.shared",
        "outcome.playedNothing", "outcome.recordedNothing", "outcome.rtmp.published", "outcome.rtmp.played",
        "outcome.rtmp.publishedAtLeast", "outcome.rtmp.playedAtLeast", "outcome.rtmp.readInPart",
        "outcome.rtmp.unseen", "outcome.rtmp.oneSided", "outcome.rtmp.oneSidedServer", "outcome.rtmp.lacking",
        "outcome.rtmp.early", "outcome.rtmp.waiting", "outcome.rtmp.encrypted", "outcome.rtmp.closedUnsure",
        "webrtc.outcome.noPairSeen", "webrtc.outcome.notSecuredSeen", "webrtc.outcome.nominationUnseen",
        "webrtc.outcome.waysUnseen", "webrtc.outcome.signalingOnly", "webrtc.outcome.signalingUnseen",
        "webrtc.outcome.unanswered", "outcome.srt.idle", "outcome.srt.unfinished",
        "outcome.srt.noneOfClient", "outcome.srt.noneOfServer",
        "outcome.rist.media", "outcome.rist.noMedia", "outcome.rist.noReceiver", "outcome.rist.recovered",
        "outcome.rist.unrecoveredOrUnseen",
    ]

    /// Outcomes that state less than others.
    private static let lesser = [
        "outcome.rtmp.leftByClient": "outcome.rtmp.closedByClient",
        "outcome.closedBySomebody": "outcome.closedWithoutTeardown",
    ]

    /// Outcomes that state missing packets, which a reduced capture may lack.
    private static let losses: Set<String> = [
        "outcome.lost", "webrtc.outcome.lost", "outcome.rist.lost", "outcome.rist.unrecovered",
    ]

    /// Returns where the report of a reduced capture contradicts this one of the whole capture.
    func breaches(_ less: Less, _ part: TimelineCounts) -> [String] {
        var breaches: [String] = []
        for (rule, count) in part.faults where count > faults[rule] ?? 0 {
            if less.mayLose, rule == "RTP-SEQ-LOSS" { continue }
            breaches.append("(a) \(rule)")
        }
        breaches += misplaced(less, part)
        for (key, count) in part.outcomes where count > outcomes[key] ?? 0 && !Self.modest.contains(key) {
            if let more = Self.lesser[key], outcomes[more] ?? 0 >= count { continue }
            if less.mayLose, Self.losses.contains(key) { continue }
            breaches.append("(c) \(key)")
        }
        for stream in part.streams.subtracting(streams) { breaches.append("(d) stream \(stream)") }
        if part.sessions > sessions { breaches.append("(d) \(part.sessions) sessions, not \(sessions)") }
        if part.streamCount > streamCount { breaches.append("(d) \(part.streamCount) streams, not \(streamCount)") }
        return breaches.sorted()
    }

    /// Returns messages whose octets are all captured but that are reported elsewhere.
    private func misplaced(_ less: Less, _ part: TimelineCounts) -> [String] {
        let kept = Set(less.origins)
        let reported = Dictionary(grouping: part.said, by: \.key).mapValues { Set($0.map(\.frame)) }
        let known = Dictionary(grouping: said, by: \.key).mapValues { Set($0.map(\.frame)) }
        return said.compactMap { whole in
            guard kept.contains(whole.first), kept.contains(whole.frame), let frames = reported[whole.key],
                !frames.contains(whole.frame), let others = known[whole.key]
            else { return nil }
            // With two segments out of order, the message is complete with the one that fills the gap.
            let start = less.isDisordered ? min(whole.first, whole.frame) : whole.frame
            let span = start...whole.frame
            if frames.contains(where: span.contains) { return nil }
            let strange = frames.subtracting(others)
            return strange.isEmpty ? nil : "(b) \(whole.key) of frame \(whole.frame) is told in \(strange.sorted())"
        }
    }
}
