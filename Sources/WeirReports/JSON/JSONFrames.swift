import WeirEngine
import WeirPackets
import WeirProtocols

/// Writes the records of audio and video messages of RTMP and of interleaved frames of RTSP, of which there are a hundred
/// for each other event.
///
/// The records of two frames of a track differ in a few numbers. So a record that was written once, member by member, is
/// cut at these numbers, and the next frame's is put together from the pieces with its own numbers between them.
final class JSONFrames {
    /// Streams that are kept at once: each has one place, which the next with the same place takes over.
    private static let mostStreams = 1_024
    /// Forms that the records of a stream have: key frames and others, in one segment or in several; of interleaved frames
    /// those of a connection, with a few channels.
    private static let mostForms = 16

    private var streams = [[FrameForm]](repeating: [], count: mostStreams)
    private var clock = PacketClock()

    /// Appends the record of an event to `json`; `write` writes it member by member.
    func record(_ event: Event, _ frame: FrameNumbers, _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void) {
        let place = (event.stream ?? event.flow) & (Self.mostStreams - 1)
        for index in streams[place].indices where streams[place][index].fits(event, frame.look) {
            clock.set(event.time)
            streams[place][index].write(event, frame, clock, &json)
            return
        }
        var line = JSONWriter()
        write(&line)
        json.line(line.octets)
        guard let form = FrameForm(line.octets, event, frame) else { return }
        if streams[place].count == Self.mostForms { streams[place].removeFirst() }
        streams[place].append(form)
    }
}

/// What the record of a frame says of it: numbers that the next one has, too, and all else.
struct FrameNumbers {
    /// All that the message says beside its numbers.
    struct Look: Equatable {
        /// Chunk stream, or channel.
        var carrier: Int
        var typeID: UInt8 = 0
        var messageStreamID: UInt32 = 0
        var format: UInt8 = 0
        var isExtended = false
        var habit: RTMPFraming.ExtendedHabit?
        /// The first octet of the payload.
        var first: UInt8 = 0
        /// Types of the NAL units, and whether a recovery point was announced; nil when they were not followed.
        var units: UInt64?
        var hasRecoveryPoint = false
    }

    var look: Look
    var length: Int
    /// Whether the summary has the length in groups of three digits.
    var isGrouped = false
    var timestamp: Int?
    var chunks: Int?
    var compositionTime: Int?
    var units: Int?

    /// Nil for a message whose record may say more.
    init?(_ event: Event) {
        guard event.offset >= 0, event.time.nanoseconds >= 0, event.remarks.isEmpty, event.note == nil, !event.isAnswer
        else { return nil }
        if event.isOneOfMany, let message = event.message as? RTMPMessage {
            look = Look(carrier: message.chunkStreamID)
            length = message.length
            guard take(message) else { return nil }
        } else if type(of: event.message) == RTSPInterleavedFrame.self,
            let frame = event.message as? RTSPInterleavedFrame
        {
            look = Look(carrier: frame.channel)
            length = frame.length
            isGrouped = true
        } else {
            return nil
        }
    }

    /// Takes what a message of audio or video says; false when its record may say more.
    private mutating func take(_ message: RTMPMessage) -> Bool {
        let framing = message.framing
        guard framing.isTimestampKnown, framing.isMessageStreamKnown else { return false }
        look.typeID = message.typeID
        look.messageStreamID = message.messageStreamID
        look.format = framing.format
        look.isExtended = framing.isExtended
        look.habit = framing.extendedHabit
        timestamp = Int(message.timestamp)
        chunks = message.chunks
        switch message.payload {
        case .audio(let audio?): look.first = audio.first
        case .video(let video?):
            look.first = video.first
            compositionTime = video.compositionTime
            guard let found = video.units else { break }
            units = found.count
            look.units = found.types
            look.hasRecoveryPoint = found.hasRecoveryPoint
        default: return false
        }
        return true
    }
}

