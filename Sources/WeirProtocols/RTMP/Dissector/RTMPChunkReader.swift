import WeirEngine
import WeirPackets

/// Reassembles the messages of one side from its chunks (RTMP §5.3).
///
/// Octets are processed in place; only messages that are parsed are buffered, and a prefix of media. A chunk may end in
/// a later call than it started in; only a header truncated by the end of the octets has to wait for more.
struct RTMPChunkReader {
    let isClient: Bool
    var sizeSource = RTMPChunkSizeSource()
    /// The position of the next octet to be read, in octets sent by this side, including missing ones.
    var position: UInt64 = 0
    var synchronization = RTMPSynchronization()
    /// Oddities of the next message.
    var oddities: RTMPOddities = []
    var streams = RTMPChunkStreams()
    /// How type 3 chunks of this side treat the extended timestamp.
    var habit: RTMPFraming.ExtendedHabit?
    /// The handshake part that this side should have awaited before its first message.
    var prematureOf: RTMPHandshakePart.Awaited?
    /// Octets kept of all incomplete messages.
    var keptOctets = 0
    /// The size of the NAL unit length field by message stream and track.
    var unitLengths = UnitLengths()

    /// Whether the side has sent anything after the handshake.
    var hasSentData = false

    // The current message; the corresponding fields of its chunk stream are stale while it is active.

    /// Its chunk stream, as an index into `streams`.
    var current = 0
    /// The read position in the message, and the chunk size.
    var run = RTMPChunkCursor()
    var keepLeft = 0
    /// The current message, if it is complete, an ordinary audio or video frame and not yet reported.
    private(set) var frame: RTMPFrame?
    /// Whether media messages are kept completely, for extraction into files.
    let keepsMedia: Bool
    let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    init(isClient: Bool, limits: LimitsReference, keepsMedia: Bool = false) {
        self.isClient = isClient
        self.keepsMedia = keepsMedia
        limitsReference = limits
    }

    /// Starts after the handshake: neither chunk boundaries nor the chunk size are known.
    mutating func beginLate() {
        position = 0
        synchronization.beginLate()
        sizeSource.doubt()
    }

    func index(of id: Int) -> Int? { streams.index(of: id, current: current) }

    /// Parses as many octets as possible and reports each message to `connection`; returns the number consumed.
    ///
    /// - Parameter isCut: The octets that follow immediately are not in the capture.
    /// - Parameter stopsAtFrames: Stops after an ordinary audio or video message if nothing else was reported before;
    ///   then `frame` is set, and `complete` or `forget` has to follow.
    mutating func read(
        _ bytes: RawSpan, from start: Int, isCut: Bool, stopsAtFrames: Bool, _ outlet: Outlet,
        _ connection: inout RTMPConnection
    ) -> Int {
        var offset = start
        let end = bytes.byteCount
        while offset < end {
            if synchronization.needsProof, !prove(bytes, offset, isCut: isCut, outlet, &connection) { break }
            if chunkLeft > 0 {
                let some = min(chunkLeft, end &- offset)
                if keepLeft > 0 { keep(bytes, offset, some, connection) }
                if lookLeft < some { follow(bytes.clamped(offset, offset &+ some)) }
                lookLeft &-= some
                chunkLeft &-= some
                messageLeft &-= some
                offset &+= some
                if messageLeft == 0 {
                    if stopsAtFrames, !outlet.hasItems {
                        frame = streams[current].frame()
                        if frame != nil { break }
                    }
                    complete(offset, position &+ UInt64(offset &- start), outlet, &connection)
                }
                continue
            }
            let continued = run.goOn(bytes, at: offset)
            if continued > 0 {
                offset &+= continued
                continue
            }
            let place = position &+ UInt64(offset &- start)
            if synchronization.isEstablished {
                let used = header(bytes, offset, place, isCut: isCut, outlet, &connection)
                if used == 0, chunkLeft == 0 { break }
                offset &+= used
            } else {
                offset &+= search(bytes, offset, isCut: isCut, outlet)
                if !synchronization.isEstablished { break }
            }
        }
        position &+= UInt64(offset &- start)
        return offset &- start
    }

    // MARK: - A header

