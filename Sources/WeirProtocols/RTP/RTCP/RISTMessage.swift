import WeirEngine
import WeirPackets

/// The content of an application-defined packet named `RIST` (VSF TR-06-1).
public enum RISTMessage: Sendable, Hashable {
    /// Missing packets of the source in the SSRC field: the first of each range, and how many follow.
    case rangeNACK([UInt16])
    /// A request for the round-trip time, with the sender's timestamp.
    case echoRequest(timestamp: UInt64)
    /// The response: the timestamp of the request, and the microseconds until the response.
    case echoResponse(timestamp: UInt64, delay: UInt32)

    /// The name of such packets.
    static let name = "RIST"
    /// The most sequence numbers read from one packet.
    private static let most = 8_192

    /// Reads the data of a packet, or returns nil for other subtypes and incomplete data.
    init?(subtype: UInt8, _ data: RawSpan) {
        switch subtype {
        case 0:
            var numbers: [UInt16] = []
            for offset in stride(from: 0, to: data.byteCount, by: 4) {
                guard let first = data.uint16(at: offset), let more = data.uint16(at: offset &+ 2) else { return nil }
                let count = min(Int(more) &+ 1, Self.most &- numbers.count)
                numbers += (0..<count).map { first &+ UInt16(truncatingIfNeeded: $0) }
            }
            self = .rangeNACK(numbers)
        case 2, 3:
            guard let high = data.uint32(at: 0), let low = data.uint32(at: 4), let delay = data.uint32(at: 8) else {
                return nil
            }
            let timestamp = UInt64(high) << 32 | UInt64(low)
            self = subtype == 2 ? .echoRequest(timestamp: timestamp) : .echoResponse(timestamp: timestamp, delay: delay)
        default: return nil
        }
    }

    /// Returns the message in one line.
    func wording(_ ssrc: UInt32) -> Wording {
        switch self {
        case .rangeNACK(let numbers):
            let shown = numbers.prefix(8).map(String.init).joined(separator: ", ")
            let more: Wording = numbers.count > 8 ? " and \(numbers.count - 8) more" : ""
            return "RIST NACK: SSRC \(hexadecimal(ssrc)), requests seq \(shown)" + more
        case .echoRequest: return "RIST round-trip time request"
        case .echoResponse(_, let delay):
            return "RIST round-trip time response, after \(rounded(Double(delay) / 1_000, places: 1)) ms"
        }
    }

    /// The members of the packet.
    var fields: [Field] {
        switch self {
        case .rangeNACK(let numbers):
            [Field("type", .string("nack")), Field("lost", .array(numbers.map { .integer(Int($0)) }))]
        case .echoRequest: [Field("type", .string("echoRequest"))]
        case .echoResponse(_, let delay):
            [Field("type", .string("echoResponse")), Field("delayMs", .double(Double(delay) / 1_000))]
        }
    }
}

/// A request for the round-trip time: its timestamp, and who sent it.
struct EchoKey: Hashable {
    var timestamp: UInt64
    var address: IPAddress
}
