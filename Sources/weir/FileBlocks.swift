import SystemPackage

extension FileDescriptor {
    /// Returns up to `most` octets, empty at the end; read at `offset` if given.
    func block(_ most: Int = 64 * 1024, at offset: Int64? = nil) throws -> [UInt8] {
        // Sound: the buffer is written by the system, which returns the number of octets.
        try unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            let room = UnsafeMutableRawBufferPointer(buffer)
            count =
                if let offset {
                    unsafe try read(fromAbsoluteOffset: offset, into: room)
                } else {
                    unsafe try read(into: room)
                }
        }
    }
}
