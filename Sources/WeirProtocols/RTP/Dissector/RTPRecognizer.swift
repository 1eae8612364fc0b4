import WeirEngine
import WeirPackets

/// Recognizes unsignaled RTP in either direction of a flow, and buffers packets until the decision: RTP headers and
/// complete RTCP datagrams.
final class RTPRecognizer: Recognizer {
    /// An RTCP datagram received before the flow was recognized as media. RTCP on the RTP port (RFC 5761) may begin
    /// before the media.
    private struct Report {
        /// Maximum reports kept per flow, and octets of the longest.
        static let most = 16
        static let longest = 512

        var octets: [UInt8]
        var direction: Direction
        var frame: FrameInfo
    }

    /// What it has seen so far.
    private struct State {
        var client: RTPHeuristic
        var server = RTPHeuristic()
        var reports: [Report] = []
        /// Sources of packets duplicated by the capture before recognition.
        var again: [(ssrc: UInt32, direction: Direction)] = []

        mutating func keepReport(_ datagram: RawSpan, _ direction: Direction, _ frame: FrameInfo) {
            guard reports.count < Report.most, datagram.byteCount <= Report.longest,
                let word = datagram.uint32(at: 0), word >> 30 == 2,
                RTCPPacket.isRTCP(secondOctet: UInt8(truncatingIfNeeded: word >> 16))
            else { return }
            reports.append(Report(octets: datagram.array(), direction: direction, frame: frame))
        }
    }

    private var state: Lent<State>

    /// Whether a datagram has the version of RTP and RTCP, or may be something else that shares their port.
    static func mayBegin(_ datagram: RawSpan) -> Bool {
        datagram.byte(at: 0).map { $0 >> 6 == 2 } ?? true || RTPHeuristic.mayShareRTPPort(datagram)
    }

    init(isFirstRefused: Bool) {
        state = Lent(State(client: isFirstRefused ? .refused : RTPHeuristic()))
    }

    var isEmpty: Bool { state.current.reports.isEmpty }

    func observe(
        _ datagram: RawSpan, wireLength: Int, _ direction: Direction, _ frame: FrameInfo
    ) -> ProbeAnswer {
        var taken = state.take()
        let answer =
            direction == .clientToServer
            ? taken.client.observe(datagram, wireLength: wireLength, frame)
            : taken.server.observe(datagram, wireLength: wireLength, frame)
        taken.keepReport(datagram, direction, frame)
        state.put(consume taken)
        switch answer {
        case .yes: return .yes
        case .no: return .no
        case .needMore: return .needMore
        }
    }

    func observeAgain(_ datagram: RawSpan, _ direction: Direction) {
        guard let ssrc = datagram.uint32(at: 8) else { return }
        var taken = state.take()
        if taken.again.count < Report.most { taken.again.append((ssrc, direction)) }
        state.put(consume taken)
    }

    /// Replays the packets received before recognition, in order.
    func replay(on flow: FlowState, to reader: any PacketReader, at place: EventContext) {
        guard let packets = reader as? MediaFlow else { return }
        let seen = state.current
        let decided = place.direction == .clientToServer ? seen.client : seen.server
        if let owner = packets.owner {
            flow.because = Text(owner is RISTSession ? "expect.rist" : "expect.told", .integer(place.frame))
        } else {
            flow.because =
                decided.isDecided
                ? Text("expect.heuristic", .integer(decided.seen.count + 1), .integer(place.frame))
                : Text("expect.reports", .integer(place.frame))
        }
        packets.firstRecognizedFrame = place.frame
        let all =
            seen.client.seen.map { (Direction.clientToServer, $0) }
            + seen.server.seen.map { (Direction.serverToClient, $0) }
        var waiting = seen.reports[...]
        for (direction, packet) in all.sorted(by: { $0.1.info.number < $1.1.info.number }) {
            while let report = waiting.first, report.frame.number < packet.info.number {
                waiting.removeFirst()
                replay(report, flow, packets)
            }
            let then = flow.place(direction, packet.info)
            let nothing = [UInt8]()
            packets.media.readRTP(packet.header, nothing.rawSpan, channel: nil, packets, then)
        }
        for report in waiting { replay(report, flow, packets) }
        for packet in seen.again { packets.countAgain(packet.ssrc, packet.direction) }
        packets.firstRecognizedFrame = nil
        // Sources that begin later are not those that the flow was recognized by.
        flow.because = nil
    }

    private func replay(_ report: Report, _ flow: FlowState, _ packets: MediaFlow) {
        packets.media.rtcp.read(report.octets.rawSpan, nil, packets, flow.place(report.direction, report.frame))
    }
}
