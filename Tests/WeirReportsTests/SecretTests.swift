import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirProtocols
import WeirReports

/// Passwords, digest responses and keys are in no report, unless requested.
@Suite("Secrets") struct SecretTests {
    static let captures = RecordedCaptures.all.filter { capture in
        capture.hasPrefix("Captures/rtsp/") || capture.hasPrefix("Captures/webrtc/")
    }

    /// Finds the secrets in a capture's bytes with a plain search.
    private static func secrets(_ capture: String) throws -> Set<String> {
        let octets = try Data(contentsOf: RecordedCaptures.root.appendingPathComponent(capture))
        let text = String(decoding: octets, as: UTF8.self)
        var found: Set<String> = []
        for match in text.matches(of: /Authorization: *Digest [^\r\n]*response="([^"]+)"/) {
            found.insert(String(match.output.1))
        }
        for match in text.matches(of: /Authorization: *Basic +([A-Za-z0-9+\/=]+)/) {
            found.insert(String(match.output.1))
        }
        for match in text.matches(of: /a=ice-pwd:([A-Za-z0-9+\/]+)/) { found.insert(String(match.output.1)) }
        for word in ["test-secret", "test-secret-token", "test-wrong"] where text.contains(word) { found.insert(word) }
        return found
    }

    private static func everything(_ capture: String, _ secrets: SecretPolicy) -> [String] {
        var analysis = AnalyzerOptions()
        analysis.packets = true
        return Language.allCases.flatMap { language in
            var options = ReportOptions()
            options.language = language
            options.secrets = secrets
            let reports = WholeAnalysis.reports(capture, options: options, analysis: analysis)
            return [reports.text, reports.json]
        }
    }

    @Test("the recorded credentials are masked", arguments: captures)
    func masked(capture: String) throws {
        var secrets = try Self.secrets(capture)
        // The credentials of Basic contain the password, too.
        for secret in secrets {
            guard let plain = Data(base64Encoded: secret) else { continue }
            secrets.formUnion(String(decoding: plain, as: UTF8.self).split(separator: ":").dropFirst().map(String.init))
        }
        for report in Self.everything(capture, .masked) {
            for secret in secrets { #expect(!report.contains(secret), "\(secret)") }
        }
    }

    @Test(
        "in received text, URIs and parameters are masked everywhere",
        arguments: [
            (
                "a=control:rtsp://admin:S3CRET@10.0.0.2/live?token=S3CRET",
                "a=control:rtsp://admin:***@10.0.0.2/live?token=***"
            ),
            ("url=rtsp://u:S3CRET@cam/1;seq=5", "url=rtsp://u:***@cam/1;seq=5"),
            ("see \"rtsp://u:S3CRET@cam/1\" and rtsp://cam/2", "see \"rtsp://u:***@cam/1\" and rtsp://cam/2"),
            ("[\"Authorization\",\"Bearer S3CRET.77\"]", "[\"Authorization\",\"Bearer ***\"]"),
            ("[\"x\",\"basic UzNDUkVUOlg=\"]", "[\"x\",\"basic ***\"]"),
            ("turn:user:S3CRET@relay:3478 turns:u:S3CRET@h", "turn:user:***@relay:3478 turns:u:***@h"),
            ("{\"pin\":\"1234\",\"otp\":567890}", "{\"pin\":\"***\",\"otp\":***}"),
            ("Basic knowledge is needed", "Basic knowledge is needed"),
            ("stun:stun.example:3478 turn:relay.example", "stun:stun.example:3478 turn:relay.example"),
            ("client_port=12849-12850", "client_port=12849-12850"), ("m=video 49170", "m=video 49170"),
        ])
    func inText(text: String, masked: String) {
        #expect(SecretPolicy.masked.apply(text: text) == masked)
        #expect(SecretPolicy.revealed.apply(text: text) == text)
    }

    @Test(
        "they are shown on request",
        arguments: [
            "rtsp-digest", "rtsp-digest-gst", "rtsp-basic", "rtsp-both-challenges", "rtsp-wrong-password",
            "rtsp-url-token",
        ])
    func revealed(capture: String) throws {
        let path = "Captures/rtsp/\(capture).pcap"
        let secrets = try Self.secrets(path)
        #expect(!secrets.isEmpty)
        let json = Self.everything(path, .revealed).filter { $0.hasPrefix("{") }
        for secret in secrets { #expect(json.allSatisfy { $0.contains(secret) }, "\(secret)") }
        #expect(Self.everything(path, .masked).filter { $0.hasPrefix("{") }.allSatisfy { $0.contains("***") })
    }
}
