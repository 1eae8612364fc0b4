import WeirEngine
import WeirPackets

// What a sender never said: chunks longer than announced, and chunks that go on with nothing. Only where the capture holds
// all that it said, and the place of chunks was never searched for.

extension RTMPChunkReader {
    /// Octets of the message at hand that are still to come, once it was put aside.
    var left: Int { streams.indices.contains(current) ? streams[current].left : 0 }

    /// Whether the message at hand goes on where its next chunk would have to begin: there is no header, but one stands
    /// behind all the octets that the message lacks. Nil: more octets are needed to tell.
    func isLongerChunk(_ bytes: RawSpan, _ start: Int, isCut: Bool) -> Bool? {
        guard !hasMissed, isChunkSizeKnown, left > 0, left <= limits[RTMPLimits.self].unannouncedOctets,
            streams[current].chunks > 0
        else {
            return false
        }
        let end = start &+ left
        guard end < bytes.byteCount else { return isCut ? false : end == bytes.byteCount ? true : nil }
        guard let next = RTMPChunkHeader(bytes, at: end) else { return isCut ? false : nil }
        return isPossible(next, index(of: next.chunkStreamID))
    }

    /// Goes on with the message at hand to its end, and looks for the size of chunks from here on.
    mutating func goOnInLongerChunk() {
        streams[current].framing.exceedsChunkSize = true
        isChunkSizeKnown = false
        isChunkSizeInferred = false
        isChunkSizeUnannounced = true
        chunkSize = .max
        resume(current)
    }

    /// Why no chunk can be read where one has to begin.
    func lossOfPlace(_ header: RTMPChunkHeader, _ known: Int?, _ range: Range<Int>) -> Remark {
        let most = limits[RTMPLimits.self].chunkStreams
        if known == nil, header.describesMessage, streams.count >= most {
            return Remark(Text("rtmp.remark.chunkStreams", .integer(most)))
        }
        let reference = "RTMP 5.3.1"
        guard !hasMissed, known == nil, !header.describesMessage, left == 0 else {
            return Remark(Text("rtmp.remark.lost"), reference: reference, range: range)
        }
        return Remark(
            Text("rtmp.remark.stray", .integer(header.chunkStreamID), .integer(Int(header.format))),
            reference: reference, range: range)
    }
}
