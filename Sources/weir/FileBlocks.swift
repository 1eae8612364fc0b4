import SystemPackage

extension FileDescriptor {
    /// The next octets, `most` of them or fewer; none at the end. From `offset` of the file on, if that is given.
    func block(_ most: Int = 64 * 1024, at offset: Int64? = nil) throws -> [UInt8] {
        // Sound: the buffer is written by the system, which says how much of it.
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
