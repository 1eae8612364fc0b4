import Testing
import WeirDissectors

@testable import WeirReports

@Suite("String catalogues") struct CatalogueTests {
    /// The numbers of the arguments that a template asks for.
    private func placeholders(_ template: String) -> Set<String> {
        Set(template.matches(of: /\{(\d+)\}/).map { String($0.output.1) })
    }

    @Test("each language has every key, and asks for the same arguments")
    func sameKeys() {
        let (english, chinese) = (Strings.english, Strings.chinese)
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

    @Test("sentences say something, in their language")
    func content() {
        for (key, template) in Strings.english {
            #expect(!template.isEmpty && template.unicodeScalars.allSatisfy { !isHan($0) }, "\(key)")
        }
        let withoutHan = Strings.chinese.filter { !$0.value.unicodeScalars.contains(where: isHan) }
        // Some are nothing but arguments and names.
        #expect(withoutHan.count < Strings.chinese.count / 10)
    }

    private func isHan(_ scalar: Unicode.Scalar) -> Bool { (0x4E00...0x9FFF).contains(scalar.value) }

    @Test("arguments stand where the template wants them")
    func arguments() {
        let catalogue = Catalogue(.english, .masked)
        let text = Text(
            "{1} {0} {2} {9} {x} {", .string("{1}"), .integer(-3), .text(Text("label.errors", .integer(2))))
        #expect(catalogue.sentence(text) == "-3 {1} 2 errors {9} {x} {")
        #expect(Catalogue(.chinese, .masked).sentence(Text("no.such.key")) == "no.such.key")
        #expect(catalogue.note(Text("no.such.key")) == nil)
        #expect(catalogue.sentence(Text("a {0}", .secret("hunter2"))) == "a ***")
        #expect(catalogue.sentence(Text("a {0}", .uri("rtsp://u:hunter2@h/"))) == "a rtsp://u:***@h/")
        #expect(Catalogue(.english, .revealed).sentence(Text("a {0}", .secret("hunter2"))) == "a hunter2")
        #expect(catalogue.sentence(Text("{0}", .decimal(2.25, places: 1))) == "2.3")
    }
}
