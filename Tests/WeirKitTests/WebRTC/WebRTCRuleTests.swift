import CaptureTesting
import Testing
import WeirEngine
import WeirKit

@testable import WeirProtocols

/// Each rule of STUN, TURN, ICE, DTLS and SRTP, with cases that break and keep it.
@Suite("Rules of calls") struct WebRTCRuleTests {
    /// A datagram, sent `seconds` after the previous one.
    struct Said: Sendable {
        var octets: [UInt8]
        var isServer = false
        var after = 0.01
    }

    private static func c(_ octets: [UInt8], _ after: Double = 0.01) -> Said { Said(octets: octets, after: after) }
    private static func s(_ octets: [UInt8], _ after: Double = 0.01) -> Said {
        Said(octets: octets, isServer: true, after: after)
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var rule: String
        var broken: [Said]
        var kept: [Said]
        var said: String
        var testDescription: String { "\(rule).\(said)" }
    }

    typealias P = PeerOctets

    /// Successful checks of both sides.
    private static let way: [Said] = [
        c(P.check("srvr", "clnt", id: 1, nominates: true)), s(P.granted(id: 1)),
        s(P.check("clnt", "srvr", id: 2, controlling: false)), c(P.granted(id: 2)),
    ]
    private static let handshake: [Said] = [
        s(P.handshake(1, number: 0, P.clientHello())), c(P.handshake(2, number: 0, P.serverHello())),
        s(P.encrypted(22)), c(P.encrypted(22)),
    ]
    private static func certificate(of octets: Int) -> Said {
        c(P.handshake(11, number: 1, P.certificate([UInt8](repeating: 7, count: octets))))
    }
    private static func packets(_ sequences: [UInt16], _ after: Double = 0.02) -> [Said] {
        sequences.map { c(P.rtp($0), after) }
    }

    private static let allocation: [Said] = [
        c(P.stun(0x0003, id: 1, [(0x0019, [17, 0, 0, 0])])),
        s(P.stun(0x0103, id: 1, [(0x0016, P.address(192, 0, 2, 9, 60_000, mixed: true))])),
    ]
    private static let peer: (UInt16, [UInt8]) = (0x0012, P.address(192, 0, 2, 7, 5_000, mixed: true))
    /// A Refresh with a nonce, and its error response with another one.
    private static func stale(_ id: UInt64, _ nonce: String, _ next: String) -> [Said] {
        let attributes: [(UInt16, [UInt8])] = [(0x000D, P.big(600, 4)), (0x0015, Array(nonce.utf8))]
        let refusal: [(UInt16, [UInt8])] = [(0x0009, [0, 0, 4, 38]), (0x0015, Array(next.utf8))]
        return [c(P.stun(0x0004, id: id, attributes), 5), s(P.stun(0x0114, id: id, refusal))]
    }
    private static let sent = c(P.stun(0x0016, id: 9, [peer, (0x0013, [1, 2, 3, 4])]))
    private static var badFingerprint: [UInt8] {
        var octets = P.check("srvr", "clnt", id: 1)
        octets[octets.count - 1] ^= 1
        return octets
    }

