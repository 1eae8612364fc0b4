import WeirEngine
import WeirPackets

/// What one side remembers of one chunk stream: the header fields that later chunks leave out, and the message at hand.
struct RTMPChunkStream {
    let id: Int
    var timestamp: UInt32 = 0
    /// What a type 3 chunk that begins a message adds: the latest delta, after type 0 its timestamp (RTMP §5.3.1.2.4).
    var delta: UInt32 = 0
    /// The extended timestamp of the latest header of type 0, 1 or 2; nil when it had none.
    var extended: UInt32?
    var length = 0
    var typeID: UInt8 = 0
    var messageStreamID: UInt32 = 0
    var isTimestampKnown = false
    var isMessageStreamKnown = false
    /// Messages begun on it so far; at a late start and after a gap not all of them were seen.
    var hasBegun = false
    /// Octets are missing since its latest header: a type 3 chunk may continue a message whose beginning is not there.
    var isStale = false

    // The message at hand, while other chunk streams have the word.

    /// Octets of it that are still to come; 0 when none is at hand.
    var left = 0
    /// Octets of it that are still to be kept.
    var keepLeft = 0
    var chunks = 0
    var headerOctets = 0
    /// The octets of it that are kept.
    var kept: [UInt8] = []
    /// Its NAL units, if it is video.
    private(set) var units = NALUnitFollower()
    /// Octets of it are missing from the capture.
    var hasHole = false
    /// It is longer than what is kept of one.
    var isTooLong = false
    /// Place of its first octet in what this side sent.
    var position: UInt64 = 0
    var firstFrame: Int?
    var framing = RTMPFraming()
    var oddities: RTMPOddities = []

    init(id: Int) { self.id = id }

    /// Whether the header continues the message at hand: by type 3, or because it says once more what that message is.
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

    /// Begins a message as a header says.
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
        hasBegun = true
        left = length
        chunks = 0
        headerOctets = 0
        hasHole = false
        isTooLong = false
        units = NALUnitFollower()
    }

    /// Where in the message octets have to be looked at next, to follow its NAL units; `.max` for nowhere.
    var nextLook: Int { typeID == 9 && !hasHole ? units.nextLook : .max }

    /// Follows the NAL units of video through a piece that begins `start` octets into the message.
    mutating func follow(_ piece: RawSpan, from start: Int, lengthOctets: [UnitTrack: Int]) {
        units.pass(
            kept: kept, piece: piece, from: start, length: length, messageStreamID: messageStreamID,
            lengthOctets: lengthOctets)
    }

    /// Forgets the message at hand; returns how many octets of it were kept.
    mutating func abandon() -> Int {
        let octets = kept.count
        left = 0
        keepLeft = 0
        kept = []
        return octets
    }

    /// Octets are missing, and nobody knows which: what later headers refer to may have changed.
    mutating func miss() -> Int {
        isStale = true
        isTimestampKnown = false
        return abandon()
    }
}

extension RTMPChunkStream {
    /// The message at hand, which is complete; nil when it is not like most of them. Mutating, as that looks at the stream
    /// where it stands, and anything else at a copy.
    mutating func frame() -> RTMPFrame? {
        guard !hasHole, !isTooLong, oddities.isEmpty, kept.count > 1, kept[1] == 1, !framing.isOdd,
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
