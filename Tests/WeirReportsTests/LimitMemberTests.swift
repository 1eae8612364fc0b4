import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// Each limit, including those of protocols: reached, reported, and no peer's fault.
@Suite("Coverage of limits")
struct LimitMemberTests {
    /// How a reached limit is reported.
    enum Told: Sendable {
        /// By this key, in the summary or at an event of the capture.
        case by(String, in: String)
        /// Tested with special packets in the named suite.
        case testedIn(String)
        /// Not reported: a duration or distance after which something counts as something else.
        case isThreshold
        /// Not reported: a timeout that peers have to apply, too.
        case isPatience
    }

    struct Member: Sendable, CustomTestStringConvertible {
        var name: String
        var reported: Told
        var lower: @Sendable (inout Limits) -> Void
        var testDescription: String { name }

        init(_ name: String, _ reported: Told, _ lower: @escaping @Sendable (inout Limits) -> Void) {
            (self.name, self.reported, self.lower) = (name, reported, lower)
        }
    }

    private static let udp = "rtsp/rtsp-udp.pcap"
    private static let interleaved = "rtsp/rtsp-tcp-interleaved.pcap"
    private static let lossy = "rtsp/rtsp-loss-tcp.pcap"
    private static let call = "webrtc/webrtc-call.pcap"
    private static let relayed = "webrtc/webrtc-turn-udp.pcap"
    private static let signaling = "webrtc/signaling-websocket.pcap"
    private static let fragments = "transport/fragments-rtp.pcap"

    private static let common: [Member] = [
        Member("memoryOctets", .by("limit.memory", in: udp)) { $0.memoryOctets = 1 },
        Member("flows", .by("limit.flows", in: udp)) { $0.flows = 1 },
        Member("udpIdleSeconds", .isPatience) { $0.udpIdleSeconds = 0.01 },
        Member("tcpIdleSeconds", .isPatience) { $0.tcpIdleSeconds = 0.01 },
        Member("tcpSilentSeconds", .isThreshold) { $0.tcpSilentSeconds = 0.001 },
        Member("tcpOpeningSeconds", .isThreshold) { $0.tcpOpeningSeconds = 0.001 },
        Member("openings", .testedIn("OpeningTests")) { $0.openings = 1 },
        Member("undecidedFlows", .testedIn("OpeningTests")) { $0.undecidedFlows = 1 },
        Member("gapBufferOctets", .by("limit.gaps", in: lossy)) { $0.gapBufferOctets = 0 },
        Member("gapBufferTotalOctets", .by("limit.gaps", in: lossy)) { $0.gapBufferTotalOctets = 0 },
        Member("messageOctets", .by("limit.body", in: udp)) { $0.messageOctets = 300 },
        Member("messageTotalOctets", .by("limit.message", in: interleaved)) { $0.messageTotalOctets = 0 },
        Member("expansionOctets", .testedIn("WebSocketTests")) { $0.expansionOctets = 0 },
        Member("carriedOctets", .testedIn("CarriedMessageTests")) { $0.carriedOctets = 1 },
        Member("carriedMessages", .testedIn("CarriedMessageTests")) { $0.carriedMessages = 1 },
        Member("fragmentedDatagrams", .by("limit.fragments", in: fragments)) { $0.fragmentedDatagrams = 0 },
        Member("fragmentTotalOctets", .by("limit.fragments", in: fragments)) { $0.fragmentTotalOctets = 1 },
        Member("fragmentSeconds", .isPatience) { $0.fragmentSeconds = 0 },
        Member("encapsulations", .by("limit.encapsulations", in: "transport/vxlan-rtsp-udp.pcap")) {
            $0.encapsulations = 0
        },
        Member("probeOctets", .isThreshold) { $0.probeOctets = 8 },
        Member("lateProbeOctets", .isThreshold) { $0.lateProbeOctets = 8 },
        Member("lateUsualProbeOctets", .isThreshold) { $0.lateUsualProbeOctets = 8 },
        Member("streamsPerFlow", .by("limit.streams", in: interleaved)) { $0.streamsPerFlow = 1 },
        Member("sessions", .by("limit.sessions", in: "rtsp/rtsp-multicast.pcap")) { $0.sessions = 1 },
        Member("outstandingRequests", .by("limit.requests", in: udp)) { $0.outstandingRequests = 1 },
        Member("expectations", .by("limit.expectations", in: udp)) { $0.expectations = 1 },
        Member("expectationsAlike", .by("limit.expectationsAlike", in: udp)) { $0.expectationsAlike = 0 },
        Member("waitingConnections", .isThreshold) { $0.waitingConnections = 0 },
        Member("headerFields", .by("limit.headerFields", in: udp)) { $0.headerFields = 1 },
        Member("headerOctets", .by("limit.header", in: udp)) { $0.headerOctets = 80 },
        Member("failedConnections", .by("limit.failedConnections", in: "rtsp/rtsp-connection-refused.pcap")) {
            $0.failedConnections = 0
        },
        Member("heldMessages", .by("limit.heldMessages", in: "tls/rtsps-tls13.pcap")) { $0.heldMessages = 0 },
        Member("lostInterfaces", .testedIn("LimitTests")) { $0.lostInterfaces = 0 },
        Member("findingsPerRule", .testedIn("CaptureTests")) { $0.findingsPerRule = 1 },
    ]

