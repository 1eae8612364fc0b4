/// The read position within the current chunk, which the fast path may borrow to skip octets.
extension RTMPChunkReader {
    var chunkSize: Int {
        get { run.chunkSize }
        set { run.chunkSize = newValue }
    }
    var chunkLeft: Int {
        get { run.chunkLeft }
        set { run.chunkLeft = newValue }
    }
    var messageLeft: Int {
        get { run.messageLeft }
        set { run.messageLeft = newValue }
    }
    var lookLeft: Int {
        get { run.lookLeft }
        set { run.lookLeft = newValue }
    }
    var chunks: Int {
        get { run.chunks }
        set { run.chunks = newValue }
    }
    var continuation: UInt8? {
        get { run.continuation }
        set { run.continuation = newValue }
    }

    /// Returns the cursor to skip octets of the current message with; an empty cursor if none may be skipped. Mutating,
    /// to access the reader in place instead of a copy.
    ///
    /// - Parameter isPlain: Whether the data is known to be unencrypted.
    @inline(__always)
    mutating func borrow(isPlain: Bool) -> RTMPChunkCursor {
        isPlain && hasSentData && synchronization.isEstablished && !synchronization.needsProof && keepLeft == 0
            && messageLeft > 0 ? run : RTMPChunkCursor()
    }

    /// Returns a borrowed cursor to the reader.
    mutating func returnBorrowed(_ borrowed: RTMPChunkCursor) {
        guard borrowed.passed > 0 else { return }
        position &+= UInt64(borrowed.passed)
        run = borrowed.settled()
    }
}
