import WeirEngine
import WeirPackets

extension RTSPSession {
    /// The RTP-Info entries of the latest PLAY response that belong to a setup.
    var entriesOfSetups: [(setup: Int, entry: RTPInfoEntry)] {
        rtpInfo.compactMap { info in info.setup.map { ($0, info.entry) } }
    }

    /// Returns the setups that a request concerns: the one of its URI, or all.
    func setupsConcerned(by request: RTSPMessage) -> [Int] {
        // By index: an element would be copied.
        if setups.count > 1, let uri = request.uri, let index = setups.indices.first(where: { setups[$0].uri == uri }) {
            return [index]
        }
        return Array(setups.indices)
    }
}

/// RTSP-RTPINFO: the PLAY response describes the start of each stream.
///
/// RTP-Info describes the first packet of the stream (RFC 2326 §12.33); clients must implement it (§12 table 3), RTP
/// servers should (§D.2). Its absence, or an extra `;`, is a known habit. A sequence number of RTP has 16 bits (RFC 3550
/// §5.1); clients may reject the response with a larger one.
struct RTSPRTPInfo: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO", .warning, .should, reference: "RFC 2326 §12.33",
        check: "The response that accepts PLAY has RTP-Info for each stream that was set up.",
        example: "PLAY …\nRTSP/1.0 200 OK … (no RTP-Info)")

    static var sorts: MessageSorts { .rtspPlayAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted(.play), let session = step.rtspSession else { return }
        let entries = answer.rtpInfo
        // Media other than RTP has no sequence numbers and timestamps to announce.
        guard session.setups.isEmpty || session.setups.contains(where: \.isRTP) else {
            judgement.notApplicable()
            return
        }
        guard !entries.isEmpty else {
            judgement.fail(
                Text("RTSP-RTPINFO.missing"), expected: .wire("RTP-Info: url=…;seq=…;rtptime=…"), quirk: "Q-PLAY",
                subject: "missing")
            return
        }
        if entries.contains(where: \.hasEmptyParameter) {
            judgement.fail(
                Text("RTSP-RTPINFO.grammar"), actual: .wire(answer.head.first(.rtpInfo) ?? ""), quirk: "Q-PLAY",
                subject: "grammar")
        }
        if let long = entries.lazy.compactMap(\.sequence).first(where: { $0 > UInt32(UInt16.max) }) {
            judgement.fail(
                Text("RTSP-RTPINFO.sequence", .integer(Int(long))), actual: .wire("seq=\(long)"),
                reference: "RFC 3550 §5.1", subject: "sequence")
        }
        let named = session.rtpInfo.compactMap(\.setup)
        for index in session.setupsConcerned(by: request) {
            if named.contains(index) {
                judgement.pass()
            } else if session.setups[index].uri.isEmpty || Self.isRepeated(index, among: named, session) {
                // Without the SETUP request, the URL of the setup is unknown or a guess.
                judgement.notApplicable()
            } else {
                judgement.fail(
                    Text("RTSP-RTPINFO.stream", .uri(Text.clip(session.setups[index].uri))),
                    actual: .wire(answer.head.first(.rtpInfo) ?? ""), quirk: "Q-PLAY", subject: "stream \(index)")
            }
        }
    }

    /// Whether another setup with an entry is of the same medium, as when a response is dissected before its request.
    private static func isRepeated(_ index: Int, among named: [Int], _ session: RTSPSession) -> Bool {
        guard let medium = session.setups[index].mediumIndex else { return false }
        return named.contains { session.setups.indices.contains($0) && session.setups[$0].mediumIndex == medium }
    }
}

/// RTSP-RTPINFO-SCOPE: RTP-Info describes streams that were set up.
///
/// The URL identifies the stream that the parameters after it describe (RFC 2326 §12.33): without SETUP there is none.
struct RTSPRTPInfoScope: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO-SCOPE", .warning, .plain, reference: "RFC 2326 §12.33",
        check: "RTP-Info lists only streams that were set up.",
        example: "SETUP …/track1\nRTP-Info: url=…/track1;…,url=…/track2;seq=0;rtptime=0")

    static var sorts: MessageSorts { .rtspPlayAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.accepts(.play), let session = step.rtspSession else { return }
        for (index, (entry, setup)) in session.rtpInfo.enumerated() {
            if setup != nil {
                judgement.pass()
            } else if step.mayHaveMissed {
                judgement.inconclusive(
                    Text("RTSP-RTPINFO-SCOPE.inconclusive", .uri(Text.clip(entry.url))), subject: "\(index)")
            } else {
                judgement.fail(
                    Text("RTSP-RTPINFO-SCOPE.unset", .uri(Text.clip(entry.url))), actual: .wire(entry.raw),
                    subject: "\(index)")
            }
        }
    }
}

