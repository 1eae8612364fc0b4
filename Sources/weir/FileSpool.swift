import CProcess
import SystemPackage
import WeirReports

/// A spool in a temporary file without a name, which the system takes back however the program ends; in memory where there
/// is no room for a file.
final class FileSpool: ReportSpool {
    private var file: FileDescriptor?
    private let rest = MemorySpool()
    private static let block = 256 * 1024

    func append(_ octets: [UInt8]) {
        if file == nil {
            let descriptor = process_temporary_file()
            if descriptor >= 0 { file = FileDescriptor(rawValue: descriptor) }
        }
        guard let file, (try? file.writeAll(octets)) != nil else { return rest.append(octets) }
    }

    func drain(to output: any ReportOutput) {
        defer { rest.drain(to: output) }
        guard let file else { return }
        self.file = nil
        defer { try? file.close() }
        var offset = Int64(0)
        while true {
            let part = try? file.block(Self.block, at: offset)
            guard let part, !part.isEmpty else { return }
            offset += Int64(part.count)
            output.write(part)
        }
    }

    deinit { try? file?.close() }
}