    static let examples: [Example] = [
        Example(
            rule: "STUN-HEADER",
            broken: [
                c(P.stun(0x0001, id: 1)),
                c(P.stun(0x0001, id: 2).prefix(2) + [0, 8] + P.stun(0x0001, id: 2)[4...] + [0, 6, 0, 9, 1, 2, 3, 4]),
            ],
            kept: way, said: "attributes"),
        // Lengths that are no multiple of 4, in the first message, and beyond the datagram.
        Example(
            rule: "STUN-HEADER",
            broken: [c(P.stun(0x0001, id: 1).prefix(2) + [0, 2] + P.stun(0x0001, id: 1)[4...] + [0, 0])], kept: way,
            said: "length"),
        Example(
            rule: "STUN-HEADER",
            broken: [
                c(P.stun(0x0001, id: 1)), c(P.stun(0x0001, id: 2).prefix(2) + [0, 3] + P.stun(0x0001, id: 2)[4...]),
            ],
            kept: way, said: "length"),
        Example(rule: "STUN-FINGERPRINT", broken: [c(badFingerprint)], kept: way, said: "wrong"),
        Example(
            rule: "STUN-FINGERPRINT",
            broken: [c(P.stun(0x0001, id: 1, [(0x8028, P.big(0, 4)), (0x8022, Array("weir".utf8))]))], kept: way,
            said: "wrong"),
        Example(
            rule: "STUN-420", broken: [c(P.check("srvr", "clnt", id: 1)), s(P.refused(0x0111, 420, id: 1))],
            kept: [c(P.check("srvr", "clnt", id: 1)), s(P.refused(0x0111, 420, id: 1, unknown: [0x0024]))],
            said: "unnamed"),
        Example(
            rule: "STUN-420",
            broken: [c(P.check("srvr", "clnt", id: 1)), s(P.refused(0x0111, 420, id: 1, unknown: [0x0042]))],
            kept: [c(P.check("srvr", "clnt", id: 1)), s(P.refused(0x0111, 420, id: 1, unknown: [0x0024]))],
            said: "other"),
        Example(
            rule: "STUN-RETX",
            broken: [
                c(P.check("srvr", "clnt", id: 1)), c(P.check("srvr", "clnt", id: 1), 0.5),
                c(P.check("srvr", "clnt", id: 1), 0.05),
            ],
            kept: [
                c(P.check("srvr", "clnt", id: 1)), c(P.check("srvr", "clnt", id: 1), 0.5),
                c(P.check("srvr", "clnt", id: 1), 1),
            ], said: "hurried"),
        Example(
            rule: "STUN-RETX",
            broken: [
                c(P.check("srvr", "clnt", id: 1)), c(P.check("srvr", "clnt", id: 1), 0.2),
                c(P.check("srvr", "clnt", id: 1), 0.2),
            ],
            kept: [
                c(P.check("srvr", "clnt", id: 1)), c(P.check("srvr", "clnt", id: 1), 8),
                c(P.check("srvr", "clnt", id: 1), 8),
            ], said: "hurried"),
        Example(
            rule: "STUN-RETX",
            broken: way + [c(P.check("srvr", "clnt", id: 5), 5), c(P.check("srvr", "clnt", id: 5), 0.5)],
            kept: [
                c(P.check("srvr", "clnt", id: 1)), c(P.check("srvr", "clnt", id: 1), 0.5),
                c(P.check("srvr", "clnt", id: 1), 1),
            ], said: "consent"),
        Example(
            rule: "TURN-FLOW", broken: allocation + [sent],
            kept: allocation + [c(P.stun(0x0008, id: 3, [peer])), s(P.stun(0x0108, id: 3)), sent], said: "permission"),
        Example(
            rule: "TURN-FLOW",
            broken: allocation + [c(P.stun(0x0008, id: 3, [peer])), s(P.refused(0x0118, 403, id: 3)), sent],
            kept: allocation + [c(P.stun(0x0008, id: 3, [peer])), sent], said: "permission"),
        Example(
            rule: "TURN-FLOW", broken: allocation + [c(P.stun(0x0009, id: 3, [(0x000C, [0x30, 0, 0, 0]), peer]))],
            kept: allocation + [c(P.stun(0x0009, id: 3, [(0x000C, [0x40, 0, 0, 0]), peer]))], said: "channel"),
        Example(
            rule: "TURN-NONCE", broken: allocation + stale(5, "a", "b") + stale(6, "a", "c"),
            kept: allocation + stale(5, "a", "b") + stale(6, "b", "c"), said: "old"),
        Example(
            rule: "ICE-ATTRS", broken: [c(P.check("srvr", "clnt", id: 1, priority: false))], kept: way,
            said: "priority"),
        Example(
            rule: "ICE-ATTRS", broken: [c(P.check("srvr", "clnt", id: 1, role: false))], kept: way, said: "role"),
        Example(
            rule: "ICE-ATTRS",
            broken: [c(P.check("srvr", "clnt", id: 1, controlling: false, nominates: true))], kept: way,
            said: "nomination"),
        Example(
            rule: "ICE-PAIR",
            broken: [
                c(P.check("srvr", "clnt", id: 1, nominates: true)),
                s(P.check("clnt", "srvr", id: 2, controlling: false)),
            ], kept: way, said: "none"),
        Example(
            rule: "ICE-CONSENT", broken: way + handshake + packets(Array(100...120), 2),
            kept: way + handshake + packets(Array(100...120)), said: "late"),
        Example(
            rule: "DTLS-SRTP-EXT",
            broken: way + [
                s(P.handshake(1, number: 0, P.clientHello([1]))), c(P.handshake(2, number: 0, P.serverHello([7]))),
            ], kept: way + handshake, said: "chosen"),
        Example(
            rule: "DTLS-FIRST",
            broken: [c(P.check("srvr", "clnt", id: 1))] + handshake + [s(P.granted(id: 1))], kept: way + handshake,
            said: "handshake"),
        Example(
            rule: "DTLS-FIRST",
            broken: way + [s(P.handshake(1, number: 0, P.clientHello()))] + packets([100, 101, 102])
                + [c(P.handshake(2, number: 0, P.serverHello())), s(P.encrypted(22)), c(P.encrypted(22))],
            kept: way + handshake + packets([100, 101, 102]), said: "media"),
        Example(
            rule: "DTLS-SIZE",
            broken: way + handshake + [certificate(of: 1_200)], kept: way + handshake + [certificate(of: 900)],
            said: "long"),
        Example(
            rule: "SRTP-DEMUX", broken: way + [c([0xC8] + [UInt8](repeating: 1, count: 30))], kept: way, said: "other"),
        Example(
            rule: "SRTP-ROC", broken: way + handshake + packets([100, 101, 102, 40_000, 40_001, 40_002, 40_003]),
            kept: way + handshake + packets([100, 101, 102, 103]), said: "restart"),
    ]

