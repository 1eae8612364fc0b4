import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirProtocols

@testable import WeirReports

/// Compares `Documentation/rules/` with the rule catalog.
///
/// `WEIR_REWRITE_REPORTS=1 swift test --filter RuleCatalogueTests` rewrites it.
@Suite("The rule catalogue") struct RuleCatalogueTests {
    private static let plugins = BuiltIn.plugins.filter { !$0.rules.isEmpty }
    private static let rewrites = ProcessInfo.processInfo.environment["WEIR_REWRITE_REPORTS"] == "1"
    private static let folder = "Documentation/rules"

    private func page(_ plugin: any Plugin.Type) -> String {
        RulePage(.english, plugins: BuiltIn.plugins).markdown(
            plugin.rules.map { $0.info }, title: "Rules of \(plugin.name.uppercased())")
    }

    @Test("the pages below Documentation/rules match the catalog")
    func pages() throws {
        var names: [String] = []
        for plugin in Self.plugins {
            let name = "\(Self.folder)/\(plugin.name).md"
            names.append(name)
            let path = RecordedCaptures.root.appendingPathComponent(name)
            if Self.rewrites {
                try FileManager.default.createDirectory(
                    at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(page(plugin).utf8).write(to: path)
            }
            let kept = (try? Data(contentsOf: path)).map { String(decoding: $0, as: UTF8.self) }
            #expect(kept == page(plugin), "\(name): WEIR_REWRITE_REPORTS=1 swift test --filter RuleCatalogueTests")
        }
        #expect(RecordedCaptures.files(below: Self.folder, endings: [".md"]) == names.sorted())
    }

    @Test("every rule has its reason, its remedy, and examples that break and keep it")
    func complete() {
        let words = BuiltIn.plugins.flatMap { $0.words(.english) }.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
        let ids = Set(BuiltIn.rules.map { $0.info.id })
        for key in ["why", "mend"] { #expect(ids.filter { words["\(key).\($0)"] == nil }.sorted() == []) }
        let examples = BuiltIn.plugins.flatMap { $0.examples.map(\.key) }
        #expect(Set(examples) == ids && examples.count == ids.count)
        for key in ["why.", "mend.", "peers."] {
            let reported = words.keys.filter { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
            #expect(Set(reported).isSubset(of: ids), "of rules that are no more")
        }
        for plugin in BuiltIn.plugins {
            for (id, example) in plugin.examples { #expect(example.broken != example.kept, "\(id)") }
        }
    }

    @Test("a rule is explained with its limits, in the requested language")
    func explain() throws {
        let jitter = try #require(BuiltIn.rules.first { $0.info.id == "RTP-JITTER" }).info
        let text = RulePage(.english, plugins: BuiltIn.plugins).explain(jitter)
        #expect(text.contains("RTP-JITTER.audio: 30 ms") && text.contains("Fix") && text.contains("  Kept\n"))
        #expect(RulePage(.chinese, plugins: BuiltIn.plugins).explain(jitter).contains("修正办法"))
        let json = RulePage(.english, plugins: BuiltIn.plugins).json([jitter])
        #expect(json.contains("\"limits\":[{\"name\":\"RTP-JITTER.audio\",\"value\":30,\"unit\":\"ms\"}"))
    }
}