/// The announcements of the first PLAY response, per setup.
struct Announcements {
    /// The announcements in the first response to PLAY of each session on the connection, by setup, and its time.
    private var all: [(since: Timestamp, entries: [(setup: Int, entry: RTPInfoEntry)])] = []
    /// The number of those sessions.
    private var sessions = 0
    /// A setup of one of them.
    private struct Place: Hashable {
        var session: Int
        var setup: Int
    }
    /// The setups whose first stream was checked: later sources start at arbitrary values.
    private var judged: Recent<Place, Bool> = Recent(limit: 64)
    /// The maximum number of sessions stored.
    private static let most = 16

    /// Whether a PLAY was accepted.
    var isReported: Bool { !all.isEmpty }

    /// Records the first accepted PLAY of a session: later ones concern streams in progress, whose packets are not
    /// reported individually.
    mutating func observe(_ step: Step) {
        guard step.accepts(.play), let session = step.rtspSession, sessions <= session.restarts else { return }
        sessions = session.restarts + 1
        if all.count < Self.most { all.append((step.event.time, session.entriesOfSetups)) }
    }

    /// Returns the announcement of a stream if it is the first of its setup and not a repair stream.
    mutating func entry(
        _ stream: StreamRecord, _ details: RTPStreamDetails, _ session: RTSPSession
    ) -> (setup: Int, entry: RTPInfoEntry)? {
        let which = all.lastIndex { $0.since <= stream.startTime } ?? 0
        guard details.stream.mainFormat?.isRepair != true, let index = session.setupIndex(of: stream),
            judged[Place(session: which, setup: index)] == nil, !session.precedesSetup(details.stream, index)
        else { return nil }
        judged[Place(session: which, setup: index)] = true
        return all.indices.contains(which) ? all[which].entries.first { $0.setup == index } : nil
    }
}

/// RTSP-RTPINFO-SEQ: the stream starts with the announced sequence number.
///
/// `seq` is the sequence number of the stream's first packet (RFC 2326 §12.33). Over UDP the first packets may be lost
/// or overtake the response; a stream that starts a little later than announced proves nothing. Up to three skipped
/// numbers are a note. Servers that do not know the number send 0 or 1. Only the first stream of a setup is checked:
/// retransmissions have their own sequence numbers (RFC 4588 §4), and later sources were not announced.
struct RTSPRTPInfoSequence: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO-SEQ", .warning, .plain, needsFullCapture: true, reference: "RFC 2326 §12.33",
        check: "The first RTP packet after PLAY has the sequence number that RTP-Info announced.",
        example: "RTP-Info: url=…;seq=18553\n(the first packet has 2041)")

    private var announced = Announcements()

    /// Packets that may have been lost before the first captured one.
    private static let lost: Int16 = 64
    /// Sequence numbers that some servers skip when they flush prepared packets.
    private static let skipped: ClosedRange<Int16> = 1...3

    static var sorts: MessageSorts { .rtspPlayAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) { announced.observe(step) }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, let details = stream.media,
            let (index, entry) = announced.entry(stream, details, session), let sequence = entry.sequence
        else { return }
        compare(
            details.stream.sequence.firstSequence, in: details.stream.firstFrame, with: Int(sequence), index,
            isOrdered: details.channel != nil, &judgement)
    }

    /// Checks the first packet of each resumption against its announced sequence number.
    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession else { return }
        for turn in session.resumptions {
            compare(
                turn.first, in: turn.frame, with: Int(turn.announced), turn.setup,
                isOrdered: session.setups.indices.contains(turn.setup) && session.setups[turn.setup].channels != nil,
                &judgement)
        }
    }

    private func compare(
        _ first: UInt16, in frame: Int, with sequence: Int, _ setup: Int, isOrdered: Bool, _ judgement: inout Judgement
    ) {
        let step = Int16(bitPattern: first &- UInt16(truncatingIfNeeded: sequence))
        if step == 0 {
            judgement.pass()
        } else if !isOrdered, step.magnitude <= Self.lost {
            judgement.inconclusive(
                Text("RTSP-RTPINFO-SEQ.inconclusive", .integer(Int(first)), .integer(sequence)), subject: "\(setup)")
        } else {
            judgement.fail(
                Text("RTSP-RTPINFO-SEQ.other", .integer(Int(first)), .integer(frame), .integer(sequence)),
                expected: .wire("seq=\(sequence)"), actual: .wire("seq=\(first)"),
                quirk: sequence <= 1 ? "Q-PLAY" : nil, severity: Self.skipped.contains(step) ? .note : nil,
                subject: "\(setup)", frame: frame)
        }
    }
}

