import WeirEngine
import Yams

/// A YAML file that is being read: knows its lines, so that errors can name them.
struct YAMLSource {
    let file: String

    /// The root of the document; nil when it is empty.
    func root(_ text: String) throws(ProfileError) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch {
            throw failure(error, text)
        }
    }

    /// What Yams says, in this program's form: the line, and the problem.
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

    /// What is meant by the fault that is made most: a pattern that begins with `*` is an alias to YAML.
    private static func hint(_ text: String, line: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return "" }
        let words = lines[line - 1].split { " ,[{:".contains($0) }
        guard let pattern = words.first(where: { $0.hasPrefix("*") }) else { return "" }
        return ". A word that begins with * stands in quotation marks: '\(pattern)'"
    }

    /// The line of a key's second appearance behind the beginning of its mapping.
    private static func second(_ key: String, _ text: String, from first: Int) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        return lines.filter { line in
            line.offset + 1 >= first && line.element.drop { $0 == " " }.hasPrefix("\(key):")
        }.dropFirst().first.map { $0.offset + 1 }
    }

    /// An error at a node.
    func error(_ node: Node, _ reason: String) -> ProfileError {
        ProfileError(file: file, line: node.mark?.line, reason: reason)
    }

    /// Where a node stands, for people.
    func place(_ node: Node) -> String { "\(file):\(node.mark?.line ?? 1)" }

    /// The members of a mapping; its keys must be among `known`, if that is given.
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

    /// A list; a single value is a list of one.
    func list(_ node: Node) -> [Node] {
        if let sequence = node.sequence { return Array(sequence) }
        return [node]
    }

    /// A word or a number, as it was written.
    func word(_ node: Node, _ what: String) throws(ProfileError) -> String {
        guard let scalar = node.scalar, !scalar.string.isEmpty else { throw error(node, "\(what) takes a value") }
        return scalar.string
    }

    /// Yes or no.
    func flag(_ node: Node, _ what: String) throws(ProfileError) -> Bool {
        switch node.scalar?.string {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw error(node, "\(what) takes true or false")
        }
    }
}
