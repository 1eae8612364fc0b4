import WeirEngine
import WeirPackets

/// RTSP-IL-CHANNEL: interleaved media uses granted channels.
///
/// Channels are negotiated by `interleaved` in Transport (RFC 2326 §10.12, §12.39). Data on other channels is a known
/// habit, as of an earlier session; a receiver may mistake it for its own stream. It is none if all media is there.
struct RTSPInterleavedChannel: Rule {
    static let info = RuleInfo(
        "RTSP-IL-CHANNEL", .error, .plain, reference: "RFC 2326 §10.12",
        check: "Interleaved frames use only channels assigned by a response to SETUP.",
        example: "200 OK … interleaved=0-1\n$ channel 4 …")
    static let observes: [String] = []

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession else { return }
        let isMisplaced = session.misplacedMedia != nil
        for (channel, use) in session.channels.sorted(by: { $0.key < $1.key }) {
            if use.isGranted || session.setups.contains(where: { $0.channels?.contains(channel) == true }) {
                judgement.pass()
            } else if session.completeness.lacksMessages || use.isBeforeSetup && session.setups.isEmpty {
                // A later SETUP may get the channel of frames that an earlier session left.
                judgement.inconclusive(
                    Text("RTSP-IL-CHANNEL.inconclusive", .integer(channel)), subject: "\(channel)",
                    frame: use.firstFrame)
            } else {
                judgement.fail(
                    Text("RTSP-IL-CHANNEL.ungranted", .integer(channel), .integer(use.firstFrame)),
                    quirk: isMisplaced && !use.isBeforePlay ? nil : "Q-PLAY",
                    subject: "\(channel)", frame: use.firstFrame)
            }
        }
    }
}

/// RTSP-IL-PARITY: RTP on the first granted channel, RTCP on the second.
///
/// Two channels are granted, as for ports, the second one for RTCP (RFC 2326 §12.39); by default, RTCP uses the next
/// free channel above that of RTP (§10.12).
struct RTSPInterleavedParity: Rule {
    static let info = RuleInfo(
        "RTSP-IL-PARITY", .note, .plain, reference: "RFC 2326 §10.12",
        check: "Of two assigned channels, the first carries RTP, the second RTCP.",
        example: "200 OK … interleaved=0-1\n$ channel 1: RTP")
    static let observes: [String] = []

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession else { return }
        for setup in session.setups {
            guard let channels = setup.channels else { continue }
            let first = channels.lowerBound
            if let use = session.channels[first] {
                if use.rtcpPackets > 0 {
                    judgement.fail(
                        Text("RTSP-IL-PARITY.rtcp", .integer(first), .integer(use.rtcpPackets)), subject: "\(first)",
                        frame: use.firstRTCP ?? use.firstFrame)
                } else {
                    judgement.pass()
                }
            }
            guard channels.count == 2, let use = session.channels[channels.upperBound] else { continue }
            if use.rtpPackets > 0 {
                judgement.fail(
                    Text("RTSP-IL-PARITY.rtp", .integer(channels.upperBound), .integer(use.rtpPackets)),
                    subject: "\(channels.upperBound)", frame: use.firstRTP ?? use.firstFrame)
            } else {
                judgement.pass()
            }
        }
    }
}

/// RTSP-IL-FRAMING: messages and interleaved frames follow each other without anything between.
///
/// A frame is `$`, a channel, a 16-bit length and that many octets, without a line end after it (RFC 2326 §10.12); a
/// message ends as its header or Content-Length indicates (§4.4). Bytes skipped to find the next start belong to
/// neither. After a gap in the capture there are always bytes to skip.
struct RTSPInterleavedFraming: Rule {
    static let info = RuleInfo(
        "RTSP-IL-FRAMING", .error, .plain, reference: "RFC 2326 §10.12",
        check: "The octet after an interleaved frame is $ or starts a message.",
        example: "$ 00 00 10 (16 octets) 00 00 $ …")
    static let observes = ["rtsp", "tcp"]

    private var unsure: Recent<SenderSide, Bool> = Recent()

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        let side = SenderSide(step.event)
        let message = step.rtsp
        if message == nil, let event = step.message(TCPEvent.self) {
            if case .gap = event.step { unsure[side] = true }
            return
        }
        let remark = step.event.remarks.first { Self.keys.contains($0.text.key) }
        let broken = message == nil ? step.message(MalformedMessage.self) : nil
        let skipped = message?.skippedBefore ?? 0
        guard remark != nil || broken != nil || skipped > 0 else {
            if message != nil { judgement.pass() }
            if !unsure.isEmpty { unsure[side] = nil }
            return
        }
        defer { if message != nil { unsure[side] = nil } }
        guard unsure[side] == nil, !step.mayHaveMissed else {
            judgement.inconclusive(Text("RTSP-IL-FRAMING.inconclusive"))
            return
        }
        if let broken {
            judgement.fail(Text("RTSP-IL-FRAMING.malformed", .wire(broken.reason)), subject: "malformed")
        } else if let remark {
            judgement.fail(Text("RTSP-IL-FRAMING.remark", .text(remark.text)), subject: remark.text.key)
        } else {
            judgement.fail(Text("RTSP-IL-FRAMING.skipped", .integer(skipped)), subject: "skipped")
        }
    }

    /// Remarks that the dissector makes when it resynchronizes.
    private static let keys: Set = ["rtsp.remark.skipped", "rtsp.remark.malformed"]
}

/// RTSP-IL-EARLY: no media before it is requested.
///
/// Data is sent after the PLAY request succeeded (RFC 2326 §10.5, §A.2). Most clients accept media before the response;
/// it is a known habit. Frames before any SETUP are those of an earlier session, whose sender still has the connection.
struct RTSPInterleavedEarly: Rule {
    static let info = RuleInfo(
        "RTSP-IL-EARLY", .warning, .plain, reference: "RFC 2326 §10.5",
        check: "Interleaved media starts after the response that accepts PLAY.",
        example: "PLAY …\n$ …\nRTSP/1.0 200 OK")
    static let observes: [String] = []

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? RTSPSession, !session.channels.isEmpty else { return }
        for (channel, use) in session.channels.sorted(by: { $0.key < $1.key }) where use.rtpPackets > 0 {
            if !use.isBeforePlay {
                judgement.pass()
            } else if session.completeness.lacksMessages {
                judgement.inconclusive(
                    Text("RTSP-IL-EARLY.inconclusive", .integer(channel)), subject: "\(channel)", frame: use.firstFrame)
            } else {
                judgement.fail(
                    Text(
                        use.isBeforeSetup ? "RTSP-IL-EARLY.stale" : "RTSP-IL-EARLY.early", .integer(channel),
                        .integer(use.firstFrame)),
                    quirk: use.isBeforeSetup ? nil : "Q-PLAY", subject: "\(channel)", frame: use.firstFrame)
            }
        }
    }
}
