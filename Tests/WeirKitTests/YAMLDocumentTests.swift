import Testing
@testable import WeirKit

@Suite("YAML documents")
struct YAMLDocumentTests {
    /// Returns the nodes with their lines, in one line.
    private static func shown(_ node: YAMLNode) -> String {
        let text: String =
            switch node.content {
            case .scalar(let text): "'\(text)'"
            case .sequence(let items): "[" + items.map(shown).joined(separator: ", ") + "]"
            case .mapping(let members):
                "{" + members.map { shown($0.key) + ": " + shown($0.value) }.joined(separator: ", ") + "}"
            }
        return "\(node.line)\(text)"
    }

    @Test(
        "are composed with the lines of their nodes",
        arguments: [
            ("a: 1\nb:\n  - x\n  - y\n", "1{1'a': 1'1', 2'b': 3[3'x', 4'y']}"),
            ("{a: [1, 'two'], \"b\": ~}", "1{1'a': 1[1'1', 1'two'], 1'b': 1'~'}"),
            ("a: |\n  two\n  lines\n", "1{1'a': 1'two\nlines\n'}"),
            ("--- word\n...\n", "1'word'"),
            ("# a comment\n\nkey:\n", "3{3'key': 3''}"),
            ("a: &x {b: 1}\nc: *x\n", "1{1'a': 1{1'b': 1'1'}, 2'c': 1{1'b': 1'1'}}"),
            ("name: Größe\n", "1{1'name': 1'Größe'}"),
        ])
    func nodes(text: String, expected: String) throws {
        #expect(try YAMLDocument.root(text).map(Self.shown) == expected)
    }

    @Test("without a node", arguments: ["", "\n", "# only a comment\n"])
    func empty(text: String) throws {
        #expect(try YAMLDocument.root(text).map(Self.shown) == nil)
    }

    @Test(
        "are refused with line and reason",
        arguments: [
            ("a: 1\nb: [1, 2\nc: 3\n", 3, "did not find expected ',' or ']'"),
            ("a: 1\n\tb: 2\n", 2, "found a tab character that violates indentation"),
            ("a: *x\n", 1, "found undefined alias"),
            ("a: 1\nb: 2\na: 3\n", 3, "the key 'a' stands twice"),
            ("a: 1\n---\nb: 2\n", 2, "but found another document"),
            (String(repeating: "[", count: 100) + String(repeating: "]", count: 100), 1, "it is nested too deeply"),
        ])
    func refused(text: String, line: Int, reason: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLDocument.root(text) }
        #expect(error?.line == line)
        #expect(error?.reason == reason)
    }

    @Test func aTextAfterARefusedOneIsRead() throws {
        #expect(throws: YAMLError.self) { try YAMLDocument.root("[") }
        #expect(try YAMLDocument.root("a").map(Self.shown) == "1'a'")
    }

    @Test func severalAreReadAtTheSameTime() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let text = "number: \(number)\n"
                    return (try? YAMLDocument.root(text))??.mapping?.first?.value.scalar == "\(number)"
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
