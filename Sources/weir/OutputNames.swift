import ArgumentParser
import CProcess
import SystemPackage

/// Validates output file names: none may be an input file, or be given twice.
enum OutputNames {
    /// Rejects outputs that would overwrite a file, before anything is opened. `-` is a stream, not a file.
    static func check(written: [String], read: [String]) throws {
        var known: [(name: String, isRead: Bool)] = read.filter { $0 != "-" }.map { ($0, true) }
        for name in written where name != "-" {
            if let same = known.first(where: { isSame($0.name, name) }) {
                throw ValidationError(
                    plain:
                        same.isRead
                        ? "\(name) is an input file and would be overwritten: use another output file."
                        : "\(name) is given for two outputs: the second would overwrite the first.")
            }
            known.append((name, false))
        }
    }

    /// Whether two names refer to the same file: an existing one, or the same normalized path.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        unsafe process_is_same_file(one, other)
            || FilePath(one).lexicallyNormalized() == FilePath(other).lexicallyNormalized()
    }
}
