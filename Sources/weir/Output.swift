import ArgumentParser
import Synchronization
import SystemPackage
import WeirReports

/// Writes a report to a file or to standard output.
final class FileOutput: ReportOutput, Sendable {
    private let descriptor: FileDescriptor
    let name: String
    private let failure = Mutex<Errno?>(nil)

    /// Whether something could not be written: nobody reads any more, or there is no more room.
    var hasFailed: Bool { failure.withLock { $0 != nil } }

    /// Says why a report could not be written. Code 1 is for what `check` finds: a full disk is no broken rule.
    private static func failure(_ name: String, _ reason: Errno) -> ExitCode {
        StandardError.write("weir: cannot write \(name == "-" ? "standard output" : name): \(reason)\n")
        return ExitCode(2)
    }

    /// Writes a text to standard output; throws the exit code, after saying why, when that fails.
    static func print(_ text: String) throws(ExitCode) {
        let output = try FileOutput("-")
        output.write(Array(text.utf8))
        try output.close()
    }

    /// Opens `name` for writing; `-` is standard output. Throws the exit code, after saying why it cannot be.
    ///
    /// - Parameter continues: what stands in the file stays, and more comes behind it.
    init(_ name: String, continues: Bool = false) throws(ExitCode) {
        self.name = name
        guard name != "-" else {
            descriptor = .standardOutput
            return
        }
        do {
            descriptor = try FileDescriptor.open(
                FilePath(name), .writeOnly, options: continues ? [] : [.create, .truncate],
                permissions: continues ? nil : [.ownerReadWrite, .groupRead, .otherRead])
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

    /// Writes over octets at the beginning; not where the output is no file that can be sought in.
    func overwrite(_ octets: [UInt8], at offset: Int) {
        guard !hasFailed, name != "-" else { return }
        do {
            _ = try descriptor.writeAll(toAbsoluteOffset: Int64(offset), octets)
        } catch {
            fail(error)
        }
    }

    /// Closes the file; throws the exit code when something went wrong with writing to it, after saying what.
    func close() throws(ExitCode) {
        do {
            if name != "-" { try descriptor.close() }
        } catch {
            fail(error)
        }
        if let reason = failure.withLock({ $0 }) { throw Self.failure(name, reason) }
    }
}

/// Messages for the person at the keyboard.
enum StandardError {
    /// Writes one line. Names of files and words of peers may hold what steers a terminal, or begins another line, which
    /// the runner of a build may take for a command.
    static func write(_ line: String, keepingLines: Bool = false) {
        let isEnded = line.hasSuffix("\n")
        let text = isEnded ? String(line.dropLast()) : line
        let shown = RunnerCommands.defused(Printable.clean(text, keepingLines: keepingLines))
        writeAsIs(shown + (isEnded ? "\n" : ""))
    }

    /// Text that may steer the terminal.
    static func writeAsIs(_ text: String) {
        // Nobody is left to be told when even this fails.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}

extension ValidationError {
    /// What is wrong with the command line, whose own words may hold what steers a terminal.
    init(plain message: String) { self.init(Printable.clean(message)) }
}
