import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// Only a reset in answer to a SYN means "refused".
@Suite("Refused and other connections")
struct RefusalTests {
    enum Packet: Sendable {
        case syn, synAck, ack, question, answer, reset, resetOfSYN, wait
    }

    static let cases: [(packets: [Packet], keys: [[String]])] = [
        ([.syn, .resetOfSYN, .wait], [["outcome.refused"]]),
        ([.syn, .resetOfSYN, .syn, .resetOfSYN, .wait], [["outcome.refused"]]),
        // A retransmitted SYN that is answered.
        ([.syn, .resetOfSYN, .syn, .synAck, .ack, .question, .answer], [["outcome.earlyAfter", "outcome.open"]]),
        // A packet of the TCP handshake is not captured.
        ([.synAck, .ack, .question, .answer, .reset], [["outcome.stoppedAfter", "outcome.resetOnly"]]),
        ([.syn, .ack, .question, .answer, .reset], [["outcome.stoppedAfter", "outcome.resetOnly"]]),
        // One direction only.
        ([.syn, .ack, .question, .wait], [["outcome.answerUnseen", "outcome.open"]]),
        ([.syn, .wait], [["outcome.unanswered"]]),
        ([.syn], []),
        ([.syn, .ack, .wait], []),
    ]

    @Test("are distinguished", arguments: cases)
    func reported(_ packets: [Packet], _ keys: [[String]]) {
        #expect(timeline(packets).sessions.map { $0.outcome.map(\.key) } == keys)
    }

    @Test("packets removed by a filter are not missing responses")
    func filtered() {
        var options = AnalyzerOptions()
        options.isFiltered = true
        #expect(timeline([.syn, .wait], options).lines.isEmpty)
        let refused = timeline([.syn, .resetOfSYN, .wait], options)
        #expect(refused.sessions.map { $0.outcome.map(\.key) } == [["outcome.refused"]])
    }

    @Test("packets dropped by the capture are not missing responses")
    func dropped() {
        #expect(timeline([.syn, .wait], drops: 1).lines.isEmpty)
    }

    private func timeline(_ packets: [Packet], _ options: AnalyzerOptions = AnalyzerOptions(), drops: Int = 0)
        -> AnalyzedTimeline
    {
        let timeline = AnalyzedTimeline()
        let analyzer = Analyzer(options: options, sink: timeline)
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in packets.enumerated() {
            let isLater = if case .wait = packet { true } else { false }
            let time = Timestamp(nanoseconds: (isLater ? 3_000_000_000 : 1_000_000_000) + Int64(index) * 10_000_000)
            KeptFrame(packet: octets(packet, index), number: index + 1, time: time).use { analyzer.process($0) }
            if drops > 0 { analyzer.noteDrops(drops, at: time) }
            if case .wait = packet { analyzer.advance(to: Timestamp(nanoseconds: 4_000_000_000)) }
        }
        analyzer.finish()
        return timeline
    }

    private func octets(_ packet: Packet, _ index: Int) -> [UInt8] {
        let (client, server) = (PacketBuilder.client, PacketBuilder.server)
        func segment(
            _ isClient: Bool, _ flags: TCPFlags, _ sequence: UInt32, _ acknowledgment: UInt32, _ text: String = ""
        ) -> [UInt8] {
            PacketBuilder.tcp(
                Array(text.utf8), from: isClient ? client : server, to: isClient ? server : client, sequence: sequence,
                acknowledgment: acknowledgment, flags: flags, identification: index + 1)
        }
        switch packet {
        case .syn: return segment(true, .syn, 99, 0)
        case .synAck: return segment(false, [.syn, .ack], 499, 100)
        case .ack: return segment(true, .ack, 100, 500)
        case .question: return segment(true, .ack, 100, 500, "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
        case .answer: return segment(false, .ack, 500, 131, "RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: PLAY\r\n\r\n")
        case .reset: return segment(false, .rst, 544, 0)
        case .resetOfSYN: return segment(false, [.rst, .ack], 0, 100)
        // A packet of another host, seconds later.
        case .wait:
            let nobody = Endpoint(address: server.address, port: 9)
            return PacketBuilder.udp([1], from: client, to: nobody, identification: 99)
        }
    }
}
