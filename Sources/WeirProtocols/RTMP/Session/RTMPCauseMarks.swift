import WeirEngine
import WeirPackets

/// Evidence in chunks and timestamps for the cause of a session's end.
struct RTMPCauseMarks: Sendable {
    /// The frame and time of an occurrence.
    struct Place: Sendable {
        var frame: Int
        var time: Timestamp
        var isClients: Bool
    }

    /// A message in a chunk longer than its sender announced.
    struct LongChunk: Sendable {
        var isClients: Bool
        /// The frame of the message, and its size in octets.
        var frame: Int
        var octets: Int
        /// The chunk size that the peer announced for its own direction, with its frame, if the message fits into it.
        var peer: (size: Int, frame: Int)?
    }

    /// A jump ahead of timestamps by more than the elapsed time.
    struct Leap: Sendable {
        /// The time that players wait, in seconds.
        var seconds: Double
        var isVideo: Bool
        var frame: Int
    }

    /// The lowest chunk stream ID with a two-octet basic header (RTMP §5.3.1.1).
    private static let firstLong = 64
    /// The wait that users notice, in seconds.
    private static let longWait = 5.0

    /// The chunk sizes last announced by each side.
    private var announced: (client: (size: Int, frame: Int)?, server: (size: Int, frame: Int)?)
    /// The first chunk longer than announced.
    private(set) var longChunk: LongChunk?
    /// The latest message interrupted by another one.
    private(set) var unfinished: (place: Place, chunkStream: Int, received: Int, length: Int)?
    /// The first message on a chunk stream above 31, replaced by the first above 63, and the highest ID that servers
    /// with that limit accept.
    private(set) var highStream: (place: Place, chunkStream: Int, accepted: Int)?
    /// The first timestamp that wrapped at 24 bits.
    private(set) var wrapped: Place?
    /// The first message whose type 3 chunks omit the extended timestamp.
    private(set) var omitted: Place?
    /// The first octets that should be a chunk header but are not.
    private(set) var misplaced: Place?
    /// Whether these are a chunk that continues a message which had not started.
    private(set) var isStray = false
    /// The first control message on another chunk stream than 2 (RTMP §5.4), and its chunk stream.
    private(set) var control: (place: Place, chunkStream: Int)?
    /// The first announced chunk size that exceeds what servers accept.
    private(set) var largeChunks: (place: Place, size: Int)?
    /// The latest message whose later chunks are not of type 3.
    private(set) var continued: Place?
    /// The first data message that does not start with a name.
    private(set) var nameless: Place?
    /// A long message that the connection ended in: its length, and the octets received.
    private(set) var longMessage: (place: Place, length: Int, received: Int)?
    /// The longest timestamp jump.
    private(set) var leap: Leap?
    /// Audio and video with a constant large offset: the lead of video in seconds, and the last frame.
    private(set) var apart: (seconds: Double, frame: Int)?

    /// The first run of messages whose timestamps do not advance.
    private(set) var standstill: (run: RTMPStandstill, isVideo: Bool)?

    /// Records a run of messages whose timestamps do not advance.
    mutating func note(_ run: RTMPStandstill, isVideo: Bool) {
        guard run.seconds >= Self.longWait, run.frame < standstill?.run.frame ?? .max else {
            return
        }
        standstill = (run, isVideo)
    }

    /// The maximum chunk size that nginx-rtmp accepts.
    private static let acceptedChunk = 10 << 20

    /// Records the chunk size announced by a side.
    mutating func announce(_ size: UInt32, _ frame: Int, _ time: Timestamp, isClients: Bool) {
        let reported = (Int(size & 0x7FFF_FFFF), frame)
        if reported.0 > Self.acceptedChunk, largeChunks == nil {
            largeChunks = (Place(frame: frame, time: time, isClients: isClients), reported.0)
        }
        if isClients { announced.client = reported } else { announced.server = reported }
    }