/// A record in pieces, for frames that look the same.
final class FrameForm {
    /// What a number between two pieces says.
    private enum Number: CaseIterable {
        case id, frame, firstFrame, time, offset, lengthInSummary, timestamp, channel, length, chunks, compositionTime
        case units

        /// What stands in front of it.
        var label: StaticString {
            switch self {
            case .id: "\"id\":"
            case .frame: ",\"frame\":"
            case .firstFrame: ",\"firstFrame\":"
            case .time: ",\"time\":\""
            case .offset: ",\"offset\":"
            case .lengthInSummary: ", "
            case .timestamp: ",\"timestamp\":"
            case .channel: "\"channel\":"
            case .length: ",\"length\":"
            case .chunks: ",\"chunks\":"
            case .compositionTime: ",\"compositionTime\":"
            case .units: ",\"nalUnits\":"
            }
        }
    }

    private let look: FrameNumbers.Look
    private let stream: Int?
    private let session: Int?
    private let flow: Int
    private let source: Endpoint
    private let hasFirstFrame: Bool
    /// Each number with what stands before it.
    private var parts: [(before: [UInt8], number: Number)] = []
    private var end: [UInt8] = []

    /// Cuts a record; nil when one of the numbers is not where it is looked for.
    init?(_ line: [UInt8], _ event: Event, _ frame: FrameNumbers) {
        look = frame.look
        stream = event.stream
        session = event.session
        flow = event.flow
        source = event.source
        hasFirstFrame = event.firstFrame != nil
        var clock = PacketClock()
        clock.set(event.time)
        var start = 0
        for number in Number.allCases {
            var digits = JSONWriter()
            guard write(number, event, frame, clock, &digits) else { continue }
            // In the summary the length is the first number behind a comma.
            let from = number == .lengthInSummary ? line.end(of: ",\"summary\":\"", from: start) : start
            guard let from, let place = line.end(of: number.label, from: from),
                line[place...].starts(with: digits.octets)
            else { return nil }
            parts.append((Array(line[start..<place]), number))
            start = place + digits.octets.count
        }
        end = Array(line[start...])
        var again = JSONWriter()
        write(event, frame, clock, &again)
        guard again.octets == line else { return nil }
    }

    /// Whether the record of another frame differs in nothing but its numbers.
    func fits(_ event: Event, _ look: FrameNumbers.Look) -> Bool {
        event.stream == stream && event.session == session && event.flow == flow && event.source == source
            && (event.firstFrame != nil) == hasFirstFrame && look == self.look
    }

    /// Appends the record of a frame.
    func write(_ event: Event, _ frame: FrameNumbers, _ clock: PacketClock, _ json: inout JSONWriter) {
        for index in parts.indices {
            json.append(parts[index].before[...])
            _ = write(parts[index].number, event, frame, clock, &json)
        }
        json.append(end[...])
    }

    /// Appends a number of a frame; false when it has none.
    private func write(
        _ number: Number, _ event: Event, _ frame: FrameNumbers, _ clock: PacketClock, _ json: inout JSONWriter
    ) -> Bool {
        let value: Int?
        switch number {
        case .id: value = event.id
        case .frame: value = event.frame
        case .firstFrame: value = event.firstFrame
        case .time:
            json.append(clock.octets[...])
            json.append(fraction: event.time.nanoseconds)
            return true
        case .offset:
            json.append(Int(event.offset / 1_000_000_000))
            json.append(fraction: event.offset)
            return true
        case .lengthInSummary where frame.isGrouped:
            json.append(grouped: frame.length)
            return true
        case .lengthInSummary, .length: value = frame.length
        case .timestamp: value = frame.timestamp
        case .channel: value = frame.isGrouped ? frame.look.carrier : nil
        case .chunks: value = frame.chunks
        case .compositionTime: value = frame.compositionTime
        case .units: value = frame.units
        }
        guard let value else { return false }
        json.append(value)
        return true
    }
}

extension [UInt8] {
    /// Where the next `label` from `start` on ends.
    fileprivate func end(of label: StaticString, from start: Int) -> Int? {
        self[start...].firstRange(of: label.description.utf8)?.upperBound
    }
}
