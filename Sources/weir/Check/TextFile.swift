import SystemPackage

/// Reads small text files completely.
enum TextFile {
    /// The maximum size of a profile or baseline, in octets.
    private static let most = 16 << 20

    /// Why a file was not read.
    enum Fault: Error, CustomStringConvertible {
        /// The file does not exist.
        case missing
        /// The path is a directory.
        case directory
        /// The file is too large.
        case large
        /// The content is not UTF-8.
        case notText
        /// An error of the operating system.
        case other(Errno)

        var description: String {
            switch self {
            case .missing: "no such file"
            case .directory: "it is a directory"
            case .large: "it is larger than \(TextFile.most >> 20) MiB"
            case .notText: "it is not UTF-8"
            case .other(let error): "\(error)"
            }
        }
    }

    /// Returns the content of a file.
    static func load(_ name: String) throws(Fault) -> String {
        do {
            let file = try FileDescriptor.open(FilePath(name), .readOnly)
            defer { try? file.close() }
            var octets: [UInt8] = []
            while octets.count <= most {
                let part = try file.block()
                if part.isEmpty {
                    guard let text = String(validating: octets, as: UTF8.self) else { throw Fault.notText }
                    return text
                }
                octets += part
            }
            throw Fault.large
        } catch let fault as Fault {
            throw fault
        } catch {
            switch error as? Errno {
            case .noSuchFileOrDirectory?: throw .missing
            case .isDirectory?: throw .directory
            case let error?: throw .other(error)
            case nil: throw .other(.ioError)
            }
        }
    }

    /// Whether a file exists.
    static func exists(_ name: String) -> Bool {
        guard let file = try? FileDescriptor.open(FilePath(name), .readOnly) else { return false }
        try? file.close()
        return true
    }
}
