import Testing
import WeirEngine
import WeirProtocols

/// Parts of the RTMP handshake that are too short: what follows them is read where it starts.
@Suite("Short parts of the RTMP handshake") struct ShortHandshakeTests {
    /// Returns the rules broken by the script of a publisher with one edit.
    private func broken(_ edit: (String, String)?) throws -> Set<String> {
        let script = try #require(RTMPScript.publish.replacing(edit.map { [$0] } ?? []))
        return Set(script.judged().findings.filter { $0.verdict == .fail }.map(\.rule))
    }

    @Test(
        "nothing but the size is reported",
        arguments: [
            ("S S2", "S S2 short=900"), ("S S2", "S S2 short=1535"), ("C C1", "C C1 short=1100"),
            ("C C1", "C C1 short=1447"), ("C C2", "C C2 short=1000"),
        ])
    func sizes(_ old: String, _ new: String) throws {
        #expect(try broken((old, new)).subtracting(broken(nil)) == ["RTMP-HS-SIZE"])
    }
}
