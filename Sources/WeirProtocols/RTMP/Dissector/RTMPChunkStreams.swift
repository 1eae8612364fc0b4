/// The chunk streams of a side, in order of appearance.
struct RTMPChunkStreams {
    /// The usual number of chunk streams of a side, as the initial capacity.
    private static let usual = 4

    private var streams: [RTMPChunkStream] = []
    /// Their IDs, at the same indices: a compact array, searched for each message.
    private var ids: [Int] = []

    var isEmpty: Bool { streams.isEmpty }
    var count: Int { streams.count }
    var indices: Range<Int> { streams.indices }

    /// A chunk stream by its index, which is valid.
    subscript(index: Int) -> RTMPChunkStream {
        @inline(__always) _read { yield streams[index] }
        @inline(__always) _modify { yield &streams[index] }
    }

    /// Returns the index of a chunk stream; `current` is the one to look at first.
    @inline(__always)
    func index(of id: Int, current: Int) -> Int? {
        if streams.indices.contains(current), streams[current].id == id { return current }
        return ids.firstIndex(of: id)
    }

    /// Whether there is a chunk stream with this ID.
    func contains(_ id: Int) -> Bool { ids.contains(id) }

    /// Whether a chunk stream carries messages of this message stream.
    func carries(_ messageStreamID: UInt32) -> Bool {
        streams.contains { $0.isMessageStreamKnown && $0.messageStreamID == messageStreamID }
    }

    /// Adds a chunk stream, and returns its index.
    mutating func add(_ id: Int) -> Int {
        if streams.isEmpty {
            streams.reserveCapacity(Self.usual)
            ids.reserveCapacity(Self.usual)
        }
        streams.append(RTMPChunkStream(id: id))
        ids.append(id)
        return streams.count &- 1
    }

    /// Whether a chunk stream is the first of this side whose ID takes as many octets, two or three.
    func isFirst(ofItsSize id: Int) -> Bool {
        let isLongest = id >= RTMPChunkHeader.firstLongestID
        return !ids.contains {
            $0 != id && $0 >= RTMPChunkHeader.firstLongID && ($0 >= RTMPChunkHeader.firstLongestID) == isLongest
        }
    }
}
