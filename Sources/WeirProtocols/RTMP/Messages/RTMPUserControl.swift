import WeirEngine
import WeirPackets

/// A user control message: an event and its data (RTMP §6.2, §7.1.7).
public struct RTMPUserControl: Sendable, Hashable {
    /// The event type, 16 bits.
    public let eventType: UInt16
    /// The first number of the event data: a message stream ID, or for pings a time in milliseconds.
    public let value: UInt32?
    /// The buffer length of Set Buffer Length, in milliseconds.
    public let bufferMilliseconds: UInt32?

    init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "user control")
        eventType = try reader.uint16()
        value = reader.remaining >= 4 ? try reader.uint32() : nil
        bufferMilliseconds = eventType == 3 && reader.remaining >= 4 ? try reader.uint32() : nil
    }

    /// The event name in camel case, or nil for unnamed types.
    public var name: String? {
        switch eventType {
        case 0: "streamBegin"
        case 1: "streamEOF"
        case 2: "streamDry"
        case 3: "setBufferLength"
        case 4: "streamIsRecorded"
        case 6: "pingRequest"
        case 7: "pingResponse"
        // Not specified, but used by Flash Media Server and librtmp.
        case 26: "swfVerificationRequest"
        case 27: "swfVerificationResponse"
        case 31: "bufferEmpty"
        case 32: "bufferReady"
        default: nil
        }
    }

    var wording: Wording {
        let number = value.map { " \($0)" } ?? ""
        switch eventType {
        case 0: return "Stream Begin\(number)"
        case 1: return "Stream EOF\(number)"
        case 2: return "Stream Dry\(number)"
        case 3: return "Set Buffer Length\(number)" + (bufferMilliseconds.map { ", \($0) ms" } ?? "")
        case 4: return "Stream Is Recorded\(number)"
        case 6: return "Ping Request\(number)"
        case 7: return "Ping Response\(number)"
        case 26: return "SWF Verification Request"
        case 27: return "SWF Verification Response"
        case 31: return "Buffer Empty\(number)"
        case 32: return "Buffer Ready\(number)"
        default: return "User Control \(eventType)\(number)"
        }
    }
}
