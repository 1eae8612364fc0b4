import Testing

@testable import WeirEngine

/// The plugin of each rule, and whose messages the rule observes.
@Suite("Owners of rules") struct RuleOwnersTests {
    private struct Own: Rule {
        static let info = RuleInfo("CAMERA-OWN", .error, .must, reference: "", check: "", example: "")
    }

    /// The id begins with the name of no protocol.
    private struct Foreign: Rule {
        static let info = RuleInfo("ACME-FOREIGN", .error, .must, reference: "", check: "", example: "")
    }

    private struct OfAnother: Rule {
        static let info = RuleInfo("CAMERA-OTHER", .error, .must, reference: "", check: "", example: "")
        static let observes = ["sdp"]
    }

    private struct OfSeveral: Rule {
        static let info = RuleInfo("CAMERA-SEVERAL", .error, .must, reference: "", check: "", example: "")
        static let observes = ["zoom", "camera", "zoom"]
    }

    private struct Unowned: Rule {
        static let info = RuleInfo("LONE", .error, .must, reference: "", check: "", example: "")
    }

    private struct Camera: Plugin {
        static let name = "camera"
        static let rules: [any Rule.Type] = [Own.self, Foreign.self]
        static func words(_ language: Language) -> [[String: String]] { [] }
        static func lines(_ language: Language) -> [String: String] { [:] }
    }

    private struct Zoom: Plugin {
        static let name = "zoom"
        static let rules: [any Rule.Type] = [OfAnother.self, OfSeveral.self]
        static func words(_ language: Language) -> [[String: String]] { [] }
        static func lines(_ language: Language) -> [String: String] { [:] }
    }

    private static let all: [(rule: any Rule.Type, plugin: String, observed: [String])] = [
        (Own.self, "camera", ["camera"]), (Foreign.self, "camera", ["camera"]), (OfAnother.self, "zoom", ["sdp"]),
        (OfSeveral.self, "zoom", ["camera", "zoom"]), (Unowned.self, "lone", ["lone"]),
    ]

    /// The rules of an analysis may be any, in any order.
    @Test(
        "are found for rules in any order",
        arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1], [1, 3], [3, 1], [2, 0, 4], [4, 0, 1], [1, 1, 3], []])
    func anyOrder(_ places: [Int]) {
        let rules = places.map { Self.all[$0] }
        let owners = RuleOwners(rules.map(\.rule), among: [Camera.self, Zoom.self])
        for (position, expected) in rules.enumerated() {
            let info = expected.rule.info
            #expect(owners.name(of: position, info) == expected.plugin)
            #expect(owners.observed(expected.rule.observes, by: position, info) == expected.observed)
        }
    }

    @Test("are the protocols in the ids without plugins")
    func noPlugins() {
        let owners = RuleOwners([Foreign.self, Unowned.self], among: [])
        #expect(owners.name(of: 0, Foreign.info) == "acme")
        #expect(owners.observed(Foreign.observes, by: 0, Foreign.info) == ["acme"])
        #expect(owners.name(of: 1, Unowned.info) == "lone")
    }
}
