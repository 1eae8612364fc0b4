import WeirEngine
import Yams

/// A YAML file being parsed. Errors include its line numbers.
struct YAMLSource {
    let file: String

    /// Returns the root of the document, or nil if it is empty.
    func root(_ text: String) throws(ProfileError) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch {
            throw failure(error, text)
        }
    }

    /// Converts an error of Yams to a line and a reason.
    private func failure(_ error: any Error, _ text: String) -> ProfileError {
        guard let error = error as? YamlError else { return ProfileError(file: file, line: nil, reason: "\(error)") }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return ProfileError(file: file, line: mark.line, reason: problem + Self.hint(text, line: mark.line))
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { "'\($0)'" }.joined(separator: ", ")
            let line = Self.second(duplicates.first ?? "", text, from: context.mark.line) ?? context.mark.line
            return ProfileError(file: file, line: line, reason: "the key \(names) stands twice")
        default:
            return ProfileError(file: file, line: nil, reason: "\(error)")
        }
    }

    /// Returns a hint for the most frequent mistake: YAML parses a pattern that starts with `*` as an alias.
    private static func hint(_ text: String, line: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return "" }
        let words = lines[line - 1].split { " ,[{:".contains($0) }
        guard let pattern = words.first(where: { $0.hasPrefix("*") }) else { return "" }
        return ". A word that begins with * stands in quotation marks: '\(pattern)'"
    }

    /// Returns the line of the second occurrence of a key after the start of its mapping.
    private static func second(_ key: String, _ text: String, from first: Int) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        return lines.filter { line in
            line.offset + 1 >= first && line.element.drop { $0 == " " }.hasPrefix("\(key):")
        }.dropFirst().first.map { $0.offset + 1 }
    }

    /// Returns an error at a node.
    func error(_ node: Node, _ reason: String) -> ProfileError {
        ProfileError(file: file, line: node.mark?.line, reason: reason)
    }

    /// Returns the location of a node as file and line.
    func place(_ node: Node) -> String { "\(file):\(node.mark?.line ?? 1)" }

    /// Returns the members of a mapping; its keys must be in `known`, if given.
    func members(
        _ node: Node, _ what: String, known: [String]? = nil
    ) throws(ProfileError) -> [(key: String, node: Node, value: Node)] {
        guard let mapping = node.mapping else { throw error(node, "\(what) takes keys and values") }
        var members: [(key: String, node: Node, value: Node)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string else { throw error(key, "a key of \(what) is no word") }
            if let known, !known.contains(name) {
                throw error(
                    key,
                    "there is no key '\(name)' in \(what).\(Nearest.hint(name, among: known)) "
                        + "There are \(known.joined(separator: ", ")).")
            }
            members.append((name, key, value))
        }
        return members
    }

    /// Returns the items of a sequence; a scalar is a sequence of one.
    func list(_ node: Node) -> [Node] {
        if let sequence = node.sequence { return Array(sequence) }
        return [node]
    }

    /// Returns a scalar as written.
    func word(_ node: Node, _ what: String) throws(ProfileError) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty else { throw error(node, "\(what) takes a value") }
        return scalar.string
    }

    /// Parses a Boolean.
    func flag(_ node: Node, _ what: String) throws(ProfileError) -> Bool {
        switch node.scalar?.string {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw error(node, "\(what) takes true or false")
        }
    }
}
