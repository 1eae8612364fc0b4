import WeirEngine
import WeirPackets

/// What one side of a RIST session sent in RTCP.
struct RISTReports {
    /// Round trips measured by echoes, in milliseconds.
    struct Echoes {
        private var sum = 0.0
        private var count = 0
        var mean: Double? { count > 0 ? sum / Double(count) : nil }
        mutating func note(_ trip: Double) {
            sum += trip
            count &+= 1
        }
    }

    /// Datagrams.
    private(set) var datagrams = 0
    /// The first datagram.
    private(set) var firstFrame: Int?
    /// Responses to those of the other side, which show that it sends RTCP.
    private(set) var echoResponses = 0
    /// Round trips between the capture point and this side.
    var echoes = Echoes()

    mutating func take(_ compound: RTCPCompound, _ place: EventContext) {
        datagrams &+= 1
        if firstFrame == nil { firstFrame = place.frame }
        for case .application(let packet) in compound.elements.map(\.packet) {
            if case .echoResponse = packet.rist { echoResponses &+= 1 }
        }
    }

    /// Returns whether the sender of media sent a datagram: sender reports show it, NACKs that it is the receiver.
    static func isSender(_ compound: RTCPCompound) -> Bool? {
        for element in compound.elements {
            switch element.packet {
            case .senderReport: return true
            case .application(let packet):
                if case .rangeNACK = packet.rist { return false }
            case .transportFeedback(let feedback):
                if case .nack = feedback.content { return false }
            default: break
            }
        }
        return nil
    }
}