/// RTSP-RTPINFO-TIME: the announced timestamp maps the range to RTP time.
///
/// `rtptime` is the RTP timestamp of the start of the response's Range (RFC 2326 §12.33); with aggregate control no
/// packet needs to have exactly this timestamp. So only the magnitude is compared with the first packet: more than 10
/// seconds apart, the mapping cannot be right. Servers that do not know the timestamp send 0 or -1.
struct RTSPRTPInfoTime: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO-TIME", .warning, .plain, needsFullCapture: true, reference: "RFC 2326 §12.33",
        check: "The first RTP timestamp after PLAY is near the rtptime that RTP-Info announced.",
        example: "RTP-Info: url=…;seq=18553;rtptime=3987283666\n(the first packet has 12000)")

    private var announced = Announcements()

    private static let seconds = 10

    static var sorts: MessageSorts { .rtspPlayAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) { announced.observe(step) }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, let details = stream.media,
            let (index, entry) = announced.entry(stream, details, session), let time = entry.rtpTime
        else { return }
        guard let rate = details.mainFormat?.clockRate, rate > 0 else {
            judgement.notApplicable()
            return
        }
        let first = details.stream.firstTimestamp
        let difference = Double(Int32(bitPattern: first &- time)) / Double(rate)
        guard difference.magnitude > Double(Self.seconds) else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text(
                "RTSP-RTPINFO-TIME.far", .integer(Int(first)), .integer(details.stream.firstFrame), .integer(Int(time)),
                .decimal(difference.magnitude, places: 1)),
            expected: .wire("rtptime=\(time)"), actual: .wire("\(first)"),
            quirk: time == 0 || time == .max ? "Q-PLAY" : nil, subject: "\(index)", frame: details.stream.firstFrame,
            time: details.stream.startTime)
    }
}

/// RTSP-RANGE-REPLY: the response uses the requested range unit.
///
/// The range of the response is in the unit of the request (RFC 2326 §10.5). A response without Range is usual for live
/// media.
struct RTSPRangeReply: Rule {
    static let info = RuleInfo(
        "RTSP-RANGE-REPLY", .note, .plain, reference: "RFC 2326 §10.5",
        check: "The response to PLAY has a Range in the requested unit.",
        example: "PLAY … Range: npt=0-\n200 OK … Range: clock=20160810T054103Z-")

    static var sorts: MessageSorts { .rtspPlayAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted(.play), let asked = request.range else { return }
        guard let given = answer.range else {
            judgement.notApplicable()
            return
        }
        if asked.unit == given.unit {
            judgement.pass()
        } else {
            judgement.fail(
                Text("RTSP-RANGE-REPLY.unit", .wire(asked.unit.name), .wire(given.unit.name)),
                expected: .wire(asked.unit.name), actual: .wire(given.raw))
        }
    }
}

/// RTSP-SCALE-REPLY: the server returns the scale it chose.
///
/// It may choose another scale than requested, and MUST return it in its response (RFC 2326 §12.34).
struct RTSPScaleReply: Rule {
    static let info = RuleInfo(
        "RTSP-SCALE-REPLY", .error, .must, reference: "RFC 2326 §12.34",
        check: "The response to a PLAY with Scale has the chosen Scale.",
        example: "PLAY … Scale: 2.0\nRTSP/1.0 200 OK … (no Scale)")

    static var sorts: MessageSorts { .rtspPlayAccepted }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted(.play), let asked = request.head.first(.scale) else { return }
        if answer.scale != nil {
            judgement.pass()
        } else if let sent = answer.head.first(.scale) {
            judgement.fail(Text("RTSP-SCALE-REPLY.notNumber", .wire(sent)), actual: .wire(sent))
        } else {
            judgement.fail(Text("RTSP-SCALE-REPLY.missing", .wire(asked)), expected: .wire("Scale: \(asked)"))
        }
    }
}
