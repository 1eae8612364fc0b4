import WeirEngine
import WeirPackets

/// The state of one chunk stream of one side: the header fields that later chunks omit, and the current message.
struct RTMPChunkStream {
    let id: Int
    var timestamp: UInt32 = 0
    /// The timestamp increment of a type 3 chunk that starts a message: the latest delta, or after type 0 the timestamp
    /// (RTMP §5.3.1.2.4).
    var delta: UInt32 = 0
    /// The extended timestamp of the latest type 0, 1 or 2 header, or nil if it had none.
    var extended: UInt32?
    var length = 0
    var typeID: UInt8 = 0
    var messageStreamID: UInt32 = 0
    var isTimestampKnown = false
    var isMessageStreamKnown = false
    /// Whether a message started on it; incomplete if the capture starts late or has gaps.
    var hasBegun = false
    /// Whether octets are missing since its latest header: a type 3 chunk may continue an unknown message.
    var isStale = false

    // The current message, while other chunk streams are active.

    /// Octets remaining in the message; 0 if there is none.
    var left = 0
    /// Octets of the message remaining to be kept.
    var keepLeft = 0
    var chunks = 0
    var headerOctets = 0
    /// The octets kept of the message.
    var kept: [UInt8] = []
    /// The NAL units of a video message.
    private(set) var units = NALUnitFollower()
    /// Whether octets of the message are missing from the capture.
    var hasUnfilledGap = false
    /// Whether the message exceeds the number of octets kept.
    var isTooLong = false
    /// The position of its first octet in the stream of this side.
    var position: UInt64 = 0
    var firstFrame: Int?
    var framing = RTMPFraming()
    var oddities: RTMPOddities = []
    /// Whether a negative delta moved the timestamp ahead by hours since the latest type 0 chunk.
    private var isDisplaced = false

    init(id: Int) { self.id = id }

    /// Whether the header continues the current message: by type 3, or by repeating its description.
    func isContinued(by header: RTMPChunkHeader) -> Bool {
        guard left > 0 else { return false }
        switch header.format {
        case 0:
            return header.messageLength == length && header.typeID == typeID
                && header.messageStreamID == messageStreamID && header.time == timestamp
        case 1: return header.messageLength == length && header.typeID == typeID
        default: return true
        }
    }

    /// What the reader of a side knows about the start of a message.
    struct Start {
        let position: UInt64
        let frame: Int?
        let oddities: RTMPOddities
        let passedOver: Int
        let losses: UInt16
        let prematureOf: RTMPHandshakePart.Awaited?
        let keepsMedia: Bool
        /// Whether the message is certain after a loss; nil without one.
        let isCertain: Bool?
    }

    /// Starts a message described by a header; returns the number of octets that were kept of the one before.
    mutating func begin(_ header: RTMPChunkHeader, _ start: Start) -> Int {
        let dropped = kept.count
        begin(header)
        if dropped > 0 { kept.removeAll(keepingCapacity: dropped <= 4_096) }
        position = start.position
        firstFrame = start.frame
        keepLeft = min(length, start.keepsMedia ? .max : Self.firstKept(typeID))
        oddities = start.oddities
        if framing.unfinished != nil { oddities.insert(.unfinished) }
        framing.passedOver = start.passedOver
        framing.losses = start.losses
        framing.prematureOf = start.prematureOf
        if let isCertain = start.isCertain {
            framing.isFirstOnChunkStream = false
            framing.isInferred = !isCertain
        }
        if framing.beginsWithoutType0 { oddities.insert(.firstType1) }
        return dropped
    }

    /// Returns the number of octets initially kept of a message of this type: all for parsed types.
    private static func firstKept(_ typeID: UInt8) -> Int {
        switch typeID {
        case 1...6, 15...20, 22: .max
        default: MediaPrefix.frameOctets
        }
    }

    /// Counts the header of a chunk.
    mutating func add(headerOctets octets: Int) {
        chunks &+= 1
        headerOctets &+= octets
    }

    /// Saves the read position in the current message when another chunk stream becomes active.
    mutating func park(_ run: RTMPChunkCursor, keepLeft: Int) {
        left = run.messageLeft
        self.keepLeft = keepLeft
        // Continuations on the fast path have headers of the same size.
        headerOctets &+= (run.chunks &- chunks) &* run.headerOctets
        chunks = run.chunks
    }

