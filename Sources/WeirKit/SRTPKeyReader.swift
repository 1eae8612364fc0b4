import WeirProtocols

/// Reads files with SRTP keys: lines, or a YAML list of mappings with `ssrc`, `profile`, `key`, `salt`, `mki`, `kdr`.
package enum SRTPKeyReader {
    private static let known = ["ssrc", "profile", "key", "salt", "mki", "kdr"]

    /// Creates a file from its text, and returns it with the keys and lines that cannot be used.
    package static func parse(
        _ text: [UInt8], source: String
    ) -> (file: SRTPKeyFile, faults: [SRTPKeyFile.Fault]) {
        guard isYAML(text) else { return SRTPKeyFile.parse(text, source: source) }
        var keys: [SRTPKeyFile.Words] = []
        var faults: [SRTPKeyFile.Fault] = []
        func add(_ line: Int, _ reason: String) {
            faults.append(SRTPKeyFile.Fault(source: source, line: line, reason: reason))
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            add(1, "the file is not text")
            return SRTPKeyFile.make([], source: source, faults)
        }
        do throws(YAMLError) {
            let root = try YAMLDocument.root(string)
            if let root, root.sequence == nil { add(root.line, "not a list of keys") }
            for node in root?.sequence ?? [] {
                do throws(Problem) {
                    keys.append(try words(node))
                } catch {
                    add(error.line, error.reason)
                }
            }
        } catch {
            // Only a problem of syntax is named without text of the file, which may be a key.
            let reason = error.isSyntax ? error.reason : "a member twice, or nested too deeply"
            add(error.line, "not YAML: \(reason). An SSRC of * must be in quotation marks")
        }
        return SRTPKeyFile.make(keys, source: source, faults)
    }

    /// Whether the first line that is neither empty nor a comment starts a list, a mapping or a document.
    private static func isYAML(_ text: [UInt8]) -> Bool {
        for line in text.split(separator: 0x0A) {
            guard let first = line.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
            if first == UInt8(ascii: "#") { continue }
            return [UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "%")].contains(first)
        }
        return false
    }

    private struct Problem: Error {
        let line: Int
        let reason: String
    }

    private static func words(_ node: YAMLNode) throws(Problem) -> SRTPKeyFile.Words {
        guard let mapping = node.mapping else { throw Problem(line: node.line, reason: "not a mapping") }
        var members: [String: String] = [:]
        for (key, value) in mapping {
            // The name may be a key in a wrong place, and is not repeated.
            guard let name = key.scalar, known.contains(name) else {
                throw Problem(line: key.line, reason: "unknown member; known: \(known.joined(separator: ", "))")
            }
            guard let text = value.scalar, !text.isEmpty else {
                throw Problem(line: value.line, reason: "\(name) is not a single value")
            }
            members[name] = text
        }
        func require(_ name: String) throws(Problem) -> String {
            guard let text = members[name] else { throw Problem(line: node.line, reason: "\(name) is missing") }
            return text
        }
        var words = SRTPKeyFile.Words(line: node.line)
        words.ssrc = try require("ssrc")
        words.profile = try require("profile")
        words.key = try require("key")
        (words.salt, words.mki, words.kdr) = (members["salt"], members["mki"], members["kdr"])
        return words
    }
}