    @Test(
        "a jump is reported if receivers step back, and undecided if packets may be missing",
        arguments: [(40_000, 0, 1, 0), (5_000, 0, 0, 0), (32_700, 0, 0, 0), (33_500, 0, 1, 0), (40_000, 20, 0, 1)])
    func leaps(_ leap: UInt16, _ seconds: Double, _ failures: Int, _ undecided: Int) {
        let numbers: [UInt16] = (0..<5).map { 100 + leap + $0 }
        var later = Self.packets(numbers)
        later[0].after = seconds
        let said = Self.way + Self.handshake + Self.packets((90..<105).map { $0 }) + later
        let found = Self.result(said).findings.filter { $0.rule == "SRTP-ROC" }
        #expect(found.filter { $0.verdict == .fail }.count == failures)
        #expect(found.filter { $0.verdict == .inconclusive }.count == undecided)
    }

    private static func result(_ said: [Said]) -> AnalysisResult {
        var dialogue = Dialogue(.udp, port: 40_000)
        for said in said {
            if said.isServer {
                dialogue.server(said.octets, after: said.after)
            } else {
                dialogue.client(said.octets, after: said.after)
            }
        }
        return dialogue.analyzed()
    }

    /// Returns a rule's findings and its number of passes.
    private static func verdict(_ result: AnalysisResult, _ rule: String) -> (said: [String], passes: Int) {
        let tally = result.tallies.flatMap { $0 }.first { $0.rule == rule }
        return (result.findings.filter { $0.rule == rule }.map(\.message.key), tally?.pass ?? 0)
    }

    @Test("what breaks it, and what keeps it", arguments: examples)
    func judges(_ example: Example) {
        let broken = Self.verdict(Self.result(example.broken), example.rule)
        #expect(broken.said.contains("\(example.rule).\(example.said)"), "\(broken.said)")
        let kept = Self.verdict(Self.result(example.kept), example.rule)
        #expect(kept.said.isEmpty && kept.passes > 0, "\(kept)")
    }

    /// Edits to the descriptions of a recorded call that break a rule.
    static let edits: [(rule: String, said: String, edit: @Sendable (String, String) -> (String, String))] = [
        (
            "ICE-ROLE", "controlled",
            { type, sdp in (type == "offer" ? "answer" : type == "answer" ? "offer" : type, sdp) }
        ),
        (
            "ICE-PRIORITY", "formula",
            { type, sdp in (type, sdp.replacing(" udp 2130706431 ", with: " udp 2130706430 ")) }
        ),
        ("DTLS-ROLE", "turned", { type, sdp in (type, sdp.replacing("a=setup:active", with: "a=setup:passive")) }),
        // One character of the answerer's ufrag: the checks have the right one, and the candidates show whose they are.
        (
            "ICE-USERNAME", "other",
            { type, sdp in (type, type == "answer" ? sdp.replacing("a=ice-ufrag:", with: "a=ice-ufrag:x") : sdp) }
        ),
        ("DTLS-FP", "differs", { type, sdp in (type, otherHashes(sdp)) }),
        (
            "DTLS-FP", "another",
            { type, sdp in (type, sdp.replacing("a=fingerprint:sha-512 ", with: "a=fingerprint:sha-512 00:")) }
        ),
        // The packets keep element 1, which no longer is the MID.
        (
            "RTP-MID", "absent",
            { type, sdp in (type, sdp.replacing("a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid", with: midAtNine)) }
        ),
        ("STUN-INTEGRITY", "wrong", { type, sdp in (type, sdp.replacing("a=ice-pwd:", with: "a=ice-pwd:x")) }),
    ]

    private static let midAtNine = "a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid"

