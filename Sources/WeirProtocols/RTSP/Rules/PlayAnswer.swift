import WeirEngine
import WeirPackets

extension RTSPSession {
    /// What RTP-Info of the latest answer to PLAY says of each medium that was set up: the first entry that names it.
    var entriesBySetup: [Int: RTPInfoEntry] {
        var entries: [Int: RTPInfoEntry] = [:]
        for case let (entry, setup?) in rtpInfo where entries[setup] == nil { entries[setup] = entry }
        return entries
    }

    /// The media that a request is about: that of its URI, or all.
    func setupsConcerned(by request: RTSPMessage) -> [Int] {
        if setups.count > 1, let index = setups.firstIndex(where: { $0.uri == request.uri }) { return [index] }
        return Array(setups.indices)
    }
}

/// RTSP-RTPINFO: the answer to PLAY says where each stream begins.
///
/// RTP-Info says what of RTP the stream begins with (RFC 2326 §12.33); clients must implement it (§12 table 3), servers
/// of RTP should (§D.2). Answers without it, or with a `;` too many, are known habits.
struct RTSPRTPInfo: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO", .warning, .should, reference: "RFC 2326 §12.33",
        check: "The answer that accepts PLAY has RTP-Info for each stream that was set up.",
        example: "PLAY …\nRTSP/1.0 200 OK … (no RTP-Info)")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted("PLAY"), let session = step.rtspSession else { return }
        let entries = answer.rtpInfo
        guard !entries.isEmpty else {
            judgement.fail(
                Text("RTSP-RTPINFO.missing"), expected: .wire("RTP-Info: url=…;seq=…;rtptime=…"), quirk: "Q-PLAY",
                subject: "missing")
            return
        }
        if entries.contains(where: \.hasEmptyParameter) {
            judgement.fail(
                Text("RTSP-RTPINFO.grammar"), actual: .wire(answer.headers.first("RTP-Info") ?? ""), quirk: "Q-PLAY",
                subject: "grammar")
        }
        let named = Set(session.rtpInfo.compactMap(\.setup))
        for index in session.setupsConcerned(by: request) {
            if named.contains(index) {
                judgement.pass()
            } else if session.setups[index].uri.isEmpty {
                // Of a setup without its request the capture does not tell what it is called.
                judgement.notApplicable()
            } else {
                judgement.fail(
                    Text("RTSP-RTPINFO.stream", .uri(Text.clip(session.setups[index].uri))),
                    actual: .wire(answer.headers.first("RTP-Info") ?? ""), quirk: "Q-PLAY", subject: "stream \(index)")
            }
        }
    }
}

/// RTSP-RTPINFO-SCOPE: RTP-Info speaks of streams that were set up.
///
/// Its URL names the stream that the parameters behind it are about (RFC 2326 §12.33): there is none for a stream
/// without SETUP.
struct RTSPRTPInfoScope: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO-SCOPE", .warning, .plain, reference: "RFC 2326 §12.33",
        check: "RTP-Info lists only streams that were set up.",
        example: "SETUP …/track1\nRTP-Info: url=…/track1;…,url=…/track2;seq=0;rtptime=0")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard step.accepted("PLAY") != nil, let session = step.rtspSession else { return }
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

/// What the first answer to PLAY announced of each medium.
struct Announcements {
    /// The first announcement of each setup.
    private var entries: [Int: RTPInfoEntry] = [:]
    /// Whether a PLAY was accepted.
    private(set) var isTold = false
    /// The setups whose first stream was looked at: sources that come later begin where they like.
    private var judged: Recent<Int, Bool> = Recent(limit: 64)

    /// Takes note of the first answer that accepts PLAY: later ones are about streams that go on, whose packets are not
    /// told one by one.
    mutating func observe(_ step: Step) {
        guard !isTold, step.accepted("PLAY") != nil, let session = step.rtspSession else { return }
        isTold = true
        entries = session.entriesBySetup
    }

    /// What was announced of a stream, if it is the first of its medium, and no stream of what makes up for losses.
    mutating func entry(
        _ stream: StreamRecord, _ details: RTPStreamDetails, _ session: RTSPSession
    ) -> (setup: Int, entry: RTPInfoEntry)? {
        guard details.stream.mainFormat?.isRepair != true, let index = session.setupIndex(of: stream),
            judged[index] == nil
        else { return nil }
        judged[index] = true
        return entries[index].map { (index, $0) }
    }
}

