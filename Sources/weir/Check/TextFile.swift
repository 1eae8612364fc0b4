import SystemPackage

/// Small files that are read as a whole.
enum TextFile {
    /// Octets of a profile or baseline at most.
    private static let most = 16 << 20

    /// The content; nil when it cannot be read, or is not text of a size that anybody writes.
    static func read(_ name: String) -> String? {
        guard let file = try? FileDescriptor.open(FilePath(name), .readOnly) else { return nil }
        defer { try? file.close() }
        var octets: [UInt8] = []
        while octets.count <= most {
            // Sound: the buffer is written by the system, which says how much of it.
            let part = try? unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, count in
                count = unsafe try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard let part else { return nil }
            if part.isEmpty { return String(validating: octets, as: UTF8.self) }
            octets += part
        }
        return nil
    }

    /// Whether a file is there.
    static func exists(_ name: String) -> Bool {
        guard let file = try? FileDescriptor.open(FilePath(name), .readOnly) else { return false }
        try? file.close()
        return true
    }
}
