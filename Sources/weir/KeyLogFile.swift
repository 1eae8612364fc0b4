import ArgumentParser
import Synchronization
import SystemPackage
import WeirProtocols

/// A file with a key log. It stays open while it is read on, so that it need not be readable any more once privileges are
/// dropped.
final class KeyLogFile: Sendable {
    /// The size beyond which a file is refused, or not read on, in octets.
    private static let mostOctets = 256 << 20

    private let name: String
    private let file: FileDescriptor
    /// The octets that were read.
    private let octets = Mutex(0)

    /// Opens a file.
    init(_ name: String) throws {
        self.name = name
        do {
            file = try FileDescriptor.open(FilePath(name), .readOnly)
        } catch let error as Errno {
            throw ValidationError(plain: "\(name): \(error)")
        }
    }

    deinit { try? file.close() }

    /// Reads the file. Returns the secrets, and the lines that cannot be used.
    ///
    /// - Parameter isLive: Whether the file is read on when secrets are missing. That takes a file with positions; pipes
    ///   are read once.
    func read(isLive: Bool) throws -> (log: KeyLog, faults: [KeyLog.Fault]) {
        let grows = isLive && (try? file.seek(offset: 0, from: .current)) != nil
        let growth: @Sendable () -> [UInt8] = { self.added() }
        let log = KeyLog(source: name, growth: grows ? growth : nil)
        var faults: [KeyLog.Fault] = []
        do {
            while true {
                var part = try file.block()
                defer { SecretMemory.overwrite(&part) }
                if part.isEmpty { break }
                let isTooLarge = octets.withLock { octets in
                    octets += part.count
                    return octets > Self.mostOctets
                }
                if isTooLarge {
                    throw ValidationError(plain: "\(name): it is larger than \(Self.mostOctets >> 20) MiB")
                }
                faults += log.add(part)
            }
        } catch let error as Errno {
            throw ValidationError(plain: "\(name): \(error)")
        }
        // The last line of a file that grows may be incomplete.
        if !grows { faults += log.finish() }
        return (log, faults)
    }

    /// Returns what was added to the file since, up to the size limit; nothing if it cannot be read.
    private func added() -> [UInt8] {
        octets.withLock { octets in
            var text: [UInt8] = []
            while octets < Self.mostOctets, var part = try? file.block(at: Int64(octets)), !part.isEmpty {
                octets += part.count
                text += part
                SecretMemory.overwrite(&part)
            }
            return text
        }
    }
}