/// RTSP-RTPINFO-SEQ: the stream begins with the announced number.
///
/// `seq` is the sequence number of the stream's first packet (RFC 2326 §12.33). Over UDP first packets may be lost, or
/// pass the answer; a stream that begins a little later than announced proves nothing. Up to three numbers that a
/// server skips before it begins are a note. Servers that do not know the number send 0 or 1. Of the streams of a
/// medium it is the first that is meant: retransmissions have numbers of their own (RFC 4588 §4), and a source that
/// comes later was not announced.
struct RTSPRTPInfoSequence: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO-SEQ", .warning, .plain, needsFullCapture: true, reference: "RFC 2326 §12.33",
        check: "The first RTP packet after PLAY has the sequence number that RTP-Info announced.",
        example: "RTP-Info: url=…;seq=18553\n(the first packet has 2041)")

    private var announced = Announcements()

    /// Packets that may have been lost before the first one was seen.
    private static let lost: Int16 = 64
    /// Numbers that some servers take back when they flush what was prepared.
    private static let skipped: ClosedRange<Int16> = 1...3

    mutating func observe(_ step: Step, _ judgement: inout Judgement) { announced.observe(step) }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, let details = stream.media,
            let (index, entry) = announced.entry(stream, details, session), let sequence = entry.sequence
        else { return }
        compare(
            details.stream.sequence.firstSequence, in: details.stream.firstFrame, with: Int(sequence), index,
            isOrdered: details.channel != nil, &judgement)
    }

    /// What each further PLAY announced of media that was paused.
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
/// `rtptime` is the RTP timestamp of the moment at which the answer's Range begins (RFC 2326 §12.33); under aggregate
/// control there need be no packet with just this timestamp. So the first packet's is only compared in size: more than
/// 10 seconds apart the mapping cannot be right. Servers that do not know it send 0 or -1.
struct RTSPRTPInfoTime: Rule {
    static let info = RuleInfo(
        "RTSP-RTPINFO-TIME", .warning, .plain, needsFullCapture: true, reference: "RFC 2326 §12.33",
        check: "The first RTP timestamp after PLAY is near the rtptime that RTP-Info announced.",
        example: "RTP-Info: url=…;seq=18553;rtptime=3987283666\n(the first packet has 12000)")

    private var announced = Announcements()

    private static let seconds = 10

    mutating func observe(_ step: Step, _ judgement: inout Judgement) { announced.observe(step) }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, let details = stream.media,
            let (index, entry) = announced.entry(stream, details, session), let time = entry.rtpTime
        else { return }
        guard let rate = details.stream.mainFormat?.clockRate, rate > 0 else {
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
            quirk: time == 0 || time == .max ? "Q-PLAY" : nil, subject: "\(index)")
    }
}

/// RTSP-RANGE-REPLY: the answer counts in the unit that was asked for.
///
/// The range of the answer is in the unit of the request (RFC 2326 §10.5). An answer without Range is usual for live
/// media.
struct RTSPRangeReply: Rule {
    static let info = RuleInfo(
        "RTSP-RANGE-REPLY", .note, .plain, reference: "RFC 2326 §10.5",
        check: "The answer to PLAY gives its Range in the unit that was asked for.",
        example: "PLAY … Range: npt=0-\n200 OK … Range: clock=20160810T054103Z-")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted("PLAY"), let asked = request.range else { return }
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

/// RTSP-SCALE-REPLY: the server says which scale it chose.
///
/// It may choose another one than was asked for, and MUST name it in its answer (RFC 2326 §12.34).
struct RTSPScaleReply: Rule {
    static let info = RuleInfo(
        "RTSP-SCALE-REPLY", .error, .must, reference: "RFC 2326 §12.34",
        check: "A PLAY with Scale is answered with the Scale that was chosen.",
        example: "PLAY … Scale: 2.0\nRTSP/1.0 200 OK … (no Scale)")

    static var sorts: MessageSorts { .rtspAnswer }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (request, answer) = step.accepted("PLAY"), let asked = request.headers.first("Scale") else { return }
        if answer.scale != nil {
            judgement.pass()
        } else if let sent = answer.headers.first("Scale") {
            judgement.fail(Text("RTSP-SCALE-REPLY.notNumber", .wire(sent)), actual: .wire(sent))
        } else {
            judgement.fail(Text("RTSP-SCALE-REPLY.missing", .wire(asked)), expected: .wire("Scale: \(asked)"))
        }
    }
}
