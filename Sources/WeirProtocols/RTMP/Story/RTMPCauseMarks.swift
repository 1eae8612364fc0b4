import WeirEngine
import WeirPackets

/// Evidence in chunks and timestamps for why a session ended.
package struct RTMPCauseMarks: Sendable {
    /// Where something happened.
    struct Place: Sendable {
        var frame: Int
        var time: Timestamp
        var isClients: Bool
    }

    /// A message in a chunk that is longer than its sender announced.
    package struct LongChunk: Sendable {
        package var isClients: Bool
        /// The frame of the message, and its octets.
        var frame: Int
        var octets: Int
        /// The chunk size that the peer announced for its own direction, if the message fits into it, and the frame of that.
        package var peer: (size: Int, frame: Int)?
    }

    /// Timestamps that jump ahead by more than the time that went by.
    struct Leap: Sendable {
        /// Seconds that players wait.
        var seconds: Double
        var isVideo: Bool
        var frame: Int
    }

    /// The lowest chunk stream whose header takes two octets (RTMP §5.3.1.1).
    private static let firstLong = 64
    /// Seconds that players wait before somebody notices.
    private static let longWait = 5.0

    /// The latest chunk sizes that the sides announced.
    private var announced: (client: (size: Int, frame: Int)?, server: (size: Int, frame: Int)?)
    /// The first chunk that was longer than announced.
    package private(set) var longChunk: LongChunk?
    /// The latest message that another one cut short.
    private(set) var unfinished: (place: Place, chunkStream: Int, received: Int, length: Int)?
    /// The first message on a chunk stream above 31, or above 63 once there is one, and the highest stream that servers with
    /// less room accept.
    private(set) var highStream: (place: Place, chunkStream: Int, accepted: Int)?
    /// The first timestamp that wrapped at 24 bits.
    private(set) var wrapped: Place?
    /// The first message whose chunks of type 3 leave out the extended timestamp.
    private(set) var omitted: Place?
    /// The first octets in the place of a chunk header that are not one.
    private(set) var misplaced: Place?
    /// The longest leap of timestamps.
    private(set) var leap: Leap?
    /// Audio and video whose timestamps stay far from each other: seconds that video is ahead, and the last frame.
    private(set) var apart: (seconds: Double, frame: Int)?

    /// A side announced the size of its chunks.
    mutating func announce(_ size: UInt32, _ frame: Int, isClients: Bool) {
        let told = (Int(size & 0x7FFF_FFFF), frame)
        if isClients { announced.client = told } else { announced.server = told }
    }

    /// A message came whose chunks may be the cause of an end.
    mutating func note(_ message: RTMPMessage, _ moment: EventContext) {
        let framing = message.framing
        guard !framing.isInferred, !framing.isInAggregate else { return }
        let place = Place(frame: moment.frame, time: moment.time, isClients: moment.direction == .clientToServer)
        if message.chunkStreamID >= RTMPChunkHeader.firstHighStream { noteHigh(message.chunkStreamID, place) }
        guard framing.isOdd else { return }
        if framing.exceedsChunkSize, longChunk == nil { noteLong(message, place) }
        if let part = framing.unfinished {
            unfinished = (place, message.chunkStreamID, part.received, part.length)
        }
        if framing.wrapsAt24Bits, wrapped == nil { wrapped = place }
        if framing.extendedHabit == .omitted, omitted == nil { omitted = place }
    }

    /// Octets, or a message behind them, are odd.
    mutating func note(_ remarks: [Remark], _ moment: EventContext) {
        guard misplaced == nil, remarks.contains(where: { Self.misplacing.contains($0.text.key) }) else { return }
        misplaced = Place(frame: moment.frame, time: moment.time, isClients: moment.direction == .clientToServer)
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

    /// Timestamps jumped by so many milliseconds, while so many seconds went by.
    mutating func noteJump(of milliseconds: Int, in silence: Double, isVideo: Bool, frame: Int) {
        let seconds = Double(milliseconds) / 1_000 - max(0, silence)
        guard seconds >= Self.longWait, seconds > leap?.seconds ?? 0 else { return }
        leap = Leap(seconds: seconds, isVideo: isVideo, frame: frame)
    }

    /// Video beside audio ended: by how many milliseconds it was ahead, at least and at most.
    mutating func noteOffsets(from smallest: Int, to largest: Int, frame: Int) {
        let least = Int(Self.longWait * 1_000)
        if smallest >= least { apart = (Double(smallest) / 1_000, frame) }
        if largest <= -least { apart = (Double(largest) / 1_000, frame) }
    }
}
