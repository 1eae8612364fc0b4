/// Finds the name that a mistyped name was probably meant to be.
package enum Nearest {
    /// Returns the name with the smallest edit distance to `wrong`, or nil if none is close.
    package static func name(to wrong: String, among names: some Sequence<String>) -> String? {
        let word = Array(wrong.lowercased().utf8)
        // At most a third of the letters may differ; beyond that it is another word.
        var best: (name: String, edits: Int)?
        for name in names {
            let edits = edits(word, Array(name.lowercased().utf8))
            if edits <= max(1, word.count / 3), edits < best?.edits ?? .max { best = (name, edits) }
        }
        return best?.name
    }

    /// Returns ` Did you mean 'X'?` if a name is close, otherwise an empty string.
    package static func hint(_ wrong: String, among names: some Sequence<String>) -> String {
        name(to: wrong, among: names).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// Returns the Levenshtein distance: insertions, deletions and substitutions.
    private static func edits(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (line, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, candidate) in other.enumerated() {
                let replaced = diagonal + (letter == candidate ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row.last ?? 0
    }
}
