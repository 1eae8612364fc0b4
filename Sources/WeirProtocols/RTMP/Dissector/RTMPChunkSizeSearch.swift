import WeirEngine
import WeirPackets

// The size of chunks, when the sender said it before the capture begins: it shows in the octets by which the chunks of a
// long message continue.

extension RTMPChunkReader {
    /// How sure it has to be, in bits, that a message continues at a usual size, and at any other.
    private static let usual = 16
    private static let unusual = 40
    /// Chunks of more octets are not looked for one by one.
    private static let longest = 65_536

    /// Makes sure that it is known where the first chunk of a message ends whose header of `octets` octets stands at
    /// `start`. False: more octets are needed to tell.
    mutating func findChunkSize(
        _ bytes: RawSpan, _ start: Int, _ octets: Int, _ header: RTMPChunkHeader, length: Int, isCut: Bool,
        _ outlet: Outlet
    ) -> Bool {
        guard !isChunkSizeKnown else { return true }
        chunkSize = .max
        guard length > RTMPChunkWalk.usualSizes[0] else { return true }
        var stream = index(of: header.chunkStreamID).map { streams[$0] } ?? RTMPChunkStream(id: header.chunkStreamID)
        stream.begin(header)
        if header.format < 3 { stream.extended = header.isExtended ? header.time : nil }
        let payload = start &+ octets
        for size in RTMPChunkWalk.usualSizes where size < length {
            stream.left = length &- size
            let walk = RTMPChunkWalk(
                bytes, at: payload &+ size, chunkSize: size, self, open: stream, enough: Self.usual)
            switch walk.verdict {
            case .credible, .blocked: return learn(size)
            case .short where walk.bits >= 8 && isCut: return learn(size)
            case .short where !isCut:
                outlet.need(max(bytes.byteCount &- start &+ 1, octets &+ size &+ 1 &+ (walk.bits > 0 ? size : 0)))
                return false
            case .short, .impossible: break
            }
        }
        return isCut || findUnusualSize(bytes, payload, stream, length)
    }

    /// None of the usual sizes fits: the octet by which the next chunk begins is looked for everywhere.
    private mutating func findUnusualSize(
        _ bytes: RawSpan, _ payload: Int, _ stream: RTMPChunkStream, _ length: Int
    ) -> Bool {
        guard stream.id < 64, length <= 16 &* Self.longest else { return true }
        let mark = 0xC0 | UInt8(truncatingIfNeeded: stream.id)
        var stream = stream
        for size in 1..<min(length, Self.longest) where bytes.byte(at: payload &+ size) == mark {
            stream.left = length &- size
            let walk = RTMPChunkWalk(
                bytes, at: payload &+ size, chunkSize: size, self, open: stream, enough: Self.unusual)
            if case .credible = walk.verdict { return learn(size) }
        }
        // The message came in one chunk, or its end is not there yet, and it is taken for one.
        return true
    }

    private mutating func learn(_ size: Int) -> Bool {
        chunkSize = size
        isChunkSizeKnown = true
        isChunkSizeInferred = true
        if !isChunkSizeUnannounced { oddities.insert(.chunkSizeFound) }
        return true
    }
}