    /// Parses the header at `start`; returns its size in octets, or 0 if more are needed. If no header is possible
    /// there, synchronization is lost and one octet is skipped.
    private mutating func header(
        _ bytes: RawSpan, _ start: Int, _ place: UInt64, isCut: Bool, _ outlet: Outlet,
        _ connection: inout RTMPConnection
    ) -> Int {
        guard let header = RTMPChunkHeader(bytes, at: start) else {
            outlet.need(RTMPChunkHeader.octets(bytes, at: start))
            return 0
        }
        let known = index(of: header.chunkStreamID)
        park()
        guard isPossible(header, known) else {
            switch isLongerChunk(bytes, start, isCut: isCut) {
            case true?:
                goOnInLongerChunk()
                return 0
            case nil:
                outlet.need(left &+ 1)
                return 0
            case false?: break
            }
            outlet.remark(lossOfPlace(header, known, start..<start &+ 1))
            lose(connection)
            sizeSource.disprove()
            synchronization.passedOver = 1
            return 1
        }
        var octets = header.octets
        var habit: RTMPFraming.ExtendedHabit?
        if header.format == 3, let known, let extended = streams[known].extended {
            guard let found = extendedHabit(bytes, start &+ octets, extended, known) else {
                outlet.need(octets &+ 4)
                return 0
            }
            habit = found
            if found == .repeated { octets &+= 4 }
        }
        let isContinued = known.map { streams[$0].isContinued(by: header) } ?? false
        if !isContinued {
            let length = header.describesMessage ? header.messageLength : known.map { streams[$0].length } ?? 0
            guard findChunkSize(bytes, start, octets, header, length: length, isCut: isCut, outlet) else { return 0 }
        }
        let index = known ?? streams.add(header.chunkStreamID)
        if header.format < 3 { streams[index].extended = header.isExtended ? header.time : nil }
        if isContinued {
            if header.format != 3 { streams[index].framing.oddContinuations &+= 1 }
        } else {
            begin(header, index, place, outlet.frame(at: start), connection)
        }
        if let habit { note(habit, index) }
        streams[index].add(headerOctets: octets)
        resume(index)
        if messageLeft == 0 { complete(start &+ octets, place &+ UInt64(octets), outlet, &connection) }
        return octets
    }

    /// Whether the header is plausible; otherwise synchronization is lost.
    func isPossible(_ header: RTMPChunkHeader, _ known: Int?) -> Bool {
        if header.describesMessage, !(1...22).contains(header.typeID) { return false }
        if synchronization.hasMissed, header.format == 0, !isLikely(header.messageStreamID) { return false }
        // Soon after a gap, the position of a chunk may be wrong.
        if synchronization.isCertain == false, !header.isUsual { return false }
        guard let known else { return header.describesMessage && streams.count < limits[RTMPLimits.self].chunkStreams }
        // The message that a short header refers to may not be in the capture.
        return header.describesMessage || !streams[known].isStale
    }

    /// Whether a message stream is known or has an ID in the range that servers assign; other IDs are chance.
    private func isLikely(_ messageStream: UInt32) -> Bool {
        messageStream <= RTMPChunkHeader.likelyMessageStreams || streams.carries(messageStream)
    }

    /// Returns how a type 3 chunk treats the extended timestamp, or nil if more octets are needed.
    ///
    /// It should repeat the latest one (RTMP §5.3.1.3); some senders repeat the timestamp of the message. If the next
    /// four octets are neither, the sender omits the field. Evaluated per chunk: payload that happens to be equal is
    /// rarer than senders that change their behavior.
    private func extendedHabit(
        _ bytes: RawSpan, _ offset: Int, _ extended: UInt32, _ index: Int
    ) -> RTMPFraming.ExtendedHabit? {
        guard let next = bytes.uint32(at: offset) else {
            return habit == .omitted ? .omitted : nil
        }
        let timestamp = streams[index].timestamp
        if next == extended || next == timestamp { return .repeated }
        // The sender repeats the field and increments it where a type 3 chunk starts a message.
        if streams[index].left == 0, habit == .repeated, next &- timestamp < 60_000 { return .repeated }
        return .omitted
    }

