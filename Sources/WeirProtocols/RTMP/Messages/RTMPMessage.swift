public import WeirEngine
import WeirPackets

/// A message that was put together from chunks (RTMP §5.1, §5.3).
public struct RTMPMessage: Message, Hashable {
    /// Chunk stream that carried it.
    public internal(set) var chunkStreamID: Int
    /// Message type id (RTMP §5.4, §7.1).
    public internal(set) var typeID: UInt8
    /// Message stream id; 0 for the connection itself.
    public internal(set) var messageStreamID: UInt32
    /// Time in milliseconds, modulo 2^32; deltas are added up.
    public internal(set) var timestamp: UInt32
    /// Octets of its payload, as announced.
    public internal(set) var length: Int
    /// Chunks it came in.
    public internal(set) var chunks: Int
    /// What it says.
    public internal(set) var payload: RTMPPayload
    /// Not all octets of the payload were kept, because it is too long, or the capture does not hold them.
    public internal(set) var isCut = false
    /// How it travelled.
    public package(set) var framing = RTMPFraming()
    /// What an aggregate message holds.
    public internal(set) var aggregate: RTMPAggregate?
    /// The frame that brought its first octet.
    public internal(set) var firstFrame: Int?
    /// Stream names that were said on this connection so far: they grant the right to publish or to play. Nil when there
    /// were more than are remembered.
    var streamKeys: [String]? = []
    /// Whether its stream's name may have been said where the capture does not hold it.
    var mayLackName = false
    /// Its payload as it came, of media and metadata, where somebody writes that into files.
    var body: [UInt8]?
}

/// What a message says. Values of many parts are shared by all copies: sessions and rules hand messages about a great deal.
public enum RTMPPayload: Sendable, Hashable {
    /// The size of the sender's chunks from here on, in octets (RTMP §5.4.1).
    case setChunkSize(UInt32)
    /// The rest of the message at hand on this chunk stream will not come (RTMP §5.4.2).
    case abort(chunkStreamID: UInt32)
    /// So many octets were received so far, modulo 2^32 (RTMP §5.4.3).
    case acknowledgement(UInt32)
    /// An event of a stream (RTMP §6.2).
    indirect case userControl(RTMPUserControl)
    /// The sender wants an acknowledgement each time it has sent so many octets (RTMP §5.4.4).
    case windowAckSize(UInt32)
    /// The peer shall send no more than so many octets without acknowledgement; 0 hard, 1 soft, 2 dynamic (RTMP §5.4.5).
    case setPeerBandwidth(UInt32, limitType: UInt8?)
    /// A command, or the answer to one (RTMP §7.1.1).
    indirect case command(RTMPCommand)
    /// Metadata or other data (RTMP §7.1.2).
    indirect case data(RTMPCommand)
    /// Audio (RTMP §7.1.4); nil for an empty message, which means silence.
    indirect case audio(AudioTag?)
    /// Video (RTMP §7.1.5); nil for an empty message.
    indirect case video(VideoTag?)
    /// Changes of a shared object (RTMP §7.1.3).
    indirect case sharedObject(RTMPSharedObject)
    /// Several messages in one (RTMP §7.1.6); they follow it.
    case aggregate
    /// A type that is not read.
    case unknown
    /// The payload does not hold what its type needs: why.
    case malformed(String)

    /// Reads a message of `length` octets, of which `bytes` are the first ones: of media hardly more than its header.
    ///
    /// - Parameter units: the NAL units of a video message, followed while its octets passed by.
    init(typeID: UInt8, _ bytes: RawSpan, length: Int, units: NALUnits? = nil, limits: Limits) {
        do throws(DecodeError) {
            var reader = ByteReader(bytes, layer: RTMPMessage.typeNames[typeID] ?? "message")
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
            case 16, 19: self = .sharedObject(try RTMPSharedObject(bytes, typeID: typeID, limits: limits))
            case 22: self = .aggregate
            default: self = .unknown
            }
        } catch {
            self = .malformed("\(error)")
        }
    }
}
