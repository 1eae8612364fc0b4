import WeirEngine
import WeirPackets

// Unannounced behavior of a sender: chunks longer than announced, and chunks that continue no message. Evaluated only
// if everything it sent was captured and synchronization was never lost.

extension RTMPChunkReader {
    /// Octets remaining in the current message after it was saved.
    var left: Int { streams.indices.contains(current) ? streams[current].left : 0 }

    /// Whether the current message continues where its next chunk should start: there is no header there, but one
    /// follows all remaining octets of the message. Nil if more octets are needed.
    func isLongerChunk(_ bytes: RawSpan, _ start: Int, isCut: Bool) -> Bool? {
        guard !synchronization.hasMissed, sizeSource.isKnown, left > 0,
            left <= limits[RTMPLimits.self].unannouncedOctets, streams[current].chunks > 0
        else { return false }
        let end = start &+ left
        guard end < bytes.byteCount else { return isCut ? false : end == bytes.byteCount ? true : nil }
        guard let next = RTMPChunkHeader(bytes, at: end) else { return isCut ? false : nil }
        return isPossible(next, index(of: next.chunkStreamID))
    }

    /// Continues the current message to its end and infers the chunk size from then on.
    mutating func goOnInLongerChunk() {
        streams[current].framing.exceedsChunkSize = true
        sizeSource.noteExceeded()
        chunkSize = .max
        resume(current)
    }

    /// Returns why no chunk can be parsed at a chunk boundary.
    func lossOfPlace(_ header: RTMPChunkHeader, _ known: Int?, _ range: Range<Int>) -> Remark {
        let most = limits[RTMPLimits.self].chunkStreams
        if known == nil, header.describesMessage, streams.count >= most {
            return Remark(Text("rtmp.remark.chunkStreams", .integer(most)))
        }
        let reference = "RTMP 5.3.1"
        guard !synchronization.hasMissed, known == nil, !header.describesMessage, left == 0 else {
            return Remark(Text("rtmp.remark.lost"), reference: reference, range: range)
        }
        return Remark(
            Text("rtmp.remark.stray", .integer(header.chunkStreamID), .integer(Int(header.format))),
            reference: reference, range: range)
    }
}
