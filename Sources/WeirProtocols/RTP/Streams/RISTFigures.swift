import WeirEngine
import WeirPackets

/// The figures of the streams of a RIST session, which are added when the streams end.
struct RISTFigures {
    /// One source on one path.
    struct Path {
        var ssrc: UInt32
        var expected: Int
        var lost: Int
        var onOtherPath: Int
        var unrecovered: Int

        var arrived: Int { max(0, expected - lost) }
    }

    /// The packets of all paths, as a multiple of those of the longest, up to which the paths share them; with every packet
    /// on every path there are as many times more as there are paths.
    private static let mostShared = 1.25
    /// The part of its numbers that each path lacks at least if it shares them; fewer arrived if a path was captured in
    /// part only, without numbers missing in between.
    private static let leastShared = 0.25

    private(set) var paths: [Path] = []
    /// Packets retransmitted, with the lowest bit of the SSRC set.
    private(set) var retransmitted = 0
    /// Packets requested by NACK.
    private(set) var requested = 0
    /// Requests that a retransmission answered, and the milliseconds that they took.
    private(set) var answered = (count: 0, milliseconds: 0.0)
    /// The start and end of the media.
    private(set) var span: (start: Timestamp, end: Timestamp)?
    /// The first requests without an answer after which media went on.
    private(set) var unanswered: [Int] = []
    /// The seconds after which an answer to a NACK is overdue.
    private static let overdue = 1.0
    /// The requests whose frames are kept.
    private static let most = 8

    mutating func add(_ stream: MediaStream) {
        guard stream.retransmission != .same else {
            retransmitted += stream.packets
            return
        }
        // All paths carry the same media, so what arrived elsewhere was lost here.
        let lost = stream.lost &+ stream.repairs.elsewhere
        let onOtherPath = min(lost, stream.repairs.twins &+ stream.repairs.elsewhere)
        paths.append(
            Path(
                ssrc: stream.ssrc, expected: stream.sequence.expected, lost: lost, onOtherPath: onOtherPath,
                unrecovered: stream.unrecovered))
        let known = span ?? (stream.startTime, stream.endTime)
        span = (min(known.start, stream.startTime), max(known.end, stream.endTime))
        let requests = stream.reports.requests
        requested += stream.reports.requestedAgain
        if let mean = requests.meanAnswer {
            answered.count += requests.answeredPackets
            answered.milliseconds += mean * Double(requests.answeredPackets)
        }
        for open in requests.openPackets
        where unanswered.count < Self.most && stream.endTime.seconds(since: open.time) > Self.overdue {
            unanswered.append(open.frame)
        }
    }

    /// The sources, each with its paths.
    private var sources: [[Path]] { Dictionary(grouping: paths, by: \.ssrc).values.map { $0 } }
    /// The most paths of a source.
    var pathCount: Int { sources.map(\.count).max() ?? 0 }
    /// Packets of media, each counted once whatever the number of paths.
    var packets: Int { sources.reduce(0) { $0 + ($1.map(\.expected).max() ?? 0) } }
    /// Whether the paths of a source share its packets, instead of each carrying all of them.
    private static func isShared(_ paths: [Path]) -> Bool {
        let longest = paths.map(\.expected).max() ?? 0
        return paths.count > 1 && Double(paths.reduce(0) { $0 + $1.arrived }) <= mostShared * Double(longest)
            && paths.allSatisfy { Double($0.lost) >= leastShared * Double($0.expected) }
    }
    /// Whether the paths share the packets of each source.
    var isShared: Bool { !sources.isEmpty && sources.allSatisfy(Self.isShared) }
    /// Packets lost, on several paths each loss. On paths that share the packets, what is not on one is on another.
    var lost: Int {
        sources.reduce(0) { sum, paths in
            guard Self.isShared(paths) else { return sum + paths.reduce(0) { $0 + $1.lost } }
            return sum + max(0, (paths.map(\.expected).max() ?? 0) - paths.reduce(0) { $0 + $1.arrived })
        }
    }
    /// Packets lost on one path that arrived on another.
    var onOtherPath: Int {
        sources.reduce(0) { $0 + (Self.isShared($1) ? 0 : $1.reduce(0) { $0 + $1.onOtherPath }) }
    }
    /// Packets that arrived on no path.
    var unrecovered: Int { sources.reduce(0) { $0 + ($1.map(\.unrecovered).min() ?? 0) } }
    /// Seconds of media.
    var seconds: Double? { span.map { max(0, $0.end.seconds(since: $0.start)) } }
    /// The mean time from a NACK to the retransmission, in milliseconds.
    var meanAnswer: Double? { answered.count > 0 ? answered.milliseconds / Double(answered.count) : nil }

    /// The members of the session record.
    var fields: [Field] {
        guard !paths.isEmpty else { return [] }
        var fields: [Field] = []
        fields.add("paths", pathCount)
        fields.add("mediaSeconds", seconds)
        fields.add("mediaPackets", packets)
        fields.add("lostPackets", lost)
        if pathCount > 1, !isShared { fields.add("lostOnOnePath", onOtherPath) }
        fields.add("unrecoveredPackets", unrecovered)
        fields.add("retransmittedPackets", retransmitted)
        fields.add("nackedPackets", requested)
        fields.add("nackAnswerMs", meanAnswer)
        return fields
    }
}
