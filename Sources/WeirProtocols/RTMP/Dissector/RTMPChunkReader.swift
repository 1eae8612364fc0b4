import WeirEngine
import WeirPackets

/// Puts the messages of one side together from its chunks (RTMP §5.3).
///
/// It takes every octet where it is and keeps only what is read as values: of media the beginning. A chunk that was begun
/// ends in whatever call brings its last octet; only a header that is cut by the end of the octets waits for more.
struct RTMPChunkReader {
    let isClient: Bool
    /// Not so when the capture begins late: then it has to be found out.
    var isChunkSizeKnown = true
    /// Its size was found out, not said: chunks that do not fit it disprove it.
    var isChunkSizeInferred = false
    /// What this side sent, in octets, and what is missing of it: the place of the next octet to be read.
    var position: UInt64 = 0
    /// Whether the next octet is known to begin a chunk, or to be inside of one.
    var isSynchronised = true
    /// Octets passed over in search of a chunk.
    var passedOver = 0
    /// The place of chunks was lost once, or not known at the beginning: what had begun on chunk streams is not known.
    var hasMissed = false
    /// How often messages may have been lost, modulo 2^16.
    private var losses: UInt16 = 0
    /// Messages that began since the place of chunks was found again, or computed across a hole.
    var certainty = 0
    /// So many have to follow each other before what seems wrong in them is believed: random octets rarely look like that.
    private static let certain = 8
    /// What is odd about the message that begins next.
    var oddities: RTMPOddities = []
    /// Octets are missing, and where the next chunk begins is only what follows if no other chunk came between.
    var needsProof = false
    var streams: [RTMPChunkStream] = []
    /// Their ids, at the same places: looked through for each message, and there are few octets between them.
    private var ids: [Int] = []
    /// What type 3 chunks of this side were seen to do about the extended timestamp.
    var habit: RTMPFraming.ExtendedHabit?
    /// What the side should have waited for before its first message.
    var hurriesAhead: RTMPHandshakePart.Awaited?
    /// Octets kept of all messages at hand.
    var keptOctets = 0
    /// Octets of the length in front of a NAL unit, by message stream and track, as its latest sequence header says.
    var unitLengthOctets: [UnitTrack: Int] = [:]

    /// Whether chunks were longer than the side has said.
    var isChunkSizeUnannounced = false
    /// Whether the side has said anything behind the handshake.
    var hasSpoken = false

    // The message at hand, as long as its chunk stream has the word; `left` and so on of that are not up to date then.

    /// Its chunk stream, as an index in `streams`.
    var current = 0
    /// Where this side is in it, and the size of its chunks.
    var run = RTMPChunkCursor()
    var keepLeft = 0
    /// It is complete, and like most messages of audio and video: nobody was told of it yet.
    private(set) var frame: RTMPFrame?
    /// Whether all of a media message is kept, for who writes it into files.
    let keepsMedia: Bool
    private let limitsReference: LimitsReference
    var limits: Limits { _read { yield limitsReference.values } }

    init(isClient: Bool, limits: LimitsReference, keepsMedia: Bool = false) {
        self.isClient = isClient
        self.keepsMedia = keepsMedia
        limitsReference = limits
    }

    /// The capture begins behind the handshake: neither the place of chunks nor their size is known.
    mutating func beginLate() {
        position = 0
        isSynchronised = false
        isChunkSizeKnown = false
        hasMissed = true
    }

    /// Octets went by of which nobody knows which messages they held.
    mutating func noteLoss() {
        hasMissed = true
        certainty = 0
        losses &+= 1
    }

    func index(of id: Int) -> Int? {
        if streams.indices.contains(current), streams[current].id == id { return current }
        return ids.firstIndex(of: id)
    }

