import SystemPackage
import WeirReports

/// Writes a report to a file or to standard output.
final class FileOutput: ReportOutput {
    private let descriptor: FileDescriptor
    private let name: String
    private var failure: Errno?
    /// Called before anything is written: what stands on the terminal may be in the way.
    var willWrite: (() -> Void)?

    /// Whether something could not be written: nobody reads any more, or there is no more room.
    var hasFailed: Bool { failure != nil }

    /// Why a report could not be written.
    struct Failure: Error, CustomStringConvertible {
        var name: String
        var reason: Errno
        var description: String { "cannot write \(name == "-" ? "standard output" : name): \(reason)" }
    }

    /// Opens `name` for writing; `-` is standard output.
    init(_ name: String) throws {
        self.name = name
        guard name != "-" else {
            descriptor = .standardOutput
            return
        }
        do {
            descriptor = try FileDescriptor.open(
                FilePath(name), .writeOnly, options: [.create, .truncate],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch let error as Errno {
            throw Failure(name: name, reason: error)
        }
    }

    func write(_ octets: [UInt8]) {
        guard failure == nil else { return }
        willWrite?()
        do {
            _ = try descriptor.writeAll(octets)
        } catch {
            failure = error as? Errno ?? .ioError
        }
    }

    /// Closes the file; throws what went wrong with writing to it.
    func close() throws {
        if name != "-" { try descriptor.close() }
        if let failure { throw Failure(name: name, reason: failure) }
    }
}

/// Messages for the person at the keyboard.
enum StandardError {
    static func write(_ text: String) {
        // Nobody is left to be told when even this fails.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }
}