    private static let amf: [Member] = [
        Member("depth", .by("rtmp.remark.amfLimit", in: "rtmp/rtmp-publish.pcap")) { $0[AMFLimits.self].depth = 0 },
        Member("values", .testedIn("RTMPLimitTests")) { $0[AMFLimits.self].values = 2 },
        Member("textOctets", .by("rtmp.remark.amfLimit", in: "rtmp/rtmp-publish.pcap")) {
            $0[AMFLimits.self].textOctets = 4
        },
        Member("flaws", .testedIn("RTMPLimitTests")) { $0[AMFLimits.self].flaws = 0 },
    ]

    private static let rtmp: [Member] = [
        Member("chunkStreams", .testedIn("RTMPLimitTests")) { $0[RTMPLimits.self].chunkStreams = 1 },
        Member("aggregatedMessages", .testedIn("RTMPLimitTests")) { $0[RTMPLimits.self].aggregatedMessages = 1 },
        Member("streamNames", .testedIn("RTMPLimitTests")) { $0[RTMPLimits.self].streamNames = 1 },
        Member("statusesPerStream", .testedIn("RTMPLimitTests")) { $0[RTMPLimits.self].statusesPerStream = 1 },
        Member("commandOctets", .testedIn("RTMPLimitTests")) { $0[RTMPLimits.self].commandOctets = 10 },
        Member("oddMessages", .testedIn("RTMPLimitTests")) { $0[RTMPLimits.self].oddMessages = 1 },
        Member("unannouncedOctets", .isThreshold) { $0[RTMPLimits.self].unannouncedOctets = 0 },
    ]

    private static let signalingMembers: [Member] = [
        Member("openingOctets", .isThreshold) { $0[SignalingLimits.self].openingOctets = 8 },
        Member("headerOctets", .isThreshold) { $0[SignalingLimits.self].headerOctets = 1 },
        Member("contents", .testedIn("partial")) { $0[SignalingLimits.self].contents = 1 },
        Member("wrappings", .testedIn("partial")) { $0[SignalingLimits.self].wrappings = 0 },
        Member("secrets", .by("limit.secrets", in: "webrtc/janus-echo.pcap")) { $0[SignalingLimits.self].secrets = 0 },
    ]

    private static let webRTC: [Member] = [
        Member("transactions", .by("limit.requests", in: call)) { $0[WebRTCLimits.self].transactions = 1 },
        Member("channels", .by("limit.relayed", in: relayed)) { $0[WebRTCLimits.self].channels = 0 },
        Member("relayedPeers", .by("limit.relayed", in: relayed)) { $0[WebRTCLimits.self].relayedPeers = 0 },
        Member("dataChannels", .by("limit.dataChannels", in: "webrtc/dtls13-gcm.pcap")) {
            $0[WebRTCLimits.self].dataChannels = 0
        },
        Member("permissions", .by("limit.permissions", in: relayed)) { $0[WebRTCLimits.self].permissions = 0 },
        Member("allocations", .by("limit.candidates", in: relayed)) { $0[WebRTCLimits.self].allocations = 0 },
        Member("pairs", .by("limit.candidates", in: call)) { $0[WebRTCLimits.self].pairs = 0 },
        Member("candidates", .by("limit.candidates", in: call)) { $0[WebRTCLimits.self].candidates = 0 },
        Member("names", .by("limit.callNames", in: call)) { $0[WebRTCLimits.self].names = 0 },
        Member("generations", .by("limit.callNames", in: "webrtc/browser-ice-restart.pcap")) {
            $0[WebRTCLimits.self].generations = 1
        },
        Member("gathered", .by("limit.gathered", in: relayed)) { $0[WebRTCLimits.self].gathered = 0 },
    ]

    private static let json: [Member] = [
        Member("depth", .testedIn("partial")) { $0[JSONLimits.self].depth = 1 },
        Member("values", .by("limit.signaling", in: signaling)) { $0[JSONLimits.self].values = 2 },
        Member("flaws", .testedIn("partial")) { $0[JSONLimits.self].flaws = 0 },
    ]

