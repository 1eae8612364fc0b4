import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// Causes of rejected credentials.
@Suite("Credentials that are not accepted") struct RTSPCredentialTests {
    private func challenge(_ number: Int, _ words: String) -> String {
        "S: RTSP/1.0 401 Unauthorized\nCSeq: \(number)\nWWW-Authenticate: Digest realm=\"camera\", \(words)\n\n"
    }

    private func ask(_ number: Int, _ credentials: String? = nil) -> String {
        let header = credentials.map { "Authorization: \($0)\n" } ?? ""
        return "C: DESCRIBE rtsp://h/live RTSP/1.0\nCSeq: \(number)\n\(header)\n"
    }

    private func digest(_ words: String) -> String {
        "Digest username=\"user\", realm=\"camera\", \(words), uri=\"rtsp://h/live\", response=\"00\""
    }

    private func causes(_ text: String) -> [String] { Transcript(text).judged().causes }

    @Test("a client that sends none after 401")
    func missing() {
        let asked = ask(1) + challenge(1, "nonce=\"1f\"")
        #expect(causes(asked + "FIN") == ["proved credentials-missing"])
        #expect(causes(asked) == [])
        #expect(causes(asked + ask(2, digest("nonce=\"1f\"")) + "FIN") == [])
    }

    @Test("wrong ones: the nonce is valid, and 401 is repeated")
    func rejected() {
        let asked = ask(1) + challenge(1, "nonce=\"1f\"") + ask(2, digest("nonce=\"1f\""))
        let out = ["ruledOut credentials-old-nonce"]
        #expect(causes(asked + challenge(2, "nonce=\"1f\"") + "FIN") == ["proved credentials-rejected"] + out)
        #expect(causes(asked + challenge(2, "nonce=\"2e\"") + "FIN") == ["likely credentials-rejected"] + out)
        #expect(causes(asked + challenge(2, "nonce=\"2e\", stale=true") + "FIN") == [])
        #expect(causes(asked + "S: RTSP/1.0 200 OK\nCSeq: 2\n\nFIN").allSatisfy { !$0.contains("credentials") })
    }

    @Test("an old nonce: the client ignores the new one")
    func oldNonce() {
        let stale = challenge(2, "nonce=\"2e\", stale=true")
        let asked = ask(1) + challenge(1, "nonce=\"1f\"") + ask(2, digest("nonce=\"1f\"")) + stale
        let again = ask(3, digest("nonce=\"1f\"")) + challenge(3, "nonce=\"3d\", stale=true")
        #expect(causes(asked + again + "FIN") == ["proved credentials-old-nonce"])
        #expect(causes("G S 40\n\n" + asked + again + "FIN") == [])
    }

    @Test("an algorithm or scheme that was not offered")
    func other() {
        let again = challenge(2, "nonce=\"1f\", algorithm=SHA-256") + "FIN"
        let asked = ask(1) + challenge(1, "nonce=\"1f\", algorithm=SHA-256")
        #expect(causes(asked + ask(2, digest("nonce=\"1f\"")) + again) == ["proved credentials-algorithm"])
        #expect(causes(asked + ask(2, "Basic dXNlcjpwYXNz") + again) == ["proved credentials-scheme"])
    }
}
