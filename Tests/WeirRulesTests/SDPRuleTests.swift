import Testing
@testable import WeirEngine
@testable import WeirProtocols

/// Each rule on session descriptions, with cases that break and keep it.
@Suite struct SDPRuleTests {
    @Test(arguments: SDPCase.all) func judges(_ example: SDPCase) throws {
        let rule = try #require(SDP.rules.first { $0.info.id == example.rule })
        let before = SDPBench([rule], Array(example.descriptions.dropLast()))
        let bench = SDPBench([rule], example.descriptions)
        let words = Array(bench.words.dropFirst(before.findings.count))
        #expect(words.sorted() == (example.expected ?? []).sorted())
        let tally = try #require(bench.tallies.first)
        if example.expected == nil {
            #expect(tally.notApplicable == example.descriptions.count && tally.pass == 0)
        } else if example.expected == [] {
            #expect(tally.pass > 0 && tally.fail == 0)
        }
    }

    @Test func everyRuleIsKeptAndBroken() {
        for rule in SDP.rules {
            let cases = SDPCase.all.filter { $0.rule == rule.info.id }
            #expect(cases.contains { $0.expected == [] }, "nothing keeps \(rule.info.id)")
            #expect(cases.contains { $0.expected?.isEmpty == false }, "nothing breaks \(rule.info.id)")
        }
    }

    @Test func idsAreUniqueAndObserveDescriptions() {
        let ids = SDP.rules.map { $0.info.id }
        #expect(Set(ids).count == ids.count)
        // A candidate may also arrive on its own (trickle ICE).
        let others = SDP.rules.filter { $0.observes != ["sdp"] }.map { $0.info.id }
        #expect(others == ["SDP-ICE-CAND"])
        #expect(SDP.rules.allSatisfy { $0.info.reference.hasPrefix("RFC ") })
    }

    @Test(arguments: HealthyDescription.all) func healthyDescriptionsKeepTheRules(_ peer: HealthyDescription) {
        let bench = SDPBench(SDP.rules, [peer.description])
        #expect(bench.words == peer.notes)
    }

    /// The description of `article-dialogue.pcap`: blank addresses and `b=AS:0` are reported, and nothing else.
    @Test func theArticlesDescription() {
        let bench = SDPBench(SDP.rules, [HealthyDescription.article])
        #expect(
            bench.findings.map { "\($0.rule) \($0.severity.rawValue)" } == [
                "SDP-O-FIELDS error", "SDP-C-ADDR error", "SDP-BW warning",
            ])
    }

    @Test func anUnreadRestDecidesNothing() {
        let lines = String(repeating: "a=tool:x\r\n", count: 50_000)
        let bench = SDPBench(SDP.rules, [.octets("v=0\r\n" + lines)])
        #expect(!bench.findings.isEmpty)
        #expect(bench.findings.allSatisfy { $0.verdict == .inconclusive })
    }

    /// A secret in the description is masked in the findings, or absent.
    @Test func secretsStayHidden() {
        let bench = SDPBench(
            SDP.rules,
            [
                .presented(
                    "v=0\nk =clear:hunter2\nm=audio 9 RTP/SAVP 0\na =crypto:1 X inline:hunter2\n"
                        + "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:hunter2\na= ice-pwd:hunter2\na=ice-pwd:hunter2")
            ])
        #expect(bench.findings.count > 4)
        for text in bench.findings.flatMap({ [$0.message, $0.actual, $0.expected].compactMap(\.self) }) {
            for case .string(let shown) in text.arguments { #expect(!shown.contains("hunter2")) }
        }
    }

    /// A description truncated anywhere, or with any octet changed, is judged without a trap.
    @Test(arguments: HealthyDescription.all) func anyOctetsAreJudged(_ peer: HealthyDescription) {
        let octets = Array(peer.description.text.utf8)
        for length in stride(from: 0, to: octets.count, by: 7) {
            var cut = peer.description
            cut.text = String(decoding: octets.prefix(length), as: UTF8.self)
            #expect(SDPBench(SDP.rules, [cut]).tallies.count == SDP.rules.count)
        }
        for position in stride(from: 0, to: octets.count, by: 11) {
            for octet: UInt8 in [0x00, 0x0A, 0x20, 0x2F, 0x3A, 0x3B, 0x3D, 0xFF] {
                var changed = octets
                changed[position] = octet
                var description = peer.description
                description.text = String(decoding: changed, as: UTF8.self)
                #expect(SDPBench(SDP.rules, [description]).tallies.count == SDP.rules.count)
            }
        }
    }
}
