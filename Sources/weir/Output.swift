import ArgumentParser
import Synchronization
import SystemPackage
import WeirReports

/// Writes a report to a file or to standard output.
final class FileOutput: ReportOutput, Sendable {
    private let descriptor: FileDescriptor
    let name: String
    private let failure = Mutex<Errno?>(nil)

    /// Whether writing has failed, such as on a closed pipe or a full disk.
    var hasFailed: Bool { failure.withLock { $0 != nil } }

    /// Reports why a report could not be written. Exit code 1 is reserved for findings of `check`.
    private static func failure(_ name: String, _ reason: Errno) -> ExitCode {
        StandardError.write("weir: cannot write \(name == "-" ? "standard output" : name): \(reason)\n")
        return ExitCode(2)
    }

    /// Writes a text to standard output. On failure, reports the reason and throws the exit code.
    static func print(_ text: String) throws(ExitCode) {
        let output = try FileOutput("-")
        output.write(Array(text.utf8))
        try output.close()
    }

    /// Opens `name` for writing; `-` is standard output. On failure, reports the reason and throws the exit code.
    ///
    /// - Parameters:
    ///   - continues: Whether to append to an existing file.
    ///   - isSecret: Whether only the user may read the file, which must be new then.
    init(_ name: String, continues: Bool = false, isSecret: Bool = false) throws(ExitCode) {
        self.name = name
        guard name != "-" else {
            descriptor = .standardOutput
            return
        }
        do {
            descriptor = try FileDescriptor.open(
                FilePath(name), .writeOnly,
                options: continues ? [] : isSecret ? [.create, .exclusiveCreate] : [.create, .truncate],
                permissions: continues ? nil : isSecret ? [.ownerReadWrite] : [.ownerReadWrite, .groupRead, .otherRead])
            if continues { try descriptor.seek(offset: 0, from: .end) }
        } catch {
            throw Self.failure(name, error as? Errno ?? .ioError)
        }
    }

    func write(_ octets: [UInt8]) {
        guard !hasFailed else { return }
        do {
            _ = try descriptor.writeAll(octets)
        } catch {
            fail(error)
        }
    }

    func fail(_ reason: any Error) {
        failure.withLock { $0 = $0 ?? reason as? Errno ?? .ioError }
    }

    /// Overwrites octets at an offset, unless the output cannot seek.
    func overwrite(_ octets: [UInt8], at offset: Int) {
        guard !hasFailed, name != "-" else { return }
        do {
            _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), octets)
        } catch {
            fail(error)
        }
    }

    /// Closes the file. If writing has failed, reports the reason and throws the exit code.
    func close() throws(ExitCode) {
        do {
            if name != "-" { try descriptor.close() }
        } catch {
            fail(error)
        }
        if let reason = failure.withLock({ $0 }) { throw Self.failure(name, reason) }
    }
}

/// Messages on standard error.
enum StandardError {
    /// Writes one line. File names and data of peers may contain terminal escape sequences, or line breaks followed by
    /// workflow commands of a CI runner; both are neutralized.
    static func write(_ line: String, keepingLines: Bool = false) {
        let isEnded = line.hasSuffix("\n")
        let text = isEnded ? String(line.dropLast()) : line
        let shown = RunnerCommands.defused(Printable.clean(text, keepingLines: keepingLines))
        writeAsIs(shown + (isEnded ? "\n" : ""))
    }

    /// Writes text that may contain terminal escape sequences.
    static func writeAsIs(_ text: String) {
        // A failure of standard error cannot be reported.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}

extension ValidationError {
    /// Creates a usage error, with terminal escape sequences in the arguments neutralized.
    init(plain message: String) { self.init(Printable.clean(message)) }
}
