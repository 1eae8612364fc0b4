import WeirPackets

/// Walks a sequence of chunks and adds up how unlikely random octets are to match, in bits: a wrong chunk boundary
/// would misinterpret everything that follows.
struct RTMPChunkWalk {
    enum Verdict {
        /// The evidence is sufficient.
        case credible
        /// The octets end before the evidence is sufficient.
        case short
        /// The next chunk refers to one that is not in the capture; the evidence so far is almost sufficient.
        case blocked
        /// No chunks start here.
        case impossible
    }

    /// The evidence required at an arbitrary offset, and the bonus at the start of a segment, in bits: most
    /// implementations send a message in its own segment.
    private static let enough = 44
    private static let segmentStart = 8
    /// The reduced evidence required where a walk cannot continue, and where the capture ends.
    private static let nearly = 34
    private static let nearlyAtCut = 26
    /// Common chunk sizes, tried if the sender announced its size before the capture started.
    static let usualSizes = [128, 256, 512, 1_024, 2_048, 4_096, 5_000, 8_192, 10_000, 16_384, 32_768, 60_000, 65_536]

    /// The state of a chunk stream.
    private struct Stream {
        var id: Int
        var length: Int
        var typeID: UInt8
        var messageStreamID: UInt32?
        var extended: UInt32?
        var timestamp: UInt32?
        var left = 0
        /// Whether its latest header may not be the one in effect.
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

        /// Whether the header repeats the description of the current message.
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

    /// Walks from `start` until `enough` bits are found. `open` is the current message there.
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
            // No sender starts a message on a chunk stream with an incomplete one: these are not chunks.
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

    /// Returns whether a chunk that starts a message is at `offset`, for a reader that has lost synchronization.
    static func begins(
        _ bytes: RawSpan, at offset: Int, _ reader: borrowing RTMPChunkReader, isSegmentStart: Bool, isCut: Bool
    ) -> Verdict {
        guard let header = RTMPChunkHeader(bytes, at: offset) else { return isCut ? .impossible : .short }
        guard header.describesMessage else { return .impossible }
        let wanted = isSegmentStart ? enough &- segmentStart : enough
        let atCut = isSegmentStart ? nearlyAtCut &- segmentStart : nearlyAtCut
        // The evidence of the first header alone does not depend on the chunk size.
        let first = RTMPChunkWalk(bytes, at: offset, chunkSize: .max, reader, enough: 1)
        if case .impossible = first.verdict { return .impossible }
        var best = Verdict.impossible
        let isOneChunk = header.messageLength <= usualSizes[0]
        let sizes = reader.sizeSource.isKnown || isOneChunk ? [reader.chunkSize] : usualSizes + [.max]
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
