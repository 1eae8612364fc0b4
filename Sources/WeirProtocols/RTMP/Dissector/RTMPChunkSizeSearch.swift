import WeirEngine
import WeirPackets

// Inference of the chunk size when it was announced before the capture started, from the first octets of continuation
// chunks of a long message.

extension RTMPChunkReader {
    /// The evidence required that a message continues at a usual size and at any other, in bits.
    private static let usual = 16
    private static let unusual = 40
    /// The largest size that is searched for octet by octet.
    private static let longest = 65_536

    /// Makes sure that the end of the first chunk is known for a message whose header of `octets` octets is at `start`.
    /// Returns false if more octets are needed.
    mutating func findChunkSize(
        _ bytes: RawSpan, _ start: Int, _ octets: Int, _ header: RTMPChunkHeader, length: Int, isCut: Bool,
        _ outlet: Outlet
    ) -> Bool {
        guard !sizeSource.isKnown else { return true }
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
            case .credible, .blocked: return recordObserved(size)
            case .short where walk.bits >= 8 && isCut: return recordObserved(size)
            case .short where !isCut:
                outlet.need(max(bytes.byteCount &- start &+ 1, octets &+ size &+ 1 &+ (walk.bits > 0 ? size : 0)))
                return false
            case .short, .impossible: break
            }
        }
        return isCut || findUnusualSize(bytes, payload, stream, length)
    }

    /// Searches all offsets for the first octet of the next chunk, as none of the usual sizes fits.
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
            if case .credible = walk.verdict { return recordObserved(size) }
        }
        // The message is assumed to be a single chunk: it was, or its end has not arrived.
        return true
    }

    private mutating func recordObserved(_ size: Int) -> Bool {
        chunkSize = size
        sizeSource.infer()
        if !sizeSource.isExceeded { oddities.insert(.chunkSizeFound) }
        return true
    }
}
