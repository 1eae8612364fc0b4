/// Where the reader stands in the chunk at hand, which a driver may borrow to pass over octets.
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

    /// What a driver may use to pass over octets in the middle of the message at hand; nothing at hand where it must not.
    /// Mutating, as that looks at the reader where it stands, and anything else at a copy.
    mutating func borrow() -> RTMPChunkCursor {
        isSynchronised && !needsProof && keepLeft == 0 && messageLeft > 0 ? run : RTMPChunkCursor()
    }

    /// Takes back what was lent.
    mutating func giveBack(_ lent: RTMPChunkCursor) {
        guard lent.passed > 0 else { return }
        position &+= UInt64(lent.passed)
        run = lent.settled()
    }
}