    /// Returns the description with other certificate fingerprints.
    private static func otherHashes(_ sdp: String) -> String {
        let lines = sdp.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
            let line = String(line)
            return line.hasPrefix("a=fingerprint:") ? line.replacing(" ", with: " 00:") : line
        }
        return lines.joined(separator: "\r\n")
    }

    @Test("a description that the call does not match", arguments: edits.indices)
    func descriptions(_ index: Int) throws {
        let (rule, said, edit) = Self.edits[index]
        let kept = Self.verdict(try WebRTCCaptureTests.analyzed("webrtc-call"), rule)
        #expect(kept.said.isEmpty && kept.passes > 0, "\(rule): \(kept)")
        let broken = Self.verdict(try WebRTCCaptureTests.analyzed("webrtc-call", edit), rule)
        #expect(broken.said.contains("\(rule).\(said)"), "\(rule): \(broken)")
    }

    @Test("a reflexive candidate that differs from the server's response")
    func mappedAddress() throws {
        let plain = try WebRTCCaptureTests.analyzed("webrtc-turn-udp")
        let base = try #require(plain.flows.first { $0.server.port == 3_478 }).client
        for (address, isKept) in [("10.77.0.1", true), ("10.77.0.99", false)] {
            let result = try WebRTCCaptureTests.analyzed("webrtc-turn-udp") { type, sdp in
                let lines = sdp.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
                    line.contains("typ relay")
                        ? "a=candidate:1 1 udp 1694498815 \(address) \(base.port) typ srflx raddr \(base.address) rport "
                            + "\(base.port)" : String(line)
                }
                return (type, lines.joined(separator: "\r\n"))
            }
            let verdict = Self.verdict(result, "ICE-XMAPPED")
            #expect(verdict.said == (isKept ? [] : ["ICE-XMAPPED.differs"]), "\(verdict)")
            #expect((verdict.passes > 0) == isKept)
        }
    }

    @Test("new credentials of both sides on a known path are a restart, not another call")
    func restart() throws {
        let again: [Said] = [
            Self.c(P.check("srv2", "cln2", id: 11, nominates: true)), Self.s(P.granted(id: 11)),
            Self.s(P.check("cln2", "srv2", id: 12, controlling: false)), Self.c(P.granted(id: 12)),
        ]
        let result = Self.result(Self.way + again)
        #expect(result.sessions.count == 1 && result.sessions.first?["iceRestarts"] == .integer(1))
    }

    @Test("credentials in the wrong order are detected by the candidates")
    func turnedNames() throws {
        let kept = Self.verdict(try WebRTCCaptureTests.analyzed("webrtc-call"), "ICE-USERNAME")
        #expect(kept.said.isEmpty && kept.passes > 0)
        // Each peer's candidates are in the other's description.
        let broken = Self.verdict(
            try WebRTCCaptureTests.analyzed("webrtc-call") { type, sdp in
                let turned = sdp.replacing("10.77.0.1 ", with: "10.77.0.9 ").replacing("10.77.0.2 ", with: "10.77.0.1 ")
                    .replacing("10.77.0.9 ", with: "10.77.0.2 ")
                return (type, turned)
            }, "ICE-USERNAME")
        #expect(broken.passes == 0)
    }

    @Test("media before the first check belongs to the call")
    func mediaFirst() throws {
        let said = Self.packets([1, 2, 3, 4, 5]) + Self.way + Self.packets([6, 7, 8])
        let result = Self.result(said)
        let session = try #require(result.sessions.first)
        let stream = try #require(result.streams.first)
        #expect(result.sessions.count == 1 && result.streams.count == 1)
        #expect(stream.session == session.record.id && session.record.streams == [stream.id])
        #expect(stream["packets"]?.double == 8)
    }

    @Test("every rule has both cases")
    func everyRule() {
        let shown = Set(Self.examples.map(\.rule) + Self.edits.map(\.rule) + ["ICE-USERNAME", "ICE-XMAPPED"])
        #expect(Set((STUN.rules + WebRTC.rules).map { $0.info.id }).subtracting(shown) == [])
    }

    @Test("RTCP on the RTP port needs a=rtcp-mux in both descriptions")
    func multiplexing() throws {
        let frames = try EditedCalls.frames("webrtc-call")
        #expect(EditedCalls.analyzed(frames).findings.allSatisfy { $0.rule != "RTCP-MUX" })
        for (port, keys) in [(UInt16(6_868), ["RTCP-MUX.unagreed"]), (0, [])] {
            let edited = frames.map { frame in
                frame.portNumbers?.source == port ? frame.replacing("a=rtcp-mux", with: "a=rtcp-mxx") : frame
            }
            let found = EditedCalls.analyzed(edited).findings.filter { $0.rule == "RTCP-MUX" && $0.verdict == .fail }
            #expect(found.map(\.message.key) == keys)
        }
    }
}
