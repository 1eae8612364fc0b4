import ArgumentParser
import CProcess
import SystemPackage

/// Directories for output.
enum OutputFolder {
    /// Creates a directory and those above it, as far as they are missing. On failure, reports the reason and throws the
    /// exit code.
    static func make(_ folder: String) throws(ExitCode) {
        let error = unsafe process_make_folders(folder)
        guard error != 0 else { return }
        StandardError.write("weir: cannot create directory \(folder): \(Errno(rawValue: error))\n")
        throw ExitCode(2)
    }
}
