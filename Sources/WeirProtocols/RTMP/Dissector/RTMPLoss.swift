import WeirEngine
import WeirPackets

// Gaps in the capture: incomplete messages, and resynchronization at a chunk boundary.

extension RTMPChunkReader {
    /// The largest remainder of a chunk that is awaited to verify where the next one starts.
    private static let provableOctets = 128 * 1024
    /// The limit of octets searched for a chunk before the older half is discarded.
    private static let searchedOctets = 256 * 1024
    /// The limit of candidate offsets re-examined when more octets arrive; random octets yield almost none.
    private static let mostUndecided = 64
    /// The length from which on servers refuse messages, as nginx-rtmp does by default.
    private static let longMessage = 1 << 20
    /// The evidence required that the chunk after a gap starts at the computed offset, in bits.
    private static let proof = 16

    /// Discards all incomplete messages and loses synchronization.
    mutating func lose(_ connection: borrowing RTMPConnection) {
        park()
        for index in streams.indices {
            let octets = streams[index].miss()
            keptOctets &-= octets
            connection.budget.returnBorrowed(octets)
        }
        (chunkLeft, messageLeft, keepLeft, chunks) = (0, 0, 0, 0)
        continuation = nil
        current = -1
        synchronization.lose()
    }

    /// Reports the incomplete messages, marked as cut, and discards them: the capture does not contain what follows,
    /// and the next chunk boundary is unknown.
    ///
    /// - Parameter isEnd: Whether nothing follows. Then truncated media frames and mere headers are not reported.
    mutating func giveUp(_ outlet: Outlet, _ connection: inout RTMPConnection, isEnd: Bool = false) {
        park()
        // No chunk was found in the octets after the last gap.
        if isEnd, !streams.isEmpty, !synchronization.isEstablished, synchronization.passedOver > 0 { outlet.stop() }
        for index in streams.indices where streams[index].left > 0 {
            let isMedia = streams[index].typeID == 8 || streams[index].typeID == 9
            if isEnd, isMedia, streams[index].length >= Self.longMessage, !streams[index].hasUnfilledGap {
                outlet.remark(
                    Remark(
                        Text(
                            "rtmp.remark.endsInMessage", .integer(streams[index].length),
                            .integer(streams[index].length - streams[index].left))))
            }
            if isEnd, isMedia || streams[index].kept.isEmpty { continue }
            // A truncated Set Chunk Size may have announced any size.
            if streams[index].typeID == 1 { sizeSource.doubt() }
            streams[index].hasUnfilledGap = true
            current = index
            (messageLeft, chunks) = (streams[index].left, streams[index].chunks)
            complete(0, position, outlet, &connection)
            streams[index].left = 0
        }
        lose(connection)
    }

    /// Handles a gap of `octets` octets. Within one chunk the position of the next octet stays known; within one
    /// message it can be computed, provided that no other chunk was in between.
    mutating func gap(_ octets: Int, _ outlet: Outlet, _ connection: inout RTMPConnection) {
        defer { position &+= UInt64(octets) }
        guard synchronization.isEstablished, !synchronization.needsProof, messageLeft > 0,
            streams.indices.contains(current)
        else {
            doubtChunkSize(octets)
            giveUp(outlet, &connection)
            return
        }
        streams[current].hasUnfilledGap = true
        keepLeft = 0
        lookLeft = Int.max / 2
        var missing = octets
        let isInside = missing <= chunkLeft
        while missing > 0, messageLeft > 0 {
            if chunkLeft == 0 {
                // One octet of header, unless the message has another kind of continuation.
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
        synchronization.needsProof = !isInside && chunkLeft <= Self.provableOctets
        if !isInside { synchronization.noteLoss() }
    }

    /// Marks the chunk size as uncertain if the gap is long enough to contain Set Chunk Size (RTMP §5.4.1); it is then
    /// inferred as at a late start.
    private mutating func doubtChunkSize(_ missing: Int) {
        if missing >= Self.shortestSetChunkSize { sizeSource.doubt() }
    }

    /// The size of Set Chunk Size after a one-octet header, in octets.
    private static let shortestSetChunkSize = 5

    /// Verifies that a chunk starts at the computed offset. Returns false if more octets are needed.
    mutating func prove(
        _ bytes: RawSpan, _ start: Int, isCut: Bool, _ outlet: Outlet, _ connection: inout RTMPConnection
    ) -> Bool {
        let next = start &+ chunkLeft
        if next >= bytes.byteCount {
            if isCut { synchronization.needsProof = false }
            outlet.need(chunkLeft &+ 1)
            return isCut
        }
        var open = streams.indices.contains(current) ? streams[current] : RTMPChunkStream(id: 0)
        open.left = messageLeft &- chunkLeft
        let walk = RTMPChunkWalk(bytes, at: next, chunkSize: chunkSize, self, open: open, enough: Self.proof)
        switch walk.verdict {
        case .credible, .blocked: synchronization.needsProof = false
        case .short where isCut: synchronization.needsProof = false
        case .short:
            outlet.need(bytes.byteCount &- start &+ 64)
            return false
        case .impossible: giveUp(outlet, &connection)
        }
        return true
    }

    /// Searches for a chunk that starts a message, from `start` on; returns the number of octets skipped. The search
    /// was unsuccessful if the reader is still not synchronized.
    mutating func search(_ bytes: RawSpan, _ start: Int, isCut: Bool, _ outlet: Outlet) -> Int {
        var undecided: Int?
        var count = 0
        var offset = start
        while offset < bytes.byteCount {
            switch RTMPChunkWalk.begins(bytes, at: offset, self, isSegmentStart: offset == start, isCut: isCut) {
            case .credible, .blocked:
                if beginsLater(bytes, offset, isCut: isCut) { offset &+= 1 }
                found()
                synchronization.passedOver &+= offset &- start
                return offset &- start
            case .short:
                undecided = count == 0 ? offset : undecided
                count &+= 1
                // Too many candidates: the earlier ones are discarded.
                if count == Self.mostUndecided { count = 0 }
            case .impossible: break
            }
            offset &+= 1
        }
        if isCut {
            synchronization.passedOver &+= bytes.byteCount &- start
            return bytes.byteCount &- start
        }
        var passed = (count > 0 ? undecided ?? bytes.byteCount : bytes.byteCount) &- start
        let left = bytes.byteCount &- start &- passed
        if left > Self.searchedOctets { passed &+= left / 2 }
        synchronization.passedOver &+= passed
        // Avoids searching the same octets again for each segment.
        outlet.need(max(64, left &+ left / 4))
        return passed
    }

    /// Returns whether the chunk begins one octet later: an octet whose low six bits are 0, before a chunk of a known chunk
    /// stream, and the header of this chunk read as the header of another chunk stream (RTMP §5.3.1.1).
    private func beginsLater(_ bytes: RawSpan, _ offset: Int, isCut: Bool) -> Bool {
        guard let first = bytes.byte(at: offset), first & 0x3F == 0, let chosen = RTMPChunkHeader(bytes, at: offset),
            let other = RTMPChunkHeader(bytes, at: offset &+ 1), other.basicOctets == 1,
            !streams.contains(chosen.chunkStreamID), streams.contains(other.chunkStreamID)
        else { return false }
        switch RTMPChunkWalk.begins(bytes, at: offset &+ 1, self, isSegmentStart: false, isCut: isCut) {
        case .credible, .blocked: return true
        case .short, .impossible: return false
        }
    }

    private mutating func found() {
        synchronization.establish()
        oddities.insert(streams.isEmpty && !sizeSource.isKnown ? .midstream : .resynchronized)
    }
}
