import SystemPackage

/// Small files that are read as a whole.
enum TextFile {
    /// Octets of a profile or baseline at most.
    private static let most = 16 << 20

    /// Why a file was not read.
    enum Fault: Error, CustomStringConvertible {
        /// There is none of that name.
        case missing
        /// It is a folder.
        case directory
        /// It is larger than anybody writes.
        case large
        /// Its octets are no text.
        case notText
        /// What the system says.
        case other(Errno)

        var description: String {
            switch self {
            case .missing: "there is no such file"
            case .directory: "it is a directory"
            case .large: "it is larger than \(TextFile.most >> 20) MiB"
            case .notText: "it is not UTF-8"
            case .other(let error): "\(error)"
            }
        }
    }

    /// The content.
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

    /// Whether a file is there.
    static func exists(_ name: String) -> Bool {
        guard let file = try? FileDescriptor.open(FilePath(name), .readOnly) else { return false }
        try? file.close()
        return true
    }
}