    private static let others: [Member] = [
        Member("descriptionLines", .by("limit.descriptionLines", in: udp)) { $0[SDPLimits.self].descriptionLines = 3 },
        Member("messageTracks", .testedIn("RTMPLimitTests")) { $0[FLVLimits.self].messageTracks = 0 },
        Member("reorderPackets", .isThreshold) { $0[RTPLimits.self].reorderPackets = 1 },
        Member("reorderMilliseconds", .isThreshold) { $0[RTPLimits.self].reorderMilliseconds = 1 },
        Member("probation", .isThreshold) { $0[RTPLimits.self].probation = 1 },
        Member("announced", .by("limit.announced", in: udp)) { $0[RTPLimits.self].announced = 0 },
        Member("sources", .by("limit.sources", in: udp)) { $0[RTPLimits.self].sources = 0 },
        Member("paths", .by("limit.paths", in: "rtp/rtp-twins.pcap")) { $0[RTPLimits.self].paths = 0 },
        Member("ristFlows", .by("limit.ristFlows", in: "rtp/rtp-rist-bonding.pcap")) {
            $0[RTPLimits.self].ristFlows = 1
        },
        Member("openGaps", .by("limit.holes", in: "rtsp/rtsp-loss-udp.pcap")) { $0[RTPLimits.self].openGaps = 1 },
        Member("repairs", .by("limit.repairs", in: "rtsp/rtsp-retransmission.pcap")) { $0[RTPLimits.self].repairs = 1 },
        Member("requests", .by("limit.feedback", in: "rtsp/rtsp-retransmission.pcap")) {
            $0[RTPLimits.self].requests = 1
        },
        Member("senderReports", .isThreshold) { $0[RTPLimits.self].senderReports = 1 },
        Member("earlyReports", .isThreshold) { $0[RTPLimits.self].earlyReports = 0 },
        Member("keys", .by("limit.keys", in: "rtsp/rtsp-srtp-sdes.pcap")) { $0[RTPLimits.self].keys = 0 },
        Member("reportKeys", .isThreshold) { $0[RTPLimits.self].reportKeys = 0 },
        Member("rollovers", .isThreshold) { $0[RTPLimits.self].rollovers = 0 },
        Member("pictureOctets", .testedIn("ExtractionTests")) { $0[RTPLimits.self].pictureOctets = 1 },
        Member("pictureTotalOctets", .testedIn("ExtractionTests")) { $0[RTPLimits.self].pictureTotalOctets = 1 },
        Member("idleExchanges", .isThreshold) { $0[HTTPLimits.self].idleExchanges = 0 },
        Member("idleOctets", .isThreshold) { $0[HTTPLimits.self].idleOctets = 0 },
        Member("identifiers", .by("limit.programs", in: "rtp/mpegts-udp.pcap")) {
            $0[TransportStreamLimits.self].identifiers = 1
        },
        Member("programs", .by("limit.programs", in: "rtp/mpegts-udp.pcap")) {
            $0[TransportStreamLimits.self].programs = 0
        },
        Member("elements", .by("limit.programs", in: "rtp/mpegts-udp.pcap")) {
            $0[TransportStreamLimits.self].elements = 0
        },
        Member("heldPackets", .isThreshold) { $0[SRTLimits.self].heldPackets = 0 },
        Member("heldOctets", .isThreshold) { $0[SRTLimits.self].heldOctets = 0 },
        Member("missingPackets", .by("limit.srt.missingPackets", in: "srt/srt-late-repair.pcap")) {
            $0[SRTLimits.self].missingPackets = 0
        },
    ]

    private static let decryption: [Member] = [
        Member("keys", .testedIn("DecryptionTests")) { $0[DecryptionSettings.self].keys = nil },
        Member("handshakeOctets", .by("limit.handshake", in: "tls/rtsps-tls13.pcap")) {
            $0[DecryptionSettings.self].handshakeOctets = 100
        },
        Member("searchedRecords", .testedIn("DecryptionTests")) { $0[DecryptionSettings.self].searchedRecords = 0 },
        Member("awaitedOctets", .isThreshold) { $0[DecryptionSettings.self].awaitedOctets = 0 },
        Member("awaitedDatagrams", .isThreshold) { $0[DecryptionSettings.self].awaitedDatagrams = 0 },
    ]

    private static let all = common + amf + rtmp + signalingMembers + webRTC + json + others + decryption

    /// Captures that are read with each limit lowered.
    private static let captures = [
        udp, interleaved, call, relayed, signaling, fragments, "rtmp/rtmp-publish.pcap", "webrtc/whip.pcap",
    ]

