public import WeirEngine
import WeirPackets

/// A message reassembled from chunks (RTMP §5.1, §5.3).
public struct RTMPMessage: Message, Hashable {
    /// The content, which all copies share: sessions and rules pass messages around, and it has over 300 octets.
    private var shared: Shared

    private final class Shared: Sendable {
        let content: Content

        init(_ content: Content) {
            self.content = content
        }
    }

    private struct Content: Sendable, Hashable {
        var chunkStreamID: Int
        var typeID: UInt8
        var messageStreamID: UInt32
        var timestamp: UInt32
        var length: Int
        var chunks: Int
        var payload: RTMPPayload
        var isCut = false
        var framing = RTMPFraming()
        var aggregate: RTMPAggregate?
        var firstFrame: Int?
        var names = RTMPNames()
        var body: [UInt8]?
    }

    private var content: Content {
        @inline(__always) _read { yield shared.content }
        _modify {
            var content = shared.content
            defer { shared = Shared(content) }
            yield &content
        }
    }

    /// Creates a message.
    init(
        chunkStreamID: Int, typeID: UInt8, messageStreamID: UInt32, timestamp: UInt32, length: Int, chunks: Int,
        payload: RTMPPayload, framing: RTMPFraming = RTMPFraming(), firstFrame: Int? = nil, isCut: Bool = false,
        aggregate: RTMPAggregate? = nil, names: RTMPNames = RTMPNames()
    ) {
        shared = Shared(
            Content(
                chunkStreamID: chunkStreamID, typeID: typeID, messageStreamID: messageStreamID, timestamp: timestamp,
                length: length, chunks: chunks, payload: payload, isCut: isCut, framing: framing, aggregate: aggregate,
                firstFrame: firstFrame, names: names))
    }

    /// The object with the content; copies of the message have the same one.
    public var object: AnyObject? { shared }

    /// Returns a message of any protocol if it is one of RTMP.
    init?(_ message: any Message) {
        guard let content = message.object as? Shared else { return nil }
        shared = content
    }

    /// Compares the contents.
    public static func == (one: RTMPMessage, other: RTMPMessage) -> Bool {
        one.shared === other.shared || one.content == other.content
    }

    /// Hashes the content.
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }

    /// The chunk stream that carried it.
    public var chunkStreamID: Int { content.chunkStreamID }
    /// The message type ID (RTMP §5.4, §7.1).
    public var typeID: UInt8 { content.typeID }
    /// The message stream ID; 0 for the connection itself.
    public var messageStreamID: UInt32 { content.messageStreamID }
    /// The absolute timestamp in milliseconds, modulo 2^32.
    public var timestamp: UInt32 { content.timestamp }
    /// The announced payload length in octets.
    public internal(set) var length: Int {
        get { content.length }
        set { content.length = newValue }
    }
    /// The number of chunks.
    public var chunks: Int { content.chunks }
    /// The parsed content.
    public internal(set) var payload: RTMPPayload {
        get { content.payload }
        set { content.payload = newValue }
    }
    /// Whether the payload is incomplete, because it exceeds what is kept or was not fully captured.
    public internal(set) var isCut: Bool {
        get { content.isCut }
        set { content.isCut = newValue }
    }
    /// How it was transported.
    public package(set) var framing: RTMPFraming {
        get { content.framing }
        set { content.framing = newValue }
    }
    /// The content of an aggregate message.
    public var aggregate: RTMPAggregate? { content.aggregate }
    /// The frame that contains its first octet.
    public var firstFrame: Int? { content.firstFrame }
    /// The stream names sent on this connection, which grant the right to publish or to play. Nil if the limit was
    /// exceeded.
    var streamKeys: [String]? { content.names.keys }
    /// Whether its stream name may have been sent where it was not captured.
    var mayLackName: Bool { content.names.mayLackOne }
    /// The raw payload of media and metadata if it is extracted into files.
    var body: [UInt8]? {
        get { content.body }
        set { content.body = newValue }
    }
}

/// What a connection knows about the stream names in the text of a message.
struct RTMPNames: Sendable, Hashable {
    /// The stream names sent so far, or nil if the limit was exceeded.
    var keys: [String]? = []
    /// Whether the name of the message's stream may have been sent where it was not captured.
    var mayLackOne = false
}

/// The content of a message. Composite values are shared by all copies, as sessions and rules pass messages around.
public enum RTMPPayload: Sendable, Hashable {
    /// The chunk size of the sender from here on, in octets (RTMP §5.4.1).
    case setChunkSize(UInt32)
    /// The current message on this chunk stream is aborted (RTMP §5.4.2).
    case abort(chunkStreamID: UInt32)
    /// The number of octets received so far, modulo 2^32 (RTMP §5.4.3).
    case acknowledgement(UInt32)
    /// A stream event (RTMP §6.2).
    indirect case userControl(RTMPUserControl)
    /// The window in octets after which the sender expects an acknowledgement (RTMP §5.4.4).
    case windowAckSize(UInt32)
    /// The limit of unacknowledged octets for the peer; type 0 hard, 1 soft, 2 dynamic (RTMP §5.4.5).
    case setPeerBandwidth(UInt32, limitType: UInt8?)
    /// A command, or the answer to one (RTMP §7.1.1).
    case command(RTMPCommand)
    /// Metadata or other data (RTMP §7.1.2).
    case data(RTMPCommand)
    /// Audio (RTMP §7.1.4), or nil for an empty message, which means silence.
    indirect case audio(AudioTag?)
    /// Video (RTMP §7.1.5), or nil for an empty message.
    indirect case video(VideoTag?)
    /// Changes to a shared object (RTMP §7.1.3).
    indirect case sharedObject(RTMPSharedObject)
    /// An aggregate of messages (RTMP §7.1.6), which follow it.
    case aggregate
    /// A type that is not dissected.
    case unknown
    /// A payload too short or invalid for its type, with the reason.
    case malformed(String)

    /// Parses a message of `length` octets, of which `bytes` are the first; for media little more than the header.
    ///
    /// - Parameter units: The NAL units of a video message, tracked while its octets arrived.
    init(typeID: UInt8, _ bytes: RawSpan, length: Int, units: NALUnits? = nil, limits: borrowing Limits) {
        do throws(DecodeError) {
            var reader = ByteReader(bytes, layer: RTMPMessage.name(ofType: typeID) ?? "message")
            switch typeID {
            case 1: self = .setChunkSize(try reader.uint32())
            case 2: self = .abort(chunkStreamID: try reader.uint32())
            case 3: self = .acknowledgement(try reader.uint32())
            case 4: self = .userControl(try RTMPUserControl(bytes))
            case 5: self = .windowAckSize(try reader.uint32())
            case 6: self = .setPeerBandwidth(try reader.uint32(), limitType: reader.peek())
            case 8: self = .audio(length == 0 ? nil : try AudioTag(bytes, length: length, limits: limits))
            case 9:
                guard length > 0 else {
                    self = .video(nil)
                    return
                }
                var video = try VideoTag(bytes, length: length, limits: limits)
                video.units = units
                self = .video(video)
            case 17, 20: self = .command(RTMPCommand(bytes, hasTransaction: true, limits: limits))
            case 15, 18: self = .data(RTMPCommand(bytes, hasTransaction: false, limits: limits))
            case 16, 19: self = .sharedObject(try RTMPSharedObject(bytes, typeID: typeID, limits: copy limits))
            case 22: self = .aggregate
            default: self = .unknown
            }
        } catch {
            self = .malformed("\(error)")
        }
    }
}
