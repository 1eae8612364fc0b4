import CProcess
import SystemPackage
import WeirReports

/// A spool in an unnamed temporary file, which the system removes however the program ends; in memory if no file can be
/// written.
final class FileSpool: ReportSpool {
    private var file: FileDescriptor?
    /// The octets of completely written blocks; a partially written block is in memory.
    private var length = Int64(0)
    /// Whether writing to the file has failed: blocks after one in memory must follow it.
    private var isFull = false
    private let rest = MemorySpool()
    private static let block = 256 * 1024

    func append(_ octets: [UInt8]) {
        if file == nil, !isFull {
            let descriptor = process_temporary_file()
            if descriptor >= 0 { file = FileDescriptor(rawValue: descriptor) }
        }
        guard let file, !isFull, (try? file.writeAll(toAbsoluteOffset: length, octets)) != nil else {
            isFull = true
            return rest.append(octets)
        }
        length += Int64(octets.count)
    }

    var count: Int { Int(length) + rest.count }

    func octets(in range: Range<Int>) throws -> [UInt8] {
        var octets: [UInt8] = []
        var offset = range.lowerBound
        while offset < min(range.upperBound, Int(length)) {
            let part = try file?.block(min(range.upperBound, Int(length)) - offset, at: Int64(offset)) ?? []
            guard !part.isEmpty else { throw Errno.ioError }
            octets += part
            offset += part.count
        }
        guard range.upperBound > Int(length) else { return octets }
        let start = max(0, range.lowerBound - Int(length))
        return octets + rest.octets(in: start..<range.upperBound - Int(length))
    }

    func drain(to output: any ReportOutput) {
        do {
            try drainFile(to: output)
        } catch {
            output.fail(error)
        }
        rest.drain(to: output)
    }

    private func drainFile(to output: any ReportOutput) throws {
        guard let file else { return }
        let length = length
        self.file = nil
        self.length = 0
        isFull = false
        defer { try? file.close() }
        var offset = Int64(0)
        while offset < length {
            let part = try file.block(min(Self.block, Int(length - offset)), at: offset)
            guard !part.isEmpty else { throw Errno.ioError }
            offset += Int64(part.count)
            output.write(part)
        }
    }

    deinit { try? file?.close() }
}