    @Test("Each member is in the table")
    func complete() {
        func members(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
        #expect(members(Limits()).filter { $0 != "sets" } == Self.common.map(\.name))
        #expect(members(AMFLimits()) == Self.amf.map(\.name))
        #expect(members(RTMPLimits()) == Self.rtmp.map(\.name))
        #expect(members(SignalingLimits()) == Self.signalingMembers.map(\.name))
        #expect(members(WebRTCLimits()) == Self.webRTC.map(\.name))
        #expect(members(JSONLimits()) == Self.json.map(\.name))
        #expect(members(DecryptionSettings()) == Self.decryption.map(\.name))
        let others =
            members(SDPLimits()) + members(FLVLimits()) + members(RTPLimits())
            + members(HTTPLimits()) + members(TransportStreamLimits()) + members(SRTLimits())
        #expect(others == Self.others.map(\.name))
    }

    @Test("Reached limits are reported", arguments: all)
    func reported(_ member: Member) throws {
        guard case .by(let key, let capture) = member.reported else { return }
        let plain = try Self.read(capture) { _ in }
        #expect(!plain.keys.contains(key))
        let lowered = try Self.read(capture, member.lower)
        #expect(lowered.keys.contains(key), "\(lowered.keys)")
    }

    /// Signaling texts that reach a limit.
    private static let partial: [(text: String, lower: @Sendable (inout Limits) -> Void)] = [
        (
            "{\"a\":\"candidate:1 1 udp 1 192.0.2.1 5000 typ host\",\"b\":\"candidate:2 1 udp 1 192.0.2.1 5001 typ host\"}",
            { $0[SignalingLimits.self].contents = 1 }
        ),
        (
            "{\"data\":\"{\\\"candidate\\\":\\\"candidate:1 1 udp 1 192.0.2.1 5000 typ host\\\"}\"}",
            { $0[SignalingLimits.self].wrappings = 0 }
        ),
        ("{\"a\":{\"b\":{}}}", { $0[JSONLimits.self].depth = 2 }),
        ("{\"a\":1,\"a\":2}", { $0[JSONLimits.self].flaws = 0 }),
    ]

    @Test("Signaling beyond a limit is reported", arguments: partial.indices)
    func reported(_ index: Int) {
        let (text, lower) = Self.partial[index]
        func isPartial(_ limits: Limits) -> Bool {
            let json = JSONText(text, limits: limits[JSONLimits.self])
            return SignalingMessage.all(json, SignalingCarriage(), limits).contains(where: \.isPartial)
        }
        #expect(!isPartial(Limits()))
        var limits = Limits()
        lower(&limits)
        #expect(isPartial(limits))
    }

    @Test("A reached limit is no peer's fault", arguments: all, RecordedCaptures.sample(captures, every: 3))
    func blameless(_ member: Member, _ capture: String) throws {
        if case .isPatience = member.reported { return }
        let more = try Self.read(capture, member.lower).rules.subtracting(Self.read(capture) { _ in }.rules)
        #expect(more.isEmpty, "\(more)")
    }

    private static func read(_ capture: String, _ lower: (inout Limits) -> Void) throws -> LimitSink {
        // The limits of decryption are reached with keys only.
        let keyed = KeyedCapture.all.first { $0.capture == "Captures/\(capture)" }
        var options = try keyed.map { $0.options(try $0.lines) } ?? AnalyzerOptions()
        lower(&options.limits)
        var judging = RuleEngine.Options()
        judging.findingsPerRule = options.limits.findingsPerRule
        let sink = LimitSink()
        let analyzer = Analyzer(
            options: options, sink: RuleEngine(rules: BuiltIn.rules, options: judging, sink: sink))
        analyzer.begin(CaptureRecord(file: capture, format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in try KeptFrame.read(RecordedCaptures.path("Captures/\(capture)")) {
            frame.use { analyzer.process($0) }
        }
        analyzer.finish()
        return sink
    }
}

/// Collects the rules with errors and warnings, and the remarks about limits.
private final class LimitSink: ReportSink {
    var rules: Set<String> = []
    var keys: Set<String> = []

    private func note(_ finding: Finding) {
        if finding.verdict == .fail, finding.severity > .note { rules.insert(finding.rule) }
    }
    func begin(_ capture: CaptureRecord) {}
    func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        findings.forEach(note)
        keys.formUnion(event.remarks.map(\.text.key))
    }
    func finding(_ finding: Finding, session: SessionReference?) { note(finding) }
    func flow(_ flow: FlowRecord) {}
    func stream(_ stream: StreamRecord, session: SessionReference?) {}
    func session(_ record: SessionRecord) {}
    func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        keys.formUnion(summary.limitsReached.map(\.key))
    }
}