    /// Sets the read position to the start of a chunk of the current message; returns the number of octets of the message
    /// that remain to be kept.
    mutating func resume(_ run: inout RTMPChunkCursor) -> Int {
        run.messageLeft = left
        run.chunks = chunks
        run.lookLeft = min(Int.max / 2, nextLook) &- (length &- left)
        run.chunkLeft = min(run.chunkSize, left)
        // The repetition of the extended timestamp must have been seen in this message.
        let isUsual = extended == nil || framing.extendedHabit == .repeated
        run.continuation = id < 64 && isUsual ? 0xC0 | UInt8(truncatingIfNeeded: id) : nil
        run.extended = extended
        return keepLeft
    }

    /// Starts a message described by a header.
    mutating func begin(_ header: RTMPChunkHeader) {
        oddities = []
        let before = isTimestampKnown && hasBegun ? timestamp : nil
        let unfinished = left > 0 ? RTMPFraming.Unfinished(received: length &- left, length: length) : nil
        if header.describesMessage {
            length = header.messageLength
            typeID = header.typeID
            isStale = false
        }
        if header.format == 0 {
            messageStreamID = header.messageStreamID
            isMessageStreamKnown = true
            isTimestampKnown = true
        }
        if header.format < 3 { delta = header.time }
        let wasDisplaced = isDisplaced
        if header.format == 0 {
            isDisplaced = false
        } else if delta >= RTMPFraming.leastNegativeDelta {
            isDisplaced = true
        }
        timestamp = header.format == 0 ? delta : timestamp &+ delta
        framing = RTMPFraming()
        framing.format = header.format
        framing.basicOctets = header.basicOctets
        framing.isFirstOnChunkStream = !hasBegun
        framing.timeField = delta
        framing.isExtended = header.format < 3 ? header.isExtended : extended != nil
        framing.step = before.flatMap { isTimestampKnown ? Int32(bitPattern: timestamp &- $0) : nil }
        framing.timestampBefore = isTimestampKnown ? before : nil
        framing.isTimestampKnown = isTimestampKnown
        framing.isMessageStreamKnown = isMessageStreamKnown
        framing.unfinished = unfinished
        framing.endsDisplacement = wasDisplaced && header.format == 0
        hasBegun = true
        left = length
        chunks = 0
        headerOctets = 0
        hasUnfilledGap = false
        isTooLong = false
        units = NALUnitFollower()
    }

    /// The offset in the message of the next octets to inspect for NAL units, or `.max` if there are none.
    var nextLook: Int { typeID == 9 && !hasUnfilledGap ? units.nextLook : .max }

    /// Tracks the NAL units of video through a piece that starts at offset `start` of the message.
    mutating func follow(_ piece: RawSpan, from start: Int, lengthOctets: UnitLengths) {
        units.pass(
            kept: kept, piece: piece, from: start, length: length, messageStreamID: messageStreamID,
            lengthOctets: lengthOctets)
    }

    /// Discards the current message; returns the number of octets that were kept.
    mutating func abandon() -> Int {
        let octets = kept.count
        left = 0
        keepLeft = 0
        kept = []
        return octets
    }

    /// Records that an unknown part of the stream is missing: the fields that later headers refer to may have changed.
    /// Returns the number of octets that were kept.
    mutating func miss() -> Int {
        isStale = true
        isTimestampKnown = false
        return abandon()
    }
}

extension RTMPChunkStream {
    /// Returns the current message, which is complete, as a frame, or nil if it is not an ordinary frame. Mutating, to
    /// access the stream in place instead of a copy.
    mutating func frame() -> RTMPFrame? {
        guard !hasUnfilledGap, !isTooLong, oddities.isEmpty, kept.count > 1, kept[1] == 1, !framing.isOdd,
            !framing.isExtendedNeedlessly, !(framing.isFirstOnChunkStream && id >= RTMPChunkHeader.firstHighStream)
        else { return nil }
        let first = kept[0]
        var frame = RTMPFrame(
            typeID: typeID, messageStreamID: messageStreamID, timestamp: timestamp,
            isTimestampKnown: isTimestampKnown, losses: framing.losses, length: length, codec: .aac)
        if typeID == 8 { return first >> 4 == 10 ? frame : nil }
        guard typeID == 9, RTMPFrame.beginsVideo(first), let head = kept.rawSpan.uint32(at: 1) else {
            return nil
        }
        let isHEVC = first & 0x0F == 12
        frame.codec = isHEVC ? .hevc : .avc
        frame.isKeyframe = first >> 4 == 1
        frame.compositionTime = Int(Int32(bitPattern: head << 8) >> 8)
        guard let units = units.finished(length: length) else { return frame }
        frame.hasUnits = true
        let faults = FLVFaults(units, isHEVC: isHEVC, frame: frame.isKeyframe ? .key : .inter)
        return faults.isEmpty ? frame : nil
    }
}
