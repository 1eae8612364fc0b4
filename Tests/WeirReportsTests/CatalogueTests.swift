import Testing

@testable import WeirReports
import WeirEngine
import WeirProtocols

@Suite("String catalogues") struct CatalogueTests {
    /// Returns the argument numbers of a template.
    private func placeholders(_ template: String) -> Set<String> {
        Set(template.matches(of: /\{(\d+)(?:\|[^}|]*\|[^}|]*)?\}/).map { String($0.output.1) })
    }

    /// The sentences of a language. What a rule checks is written in English in the rule, unless a catalog overrides
    /// it.
    private func sentences(_ language: Language) -> [String: String] {
        let own = [ReportWords.all(language), ReportWords.page(language), EngineWords.all(language)]
        let checks = language == .english ? BuiltIn.rules.map { ("rule.\($0.info.id)", $0.info.check) } : []
        let all = own + BuiltIn.plugins.flatMap { $0.words(language) } + [Dictionary(uniqueKeysWithValues: checks)]
        return all.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    @Test("each language has every key, with the same arguments")
    func sameKeys() {
        let (english, chinese) = (sentences(.english), sentences(.chinese))
        #expect(english.count > 100)
        let missing = Set(english.keys).subtracting(chinese.keys).sorted()
        #expect(missing == [], "without Chinese")
        let unknown = Set(chinese.keys).subtracting(english.keys).sorted()
        #expect(unknown == [], "without English")
        for (key, template) in english {
            guard let translated = chinese[key] else { continue }
            #expect(placeholders(template) == placeholders(translated), "\(key)")
        }
    }

    @Test("each protocol defines a sentence once, and only its own", arguments: Language.allCases)
    func onlyOnce(language: Language) {
        var owners: [String: String] = [:]
        let all =
            [
                ("reports", ReportWords.all(language)), ("page", ReportWords.page(language)),
                ("engine", EngineWords.all(language)),
            ]
            + BuiltIn.plugins.flatMap { plugin in plugin.words(language).map { (plugin.name, $0) } }
        for (owner, words) in all {
            for key in words.keys {
                if let other = owners.updateValue(owner, forKey: key) { Issue.record("\(key): \(other) and \(owner)") }
            }
        }
    }

    @Test("sentences are not empty and in their language")
    func content() {
        for (key, template) in sentences(.english) {
            #expect(!template.isEmpty && template.unicodeScalars.allSatisfy { !isHan($0) }, "\(key)")
        }
        let chinese = sentences(.chinese)
        let withoutHan = chinese.filter { !$0.value.unicodeScalars.contains(where: isHan) }
        // Some contain nothing but arguments and names.
        #expect(withoutHan.count < chinese.count / 10)
    }

    private func isHan(_ scalar: Unicode.Scalar) -> Bool { (0x4E00...0x9FFF).contains(scalar.value) }

    /// An external protocol without Chinese sentences.
    private enum Foreign: Plugin {
        static let name = "foreign"
        static func words(_ language: Language) -> [[String: String]] {
            language == .english ? [["foreign.step": "Asks for {0}."]] : []
        }
    }

    @Test("a note without a catalog entry is printed if it is a sentence")
    func notes() {
        let catalogue = Catalogue(.english, .masked, [])
        for sentence in ["It works well.", "Goodbye.", "问候对方。"] { #expect(catalogue.note(Text(sentence)) == sentence) }
        #expect(catalogue.note(Text("toy.note.hello")) == nil)
    }

    @Test("an external protocol adds its sentences; those missing in a language fall back to English")
    func wordsFromOutside() {
        for language in Language.allCases {
            let catalogue = Catalogue(language, .masked, BuiltIn.plugins + [Foreign.self])
            #expect(catalogue.sentence(Text("foreign.step", .integer(3))) == "Asks for 3.")
            #expect(
                catalogue.sentence(Text("foreign.step", .integer(4))) == "Asks for 4.", "remembered without arguments")
        }
        #expect(Catalogue(.chinese, .masked, []).sentence(Text("phase.media")) != "Media")
    }

    @Test("arguments are placed as in the template")
    func arguments() {
        let catalogue = Catalogue(.english, .masked, BuiltIn.plugins)
        let text = Text(
            "{1} {0} {2} {9} {x} {", .string("{1}"), .integer(-3), .text(Text("label.errors", .integer(2))))
        #expect(catalogue.sentence(text) == "-3 {1} 2 errors {9} {x} {")
        #expect(Catalogue(.chinese, .masked, BuiltIn.plugins).sentence(Text("no.such.key")) == "no.such.key")
        #expect(catalogue.note(Text("no.such.key")) == nil)
        #expect(catalogue.sentence(Text("a {0}", .secret("hunter2"))) == "a ***")
        #expect(catalogue.sentence(Text("a {0}", .uri("rtsp://u:hunter2@h/"))) == "a rtsp://u:***@h/")
        #expect(
            Catalogue(.english, .revealed, BuiltIn.plugins).sentence(Text("a {0}", .secret("hunter2"))) == "a hunter2")
        #expect(catalogue.sentence(Text("{0}", .decimal(2.25, places: 1))) == "2.3")
        #expect(catalogue.sentence(Text("{0} {0|packet|packets}", .integer(1))) == "1 packet")
        #expect(catalogue.sentence(Text("{0} {0|packet|packets} {0|x}", .integer(21))) == "21 packets {0|x}")
        #expect(catalogue.sentence(Text("outcome.lost", .integer(1))) == "1 packet lost")
    }
}