    /// Whether there may be something to record about a message; about most there is nothing.
    static func concerns(_ message: RTMPMessage) -> Bool {
        if message.framing.isOdd || message.chunkStreamID >= RTMPChunkHeader.firstHighStream { return true }
        if case .data = message.payload { return true }
        return 1...6 ~= message.typeID && message.chunkStreamID != 2
    }

    /// Records what is irregular about the chunks of a message.
    mutating func note(_ message: RTMPMessage, _ moment: EventContext) {
        let framing = message.framing
        guard !framing.isInferred, !framing.isInAggregate else { return }
        let place = Place(frame: moment.frame, time: moment.time, isClients: moment.direction == .clientToServer)
        if 1...6 ~= message.typeID, message.chunkStreamID != 2, control == nil {
            control = (place, message.chunkStreamID)
        }
        if message.chunkStreamID >= RTMPChunkHeader.firstHighStream { noteHigh(message.chunkStreamID, place) }
        if case .data(let data) = message.payload, data.name == nil, data.problem == nil, nameless == nil {
            nameless = place
        }
        guard framing.isOdd else { return }
        if framing.oddContinuations > 0 { continued = place }
        if framing.exceedsChunkSize, longChunk == nil { noteLong(message, place) }
        if let part = framing.unfinished {
            unfinished = (place, message.chunkStreamID, part.received, part.length)
        }
        if framing.wrapsAt24Bits, wrapped == nil { wrapped = place }
        if framing.extendedHabit == .omitted, omitted == nil { omitted = place }
    }

    /// Records remarks about octets or messages out of place.
    mutating func note(_ remarks: [Remark], _ moment: EventContext) {
        let place = Place(frame: moment.frame, time: moment.time, isClients: moment.direction == .clientToServer)
        for remark in remarks where remark.text.key == "rtmp.remark.endsInMessage" {
            guard case .integer(let length)? = remark.text.arguments.first,
                case .integer(let received)? = remark.text.arguments.last
            else { continue }
            longMessage = (place, length, received)
        }
        guard misplaced == nil, let remark = remarks.first(where: { Self.misplacing.contains($0.text.key) }) else {
            return
        }
        misplaced = place
        isStray = remark.text.key == "rtmp.remark.stray"
    }

    private static let misplacing: Set = ["rtmp.remark.lost", "rtmp.remark.stray"]

    private mutating func noteHigh(_ id: Int, _ place: Place) {
        guard let known = highStream?.chunkStream else {
            highStream = (place, id, RTMPChunkHeader.firstHighStream - 1)
            return
        }
        if known < Self.firstLong, id >= Self.firstLong { highStream = (place, id, Self.firstLong - 1) }
    }

    private mutating func noteLong(_ message: RTMPMessage, _ place: Place) {
        let (own, other) =
            place.isClients ? (announced.client, announced.server) : (announced.server, announced.client)
        var chunk = LongChunk(isClients: place.isClients, frame: place.frame, octets: message.length)
        if let other, other.size >= message.length, other.size > own?.size ?? 0 { chunk.peer = other }
        longChunk = chunk
    }

    /// Records a timestamp jump of `milliseconds` during `silence` seconds.
    mutating func noteJump(of milliseconds: Int, in silence: Double, isVideo: Bool, frame: Int) {
        let seconds = Double(milliseconds) / 1_000 - max(0, silence)
        guard seconds >= Self.longWait, seconds > leap?.seconds ?? 0 else { return }
        leap = Leap(seconds: seconds, isVideo: isVideo, frame: frame)
    }

    /// Records the smallest and largest lead of video over audio, in milliseconds, at the end of the video.
    mutating func noteOffsets(from smallest: Int, to largest: Int, frame: Int) {
        let least = Int(Self.longWait * 1_000)
        if smallest >= least { apart = (Double(smallest) / 1_000, frame) }
        if largest <= -least { apart = (Double(largest) / 1_000, frame) }
    }
}