    /// Takes octets as long as they can be read, and tells `connection` of each message; returns how many were used.
    /// `isCut`: nothing that follows them at once is in the capture.
    ///
    /// - Parameter stopsAtFrames: it ends behind a message that is like most of audio and video, if nothing else was told
    ///   before: then there is a `frame`, and `complete` or `forget` has to follow.
    mutating func read(
        _ bytes: RawSpan, from start: Int, isCut: Bool, stopsAtFrames: Bool, _ outlet: Outlet,
        _ connection: inout RTMPConnection
    ) -> Int {
        var offset = start
        let end = bytes.byteCount
        while offset < end {
            if needsProof, !prove(bytes, offset, isCut: isCut, outlet, &connection) { break }
            if chunkLeft > 0 {
                let some = min(chunkLeft, end &- offset)
                if keepLeft > 0 { keep(bytes, offset, some, connection) }
                if lookLeft < some { follow(bytes.clamped(offset, offset &+ some)) }
                lookLeft &-= some
                chunkLeft &-= some
                messageLeft &-= some
                offset &+= some
                if messageLeft == 0 {
                    if stopsAtFrames, outlet.items.isEmpty {
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
            if isSynchronised {
                let used = header(bytes, offset, place, isCut: isCut, outlet, &connection)
                if used == 0, chunkLeft == 0 { break }
                offset &+= used
            } else {
                offset &+= search(bytes, offset, isCut: isCut, outlet)
                if !isSynchronised { break }
            }
        }
        position &+= UInt64(offset &- start)
        return offset &- start
    }

    // MARK: - A header

    /// Reads the header at `start`; returns its octets, 0 for "need more". Where none can be, the place of chunks is
    /// lost, and one octet passed over.
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
            if isChunkSizeInferred { isChunkSizeKnown = false }
            passedOver = 1
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
        let index = known ?? add(header)
        if header.format < 3 { streams[index].extended = header.isExtended ? header.time : nil }
        if isContinued {
            if header.format != 3 { streams[index].framing.oddContinuations &+= 1 }
        } else {
            begin(header, index, place, outlet.frame(at: start), connection)
        }
        if let habit { note(habit, index) }
        streams[index].chunks &+= 1
        streams[index].headerOctets &+= octets
        resume(index)
        if messageLeft == 0 { complete(start &+ octets, place &+ UInt64(octets), outlet, &connection) }
        return octets
    }

    private mutating func add(_ header: RTMPChunkHeader) -> Int {
        streams.append(RTMPChunkStream(id: header.chunkStreamID))
        ids.append(header.chunkStreamID)
        return streams.count &- 1
    }

    /// Whether the header can be one: everything else means that the place where chunks begin is lost.
    func isPossible(_ header: RTMPChunkHeader, _ known: Int?) -> Bool {
        if header.describesMessage, !(1...22).contains(header.typeID) { return false }
        if hasMissed, header.format == 0, !isLikely(header.messageStreamID) { return false }
        guard let known else { return header.describesMessage && streams.count < limits[RTMPLimits.self].chunkStreams }
        // What a short header refers to may be missing from the capture.
        return header.describesMessage || !streams[known].isStale
    }

    /// Whether a message stream is known, or has a number that servers give: behind a hole any other one is chance.
    private func isLikely(_ messageStream: UInt32) -> Bool {
        messageStream <= RTMPChunkHeader.likelyMessageStreams
            || streams.contains { $0.isMessageStreamKnown && $0.messageStreamID == messageStream }
    }

    /// What a type 3 chunk does about the extended timestamp; nil for "need more".
    ///
    /// It should repeat the latest one (RTMP §5.3.1.3); some repeat the message's own time. Senders that leave it
    /// out are known by the next four octets being neither. This is looked at chunk by chunk: four octets of payload that
    /// happen to be equal are rarer than senders that change their mind.
    private func extendedHabit(
        _ bytes: RawSpan, _ offset: Int, _ extended: UInt32, _ index: Int
    ) -> RTMPFraming.ExtendedHabit? {
        guard let next = bytes.uint32(at: offset) else {
            return habit == .omitted ? .omitted : nil
        }
        let timestamp = streams[index].timestamp
        if next == extended || next == timestamp { return .repeated }
        // A sender that repeats it and counts it up where a type 3 chunk begins a message.
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
        let dropped = streams[index].kept.count
        streams[index].begin(header)
        keptOctets &-= dropped
        connection.budget.giveBack(dropped)
        streams[index].kept.removeAll(keepingCapacity: dropped <= 4_096)
        streams[index].position = place
        streams[index].firstFrame = frame
        streams[index].keepLeft = min(
            streams[index].length, keepsMedia ? .max : Self.firstKept(streams[index].typeID))
        streams[index].oddities = oddities
        oddities = []
        if streams[index].framing.unfinished != nil { streams[index].oddities.insert(.unfinished) }
        streams[index].framing.passedOver = passedOver
        passedOver = 0
        streams[index].framing.losses = losses
        streams[index].framing.hurriesAhead = hurriesAhead
        hurriesAhead = nil
        if hasMissed {
            streams[index].framing.isFirstOnChunkStream = false
            streams[index].framing.isInferred = certainty < Self.certain
            certainty &+= 1
        }
        if streams[index].framing.beginsWithoutType0 { streams[index].oddities.insert(.firstType1) }
    }

    /// Puts the message at hand aside: another chunk stream has the word.
    mutating func park() {
        guard streams.indices.contains(current) else { return }
        streams[current].left = messageLeft
        streams[current].keepLeft = keepLeft
        // Continuations that needed no closer look have headers of the same size.
        streams[current].headerOctets &+= (chunks &- streams[current].chunks) &* run.headerOctets
        streams[current].chunks = chunks
    }

    /// Goes on with the message of a chunk stream, at the beginning of a chunk.
    mutating func resume(_ index: Int) {
        current = index
        messageLeft = streams[index].left
        keepLeft = streams[index].keepLeft
        chunks = streams[index].chunks
        look()
        chunkLeft = min(chunkSize, messageLeft)
        let id = streams[index].id
        // That the extended timestamp is repeated has to have been seen in this message.
        let isUsual = streams[index].extended == nil || streams[index].framing.extendedHabit == .repeated
        run.continuation = id < 64 && isUsual ? 0xC0 | UInt8(truncatingIfNeeded: id) : nil
        run.extended = streams[index].extended
    }

    // MARK: - NAL units

    /// Follows the NAL units of the message at hand through its next octets.
    private mutating func follow(_ piece: RawSpan) {
        let start = streams[current].length &- messageLeft
        streams[current].follow(piece, from: start, lengthOctets: unitLengthOctets)
        look()
    }

    /// Finds out how far the next place is that has to be looked at.
    private mutating func look() {
        let start = streams[current].length &- messageLeft
        lookLeft = min(Int.max / 2, streams[current].nextLook) &- start
    }

    // MARK: - A message

    /// The message at hand is complete; `end` is where, `place` the same in what this side sent.
    mutating func complete(_ end: Int, _ place: UInt64, _ outlet: Outlet, _ connection: inout RTMPConnection) {
        frame = nil
        continuation = nil
        park()
        streams[current].framing.chunkSize = chunkSize
        streams[current].framing.wireOctets = streams[current].length &+ streams[current].headerOctets
        streams[current].framing.position = place
        let start = end &- Int(clamping: place &- streams[current].position)
        let octets = streams[current].kept.count
        var message = streams[current].message(limits)
        let body = message.aggregate == nil ? [] : streams[current].kept
        if keepsMedia, message.isMedia || message.isData { message.body = streams[current].kept }
        if let first = streams[current].kept.first, MediaPrefix.mayHoldTracks(first), message.hasSeveralTracks {
            let kept = streams[current].kept
            followUnits(of: &message, kept.rawSpan)
            remarkOnTracks(of: message, outlet)
        }
        obey(&message, &connection, outlet, start..<end)
        release(octets, connection.budget)
        streams[current].oddities.remark(message.framing, outlet)
        outlet.message(message, start..<end)
        if message.aggregate != nil { tellParts(of: message, body, &connection, outlet, start..<end) }
    }

    /// The message at hand is complete, and a frame that nobody need be told of.
    mutating func forget(_ budget: SharedOctetBudget) {
        frame = nil
        continuation = nil
        park()
        release(streams[current].kept.count, budget)
    }

    /// Lets go of what was kept of the message at hand.
    private mutating func release(_ octets: Int, _ budget: SharedOctetBudget) {
        keptOctets &-= octets
        budget.giveBack(octets)
        streams[current].kept.removeAll(keepingCapacity: octets <= 4_096)
    }
}
