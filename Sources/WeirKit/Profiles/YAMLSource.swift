import WeirEngine

/// A YAML file being parsed. Errors include its line numbers.
struct YAMLSource {
    let file: String

    /// Returns the root of the document, or nil if it is empty.
    func root(_ text: String) throws(ProfileError) -> YAMLNode? {
        do throws(YAMLError) {
            return try YAMLDocument.root(text)
        } catch {
            let hint = error.isSyntax ? Self.hint(text, line: error.line) : ""
            throw ProfileError(file: file, line: error.line, reason: error.reason + hint)
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

    /// Returns an error at a node.
    func error(_ node: YAMLNode, _ reason: String) -> ProfileError {
        ProfileError(file: file, line: node.line, reason: reason)
    }

    /// Returns the location of a node as file and line.
    func place(_ node: YAMLNode) -> String { "\(file):\(node.line)" }

    /// Returns the members of a mapping; its keys must be in `known`, if given.
    func members(
        _ node: YAMLNode, _ what: String, known: [String]? = nil
    ) throws(ProfileError) -> [(key: String, node: YAMLNode, value: YAMLNode)] {
        guard let mapping = node.mapping else { throw error(node, "\(what) takes keys and values") }
        var members: [(key: String, node: YAMLNode, value: YAMLNode)] = []
        for (key, value) in mapping {
            guard let name = key.scalar else { throw error(key, "a key of \(what) is no word") }
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
    func list(_ node: YAMLNode) -> [YAMLNode] {
        if let sequence = node.sequence { return sequence }
        return [node]
    }

    /// Returns a scalar as written.
    func word(_ node: YAMLNode, _ what: String) throws(ProfileError) -> String {
        guard let scalar = node.scalar, !scalar.isEmpty else { throw error(node, "\(what) takes a value") }
        return scalar
    }

    /// Parses a Boolean.
    func flag(_ node: YAMLNode, _ what: String) throws(ProfileError) -> Bool {
        switch node.scalar {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw error(node, "\(what) takes true or false")
        }
    }
}
