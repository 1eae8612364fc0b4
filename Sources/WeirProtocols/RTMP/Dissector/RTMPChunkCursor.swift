import WeirPackets

/// Where one side is in the message at hand, as long as one chunk stream has the word: most octets of a connection only
/// move this on.
///
/// It is a plain value, so that a driver can borrow it and pass over octets in the middle of a message without the reader.
package struct RTMPChunkCursor: Sendable {
    /// Size of the side's chunks, 128 until it says otherwise (RTMP §5.4.1).
    var chunkSize = 128
    /// Octets of the chunk that are still to come.
    var chunkLeft = 0
    /// Octets of the message that are still to come.
    var messageLeft = 0
    /// Octets to pass until NAL units have to be looked at; very many when there are none.
    var lookLeft = Int.max / 2
    /// Chunks of the message so far.
    var chunks = 0
    /// The octet by which its next chunk begins if that is nothing special: type 3, on a chunk stream below 64.
    var continuation: UInt8?
    /// The extended timestamp that such a chunk repeats.
    var extended: UInt32?
    /// Octets that were passed over since it was borrowed.
    package private(set) var passed = 0

    /// No message is at hand.
    package init() {}

    /// Octets of the header of a chunk that is nothing special.
    var headerOctets: Int { extended == nil ? 1 : 5 }

    /// Begins the next chunk of the message if the header at `offset` is nothing special; returns its octets, else 0.
    @inline(__always)
    mutating func goOn(_ bytes: RawSpan, at offset: Int) -> Int {
        guard messageLeft > 0, let continuation, bytes.byte(at: offset) == continuation else { return 0 }
        if let extended, bytes.uint32(at: offset &+ 1) != extended { return 0 }
        chunks &+= 1
        chunkLeft = min(chunkSize, messageLeft)
        return headerOctets
    }

    /// Passes over octets as long as nothing has to be looked at or kept and the message does not end; returns how many.
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

    /// The same place, as if nothing had been passed over.
    func settled() -> Self {
        var run = self
        run.passed = 0
        return run
    }
}
