import CaptureTesting
import Testing
import WeirEngine
import WeirKit

/// The captures made from public bug reports: each shows its cause, as a cause of the session or as a finding.
@Suite("Captures of public bug reports") struct ReportedCaptureTests {
    /// A capture, the causes of its sessions that are proved or likely, and the rules it breaks with an error or warning.
    struct Reported: Sendable, CustomTestStringConvertible {
        var name: String
        var causes: [String]
        var rules: [String]
        var testDescription: String { name }
        init(_ name: String, _ causes: [String] = [], rules: [String] = []) {
            (self.name, self.causes, self.rules) = (name, causes, rules)
        }
    }

    static let all = [
        Reported("rtsp-setup-without-transport", ["response-without-transport"], rules: ["RTSP-SETUP-TRANSPORT"]),
        Reported("rtsp-setup-without-channels", ["transport-without-channels"]),
        Reported("rtsp-setup-of-presentation", ["setup-of-presentation"], rules: ["RTSP-CONTROL-URI"]),
        Reported("rtsp-redirect-not-followed", ["redirect-ignored"]),
        Reported("rtsp-stale-frames", rules: ["RTSP-IL-EARLY"]),
        Reported("rtsp-keepalive-old-cseq", ["response-number"], rules: ["RTSP-CSEQ-ECHO"]),
        Reported("rtsp-sdp-last-line-open", ["description-open"], rules: ["SDP-C-REQUIRED"]),
        Reported("rtsp-session-with-timeout", ["session-with-timeout"]),
        Reported(
            "rtsp-other-client-ports", ["port-unreachable"], rules: ["RTP-NOT-ARRIVED", "RTSP-TRANSPORT-ECHO"]),
        Reported("rtsp-keepalive-after-timeout", ["session-timeout"], rules: ["RTSP-KEEPALIVE"]),
        Reported("rtsp-answered-in-http", ["other-protocol"]),
        Reported("rtsp-other-channels", ["other-channel"], rules: ["RTSP-IL-CHANNEL"]),
        Reported("rtsp-tcp-after-udp", rules: ["RTP-NOT-ARRIVED"]),
        Reported("rtsp-keepalive-stale-nonce", ["keep-alive-refused"]),
        Reported("media-report-padding", rules: ["RTCP-LENGTH"]),
        Reported("media-report-clock", rules: ["RTCP-SR-CLOCK"]),
        Reported("rtmp-no-c2", rules: ["RTMP-HS-STALL"]),
        Reported("rtmp-answered-in-http", ["other-protocol"], rules: ["RTMP-HS-SIZE", "RTMP-HS-VERSION"]),
        Reported("rtmp-chunk-size-128m", ["chunk-size-too-large"]),
        Reported("rtmp-control-on-stream-4", ["control-chunk-stream"], rules: ["RTMP-CS-CONTROL", "RTMP-RESULT"]),
        Reported("rtmp-type-2-first", ["chunk-framing-lost"], rules: ["RTMP-CS-TYPE0"]),
        Reported("rtmp-message-too-long", ["message-too-long"]),
        Reported("rtmp-numbers-before-metadata", ["data-without-name"]),
        Reported("rtmp-connect-no-application", ["closed-after-connect"], rules: ["RTMP-CONNECT", "RTMP-RESULT"]),
        Reported("rtmp-status-on-stream-0", rules: ["RTMP-ONSTATUS"]),
        Reported("rtmp-acknowledgement-same", ["acknowledgements-same"], rules: ["RTMP-ACK"]),
        Reported("turn-forbidden-peer", ["forbidden"]),
        Reported("turn-retransmission-refused", ["allocation-mismatch"]),
        Reported("turn-channel-not-refreshed", ["consent-lost", "channel-expired"]),
        Reported("turn-closed-port", ["port-unreachable"]),
        Reported(
            "turn-permission-refused-later", ["consent-lost", "relay-refused", "permission-expired"]),
        Reported("turn-channel-for-bound-peer", ["channel-bound-twice"]),
        Reported(
            "turn-stale-nonce-401", ["consent-lost", "relay-refused", "permission-expired"], rules: ["TURN-FLOW"]),
        Reported("call-answer-actpass", ["answer-unacceptable"], rules: ["SDP-SETUP", "SIG-CLEAR"]),
        Reported("call-answer-no-rtcp-mux", ["answer-unacceptable"], rules: ["SDP-BUNDLE", "SIG-CLEAR"]),
        Reported("call-former-fragment", ["former-credentials"], rules: ["ICE-PAIR", "SIG-CLEAR"]),
        Reported("call-dtls-first-fragments", ["large-dtls"], rules: ["SIG-CLEAR"]),
        Reported("call-dtls-cookie-ignored", ["unanswered-dtls"], rules: ["SIG-CLEAR"]),
        Reported("call-dtls-other-port", rules: ["SIG-CLEAR"]),
        Reported("call-dtls-not-begun", ["no-dtls"], rules: ["ICE-ROLE", "SIG-CLEAR"]),
        Reported("call-dtls-other-fragments", ["unanswered-dtls"], rules: ["SIG-CLEAR"]),
        Reported("call-fingerprint-sha-1", ["answer-unacceptable"], rules: ["SIG-CLEAR"]),
        Reported("whip-relative-location", rules: ["WHIP-DELETE"]),
    ]

    @Test("show their cause, and nothing else", arguments: all)
    func causes(_ reported: Reported) throws {
        let path = RecordedCaptures.path("Captures/reported/\(reported.name).pcap")
        let result = try Analysis(path).run()
        let held = Set(result.sessions.flatMap { $0.causes.filter(\.isHeld).map(\.id) })
        #expect(held == Set(reported.causes))
        let broken = result.findings.filter { $0.verdict == .fail && $0.severity != .note }.map(\.rule)
        #expect(Set(broken) == Set(reported.rules))
    }

    @Test("of a closed connection do not become silent while the capture goes on")
    func closedIsNotSilent() throws {
        let name = "Captures/reported/rtmp-type-2-first.pcap"
        let frames = try KeptFrame.read(RecordedCaptures.path(name))
        let others = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let alone = EditedCalls.analyzed(frames).sessions.map(\.outcome)
        let together = EditedCalls.analyzed(frames.merged(with: others, after: 0)).sessions
        #expect(together.filter { $0.record.kind == "rtmp" }.map(\.outcome.first) == alone.map(\.first))
        #expect(together.allSatisfy { !$0.outcome.contains { $0.contains("no media") } })
    }

    @Test("are all covered")
    func complete() {
        let names = RecordedCaptures.all.filter { $0.hasPrefix("Captures/reported/") }
        #expect(names == Self.all.map { "Captures/reported/\($0.name).pcap" }.sorted())
    }
}
