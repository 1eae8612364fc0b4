import ArgumentParser
import CProcess
import SystemPackage

/// The files that a command writes: none of them may be one that it reads, or be named twice.
enum OutputNames {
    /// Refuses what would be lost, before anything is opened. `-` is a stream, and no file.
    static func check(written: [String], read: [String]) throws {
        var known: [(name: String, isRead: Bool)] = read.filter { $0 != "-" }.map { ($0, true) }
        for name in written where name != "-" {
            if let same = known.first(where: { isSame($0.name, name) }) {
                throw ValidationError(
                    plain:
                        same.isRead
                        ? "\(name) is read, and would be overwritten: give the output another name."
                        : "\(name) is named for two outputs: the second would overwrite the first.")
            }
            known.append((name, false))
        }
    }

    /// Whether two names are of one file: of one that is there, or spelt alike.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        unsafe process_is_same_file(one, other)
            || FilePath(one).lexicallyNormalized() == FilePath(other).lexicallyNormalized()
    }
}
