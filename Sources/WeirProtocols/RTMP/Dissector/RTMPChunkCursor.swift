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
        guard messageLeft > 0, let continuation, bytes.byte(at: offset) == continuation,
            repeatsTimestamp(bytes, at: offset &+ 1)
        else { return 0 }
        chunks &+= 1
        chunkLeft = min(chunkSize, messageLeft)
        return headerOctets
    }

    /// Skips octets until one has to be inspected or kept or the message ends; returns their number.
    package mutating func pass(_ bytes: RawSpan) -> Int {
        guard messageLeft > 0 else { return 0 }
        let all = min(messageLeft &- 1, lookLeft)
        // In local variables: a message has a chunk every 128 octets, unless another size is set.
        var offset = min(chunkLeft, bytes.byteCount)
        var (chunk, left, headers) = (chunkLeft &- offset, all &- offset, 0)
        guard left >= 0 else { return 0 }
        if chunk == 0, let continuation {
            let (size, header) = (chunkSize, headerOctets)
            while bytes.byte(at: offset) == continuation, repeatsTimestamp(bytes, at: offset &+ 1) {
                headers &+= 1
                offset &+= header
                chunk = size
                let some = min(size, bytes.byteCount &- offset)
                guard some <= left else { break }
                left &-= some
                chunk &-= some
                offset &+= some
            }
        }
        messageLeft &-= all &- left
        lookLeft &-= all &- left
        chunkLeft = min(chunk, messageLeft)
        chunks &+= headers
        passed &+= offset
        return offset
    }

    /// Whether the extended timestamp is at `offset`, if chunks repeat it.
    @inline(__always)
    private func repeatsTimestamp(_ bytes: RawSpan, at offset: Int) -> Bool {
        extended == nil || bytes.uint32(at: offset) == extended
    }

    /// Returns the same position with the count of skipped octets reset.
    func settled() -> Self {
        var run = self
        run.passed = 0
        return run
    }
}