    private mutating func note(_ found: RTMPFraming.ExtendedHabit, _ index: Int) {
        if found == .omitted, habit != .omitted { streams[index].oddities.insert(.extendedOmitted) }
        streams[index].framing.extendedHabit = found
        habit = found
    }

    private mutating func begin(
        _ header: RTMPChunkHeader, _ index: Int, _ place: UInt64, _ frame: Int?, _ connection: borrowing RTMPConnection
    ) {
        let start = RTMPChunkStream.Start(
            position: place, frame: frame, oddities: oddities, passedOver: synchronization.passedOver,
            losses: synchronization.losses, prematureOf: prematureOf, keepsMedia: keepsMedia,
            isCertain: synchronization.isCertain)
        let dropped = streams[index].begin(header, start)
        keptOctets &-= dropped
        connection.budget.returnBorrowed(dropped)
        oddities = []
        prematureOf = nil
        synchronization.noteMessage()
        if header.chunkStreamID >= RTMPChunkHeader.firstLongID, streams[index].framing.isFirstOnChunkStream,
            streams.isFirst(ofItsSize: header.chunkStreamID)
        {
            streams[index].oddities.insert(.longID)
        }
    }

    /// Saves the current message to its chunk stream when another chunk stream becomes active.
    mutating func park() {
        guard streams.indices.contains(current) else { return }
        streams[current].park(run, keepLeft: keepLeft)
    }

    /// Resumes the message of a chunk stream at the start of a chunk.
    mutating func resume(_ index: Int) {
        current = index
        keepLeft = streams[index].resume(&run)
    }

    // MARK: - NAL units

    /// Tracks the NAL units of the current message through its next octets.
    private mutating func follow(_ piece: RawSpan) {
        let start = streams[current].length &- messageLeft
        streams[current].follow(piece, from: start, lengthOctets: unitLengths)
        look()
    }

    /// Updates the distance to the next octet to inspect.
    private mutating func look() {
        let start = streams[current].length &- messageLeft
        lookLeft = min(Int.max / 2, streams[current].nextLook) &- start
    }

    // MARK: - A message

    /// Completes the current message; `end` is its end in the octets, `place` in the stream of this side.
    mutating func complete(_ end: Int, _ place: UInt64, _ outlet: Outlet, _ connection: inout RTMPConnection) {
        frame = nil
        continuation = nil
        park()
        streams[current].framing.chunkSize = chunkSize
        streams[current].framing.wireOctets = streams[current].length &+ streams[current].headerOctets
        streams[current].framing.position = place
        let start = end &- Int(clamping: place &- streams[current].position)
        let octets = streams[current].kept.count
        var payload = streams[current].payload(limitsReference)
        let (names, exceedsLimit) = connection.recordObserved(
            &payload, on: streams[current].messageStreamID, isClients: isClient)
        var message = streams[current].message(payload, names, limitsReference)
        let body = message.aggregate == nil ? [] : streams[current].kept
        if keepsMedia, message.isMedia || message.isData { message.body = streams[current].kept }
        if let first = streams[current].kept.first, MediaPrefix.mayHoldTracks(first), message.hasSeveralTracks {
            let kept = streams[current].kept
            followUnits(of: &message, kept.rawSpan)
            remarkOnTracks(of: message, outlet)
        }
        obey(message, hasTooManyNames: exceedsLimit, connection, outlet)
        release(octets, connection.budget)
        streams[current].oddities.remark(message.framing, chunkStream: message.chunkStreamID, outlet)
        outlet.message(message, start..<end)
        if message.aggregate != nil { emitParts(of: message, body, &connection, outlet, start..<end) }
    }

    /// Drops the current message, a complete frame that is not reported.
    mutating func forget(_ budget: SharedOctetBudget) {
        frame = nil
        continuation = nil
        park()
        release(streams[current].kept.count, budget)
    }

    /// Releases the buffered octets of the current message.
    private mutating func release(_ octets: Int, _ budget: SharedOctetBudget) {
        keptOctets &-= octets
        budget.returnBorrowed(octets)
        streams[current].kept.removeAll(keepingCapacity: octets <= 4_096)
    }
}
