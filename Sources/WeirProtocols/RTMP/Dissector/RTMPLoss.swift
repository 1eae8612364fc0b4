import WeirEngine
import WeirPackets

// What is missing from the capture: holes in messages, and the way back to a place where chunks begin.

extension RTMPChunkReader {
    /// A chunk of more octets is not waited for to prove where the next one begins.
    private static let provableOctets = 128 * 1024
    /// Octets that are searched for a chunk before the older half is given up.
    private static let searchedOctets = 256 * 1024
    /// Places that are looked at again when more octets have come; random octets have hardly one.
    private static let mostUndecided = 64
    /// How sure it has to be, in bits, that the chunk behind a hole begins where it was computed.
    private static let proof = 16

    /// Forgets all messages at hand, and where chunks begin.
    mutating func lose(_ connection: borrowing RTMPConnection) {
        park()
        for index in streams.indices {
            let octets = streams[index].miss()
            keptOctets &-= octets
            connection.budget.giveBack(octets)
        }
        (chunkLeft, messageLeft, keepLeft, chunks) = (0, 0, 0, 0)
        continuation = nil
        current = -1
        needsProof = false
        isSynchronised = false
        noteLoss()
    }

    /// The capture does not hold what follows, and nobody knows where the next chunk begins: what is known of the messages
    /// at hand is told, marked as cut, and then they are forgotten.
    ///
    /// - Parameter isEnd: nothing follows at all. A frame of media that the end cuts in two, and a header alone, are
    ///   nothing to tell.
    mutating func giveUp(_ outlet: Outlet, _ connection: inout RTMPConnection, isEnd: Bool = false) {
        park()
        for index in streams.indices where streams[index].left > 0 {
            let isMedia = streams[index].typeID == 8 || streams[index].typeID == 9
            if isEnd, isMedia || streams[index].kept.isEmpty { continue }
            // A size that is not in the capture may be any.
            if streams[index].typeID == 1 { isChunkSizeKnown = false }
            streams[index].hasHole = true
            current = index
            (messageLeft, chunks) = (streams[index].left, streams[index].chunks)
            complete(0, position, outlet, &connection)
            streams[index].left = 0
        }
        lose(connection)
    }

    /// `octets` octets are missing. Inside of one chunk the place of the next octet is known all the same; inside of one
    /// message it can be computed if nothing else came between its chunks.
    mutating func gap(_ octets: Int, _ outlet: Outlet, _ connection: inout RTMPConnection) {
        defer { position &+= UInt64(octets) }
        guard isSynchronised, !needsProof, messageLeft > 0, streams.indices.contains(current) else {
            doubtChunkSize(octets)
            giveUp(outlet, &connection)
            return
        }
        streams[current].hasHole = true
        keepLeft = 0
        lookLeft = Int.max / 2
        var missing = octets
        let isInside = missing <= chunkLeft
        while missing > 0, messageLeft > 0 {
            if chunkLeft == 0 {
                // A header of one octet, unless the message has another kind of continuation.
                guard continuation != nil, run.extended == nil else { break }
                missing &-= 1
                chunks &+= 1
                chunkLeft = min(chunkSize, messageLeft)
                continue
            }
            let some = min(missing, chunkLeft)
            missing &-= some
            chunkLeft &-= some
            messageLeft &-= some
        }
        if messageLeft == 0 { complete(0, position &+ UInt64(octets &- missing), outlet, &connection) }
        guard missing == 0 else {
            doubtChunkSize(missing)
            giveUp(outlet, &connection)
            return
        }
        needsProof = !isInside && chunkLeft <= Self.provableOctets
        if !isInside { noteLoss() }
    }

    /// What is missing may have said another size of chunks, if it is long enough for that (RTMP §5.4.1): then the size shows in
    /// what follows, as at a late start.
    private mutating func doubtChunkSize(_ missing: Int) {
        guard missing >= Self.shortestSetChunkSize else { return }
        isChunkSizeKnown = false
        isChunkSizeInferred = false
    }

    /// Octets of Set Chunk Size behind a header of one octet.
    private static let shortestSetChunkSize = 5

    /// Looks whether a chunk begins behind the one at hand, as it was computed. False: more octets are needed.
    mutating func prove(
        _ bytes: RawSpan, _ start: Int, isCut: Bool, _ outlet: Outlet, _ connection: inout RTMPConnection
    ) -> Bool {
        let next = start &+ chunkLeft
        if next >= bytes.byteCount {
            if isCut { needsProof = false }
            outlet.need(chunkLeft &+ 1)
            return isCut
        }
        var open = streams.indices.contains(current) ? streams[current] : RTMPChunkStream(id: 0)
        open.left = messageLeft &- chunkLeft
        let walk = RTMPChunkWalk(bytes, at: next, chunkSize: chunkSize, self, open: open, enough: Self.proof)
        switch walk.verdict {
        case .credible, .blocked: needsProof = false
        case .short where isCut: needsProof = false
        case .short:
            outlet.need(bytes.byteCount &- start &+ 64)
            return false
        case .impossible: giveUp(outlet, &connection)
        }
        return true
    }

    /// Looks for a chunk that begins a message from `start` on; returns how many octets were passed over. Nothing was
    /// found when it is still not synchronised.
    mutating func search(_ bytes: RawSpan, _ start: Int, isCut: Bool, _ outlet: Outlet) -> Int {
        var undecided: Int?
        var count = 0
        var offset = start
        while offset < bytes.byteCount {
            switch RTMPChunkWalk.begins(bytes, at: offset, self, isSegmentStart: offset == start, isCut: isCut) {
            case .credible, .blocked:
                found()
                passedOver &+= offset &- start
                return offset &- start
            case .short:
                undecided = count == 0 ? offset : undecided
                count &+= 1
                // So many places that may be one: none of those before is believed any more.
                if count == Self.mostUndecided { count = 0 }
            case .impossible: break
            }
            offset &+= 1
        }
        if isCut {
            passedOver &+= bytes.byteCount &- start
            return bytes.byteCount &- start
        }
        var passed = (count > 0 ? undecided ?? bytes.byteCount : bytes.byteCount) &- start
        let left = bytes.byteCount &- start &- passed
        if left > Self.searchedOctets { passed &+= left / 2 }
        passedOver &+= passed
        // What was looked at once need not be for each segment that comes.
        outlet.need(max(64, left &+ left / 4))
        return passed
    }

    private mutating func found() {
        isSynchronised = true
        oddities.insert(streams.isEmpty && !isChunkSizeKnown ? .midstream : .resynchronised)
    }
}
