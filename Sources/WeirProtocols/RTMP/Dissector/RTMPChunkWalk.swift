import WeirPackets

/// Goes from chunk to chunk and adds up how unlikely it is that random octets look like that, in bits: a wrong place would
/// make garbage of all that follows.
struct RTMPChunkWalk {
    enum Verdict {
        /// It is sure enough.
        case credible
        /// The octets end before it is.
        case short
        /// A chunk follows that refers to one which is not in the capture; what came before it is nearly enough.
        case blocked
        /// No chunks begin here.
        case impossible
    }

    /// Bits that a place in the middle of everything needs, and bits that count for one where a segment begins: most
    /// programs send a message in a segment of its own.
    private static let enough = 44
    private static let segmentStart = 8
    /// Bits that are nearly enough: where a walk cannot go on, and where the capture holds no more.
    private static let nearly = 34
    private static let nearlyAtCut = 26
    /// Chunk sizes that are in use, for when the sender's was said before the capture began.
    static let usualSizes = [128, 256, 512, 1_024, 2_048, 4_096, 5_000, 8_192, 10_000, 16_384, 32_768, 60_000, 65_536]

    /// What is known of a chunk stream.
    private struct Stream {
        var id: Int
        var length: Int
        var typeID: UInt8
        var messageStreamID: UInt32?
        var extended: UInt32?
        var timestamp: UInt32?
        var left = 0
        /// Its latest header is not the one that counts.
        var isStale = false

        init(_ stream: RTMPChunkStream) {
            id = stream.id
            length = stream.length
            typeID = stream.typeID
            messageStreamID = stream.isMessageStreamKnown ? stream.messageStreamID : nil
            extended = stream.extended
            timestamp = stream.isTimestampKnown ? stream.timestamp : nil
            left = stream.left
            isStale = stream.isStale
        }

        /// Whether the header says once more what the message at hand is.
        func isDescribed(by header: RTMPChunkHeader) -> Bool {
            header.describesMessage && header.messageLength == length && header.typeID == typeID
        }

        var memory: Memory {
            Memory(length: length, typeID: typeID, messageStreamID: messageStreamID, timestamp: timestamp)
        }

        init(_ header: RTMPChunkHeader) {
            id = header.chunkStreamID
            length = header.messageLength
            typeID = header.typeID
        }
    }

    let verdict: Verdict
    let bits: Int
    private var streams: [Stream] = []

    /// Walks from `start` on until `enough` bits are found. `open` is the message at hand there.
    init(
        _ bytes: RawSpan, at start: Int, chunkSize: Int, _ reader: borrowing RTMPChunkReader,
        open: RTMPChunkStream? = nil, enough: Int
    ) {
        var streams = open.map { [Stream($0)] } ?? []
        var bits = 0
        var offset = start
        var verdict: Verdict?
        while verdict == nil {
            if bits >= enough {
                verdict = .credible
                break
            }
            guard let header = RTMPChunkHeader(bytes, at: offset) else {
                verdict = .short
                break
            }
            var index = streams.firstIndex { $0.id == header.chunkStreamID }
            if index == nil, let known = reader.index(of: header.chunkStreamID) {
                index = streams.count
                streams.append(Stream(reader.streams[known]))
            }
            var octets = header.octets
            if let index, header.format == 3, let extended = streams[index].extended,
                bytes.uint32(at: offset &+ octets) == extended
            {
                octets &+= 4
                bits &+= 24
            }
            if let index, header.format == 3, streams[index].left > 0 {
                bits &+= 8
                let some = min(chunkSize, streams[index].left)
                streams[index].left &-= some
                offset &+= octets &+ some
                continue
            }
            // Nobody begins a message on a chunk stream while another one is at hand there: no evidence of chunks.
            if let index, streams[index].left > 0, !streams[index].isDescribed(by: header) {
                verdict = .impossible
                break
            }
            if !header.describesMessage, index.map({ streams[$0].isStale }) ?? true {
                verdict = offset > start && bits >= Self.nearly ? .blocked : .impossible
                break
            }
            guard
                let found = Self.evidence(
                    header, index.map { streams[$0].memory }, bytes, payload: offset &+ octets)
            else {
                verdict = .impossible
                break
            }
            bits &+= found
            let place = index ?? streams.count
            if index == nil { streams.append(Stream(header)) }
            Self.begin(header, &streams[place])
            let some = min(chunkSize, streams[place].left)
            streams[place].left &-= some
            offset &+= octets &+ some
        }
        self.verdict = verdict ?? .impossible
        self.bits = bits
    }

    private static func begin(_ header: RTMPChunkHeader, _ stream: inout Stream) {
        if header.describesMessage {
            stream.length = header.messageLength
            stream.typeID = header.typeID
            stream.isStale = false
        }
        if header.format == 0 { stream.messageStreamID = header.messageStreamID }
        if header.format < 3 { stream.extended = header.isExtended ? header.time : nil }
        stream.timestamp = nil
        stream.left = stream.length
    }

    /// Whether a chunk that begins a message stands at `offset`, for a reader that has lost its place.
    static func begins(
        _ bytes: RawSpan, at offset: Int, _ reader: borrowing RTMPChunkReader, isSegmentStart: Bool, isCut: Bool
    ) -> Verdict {
        guard let header = RTMPChunkHeader(bytes, at: offset) else { return isCut ? .impossible : .short }
        guard header.describesMessage else { return .impossible }
        let wanted = isSegmentStart ? enough &- segmentStart : enough
        let atCut = isSegmentStart ? nearlyAtCut &- segmentStart : nearlyAtCut
        // What the first header alone says does not depend on the size of chunks.
        let first = RTMPChunkWalk(bytes, at: offset, chunkSize: .max, reader, enough: 1)
        if case .impossible = first.verdict { return .impossible }
        var best = Verdict.impossible
        let isOneChunk = header.messageLength <= usualSizes[0]
        let sizes = reader.isChunkSizeKnown || isOneChunk ? [reader.chunkSize] : usualSizes + [.max]
        for size in sizes {
            let walk = RTMPChunkWalk(bytes, at: offset, chunkSize: size, reader, enough: wanted)
            switch walk.verdict {
            case .credible, .blocked: return walk.verdict
            case .short:
                if isCut, walk.bits >= atCut { return .credible }
                if !isCut { best = .short }
            case .impossible: break
            }
        }
        return best
    }
}
