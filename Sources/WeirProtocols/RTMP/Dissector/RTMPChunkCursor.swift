import WeirPackets

/// The read position of one side within the current message. Most octets of a connection only advance it.
///
/// A plain value, so that the fast path can borrow it and skip octets within a message without the reader.
package struct RTMPChunkCursor: Sendable {
    /// The chunk size of this side, 128 by default (RTMP §5.4.1).
    var chunkSize = 128
    /// Octets remaining in the chunk.
    var chunkLeft = 0
    /// Octets remaining in the message.
    var messageLeft = 0
    /// Octets to skip until NAL units have to be inspected; a very large number if there are none.
    var lookLeft = Int.max / 2
    /// Chunks of the message so far.
    var chunks = 0
    /// The first octet of the next chunk in the common case: type 3 on a chunk stream below 64.
    var continuation: UInt8?
    /// The extended timestamp that such a chunk repeats.
    var extended: UInt32?
    /// Octets skipped since the cursor was borrowed.
    package private(set) var passed = 0

    /// Creates a cursor without a current message.
    package init() {}

    /// The header size of a common continuation chunk, in octets.
    var headerOctets: Int { extended == nil ? 1 : 5 }

    /// Starts the next chunk if the header at `offset` is a common continuation; returns its size, otherwise 0.
    @inline(__always)
    mutating func goOn(_ bytes: RawSpan, at offset: Int) -> Int {
        guard messageLeft > 0, let continuation, bytes.byte(at: offset) == continuation else { return 0 }
        if let extended, bytes.uint32(at: offset &+ 1) != extended { return 0 }
        chunks &+= 1
        chunkLeft = min(chunkSize, messageLeft)
        return headerOctets
    }

    /// Skips octets until one has to be inspected or kept or the message ends; returns their number.
    package mutating func pass(_ bytes: RawSpan) -> Int {
        guard messageLeft > 0 else { return 0 }
        let end = bytes.byteCount
        var offset = 0
        while offset < end {
            if chunkLeft == 0 {
                let header = goOn(bytes, at: offset)
                guard header > 0 else { break }
                offset &+= header
                continue
            }
            let some = min(chunkLeft, end &- offset)
            guard some < messageLeft, some <= lookLeft else { break }
            lookLeft &-= some
            chunkLeft &-= some
            messageLeft &-= some
            offset &+= some
        }
        passed &+= offset
        return offset
    }

    /// Returns the same position with the count of skipped octets reset.
    func settled() -> Self {
        var run = self
        run.passed = 0
        return run
    }
}
