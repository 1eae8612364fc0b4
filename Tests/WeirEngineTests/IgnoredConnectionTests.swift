import CaptureTesting
import Testing
import WeirPackets
import WeirProtocols
import WeirTesting

@testable import WeirEngine

@Suite("Connections that nobody reads") struct IgnoredConnectionTests {
    /// Records the ended flows, listed or not.
    private final class Flows: TimelineSink {
        let listsFlows: Bool
        private(set) var listed: [FlowRecord] = []
        private(set) var total = 0

        init(listsFlows: Bool) {
            self.listsFlows = listsFlows
        }

        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: Session?) {}
        func needsRecord(ofFlow id: Int) -> Bool {
            total += 1
            return listsFlows
        }
        func flow(_ flow: FlowRecord) { listed.append(flow) }
        func stream(_ stream: StreamRecord, session: Session?) {}
        func session(_ record: SessionRecord, session: Session) {}
        func end(_ summary: SummaryRecord) {}
    }

    /// A conversation of no protocol, whose frames are a millisecond apart unless said otherwise.
    private struct Talk {
        private(set) var frames: [KeptFrame] = []
        private var next: (client: UInt32, server: UInt32) = (1_001, 5_001)
        private var time: Int64 = 1_700_000_000_000_000_000

        init() {
            add(0, true, .syn, sequence: 1_000)
            add(0, false, [.syn, .ack], sequence: 5_000)
            add(0, true, .ack)
            for _ in 0..<4 {
                add(40, true, [.ack, .psh])
                add(40, false, [.ack, .psh])
            }
        }

        mutating func add(
            _ octets: Int, _ isFromClient: Bool, _ flags: TCPFlags, sequence: UInt32? = nil, after seconds: Int64 = 0
        ) {
            time += 1_000_000 + seconds * 1_000_000_000
            let number = sequence ?? (isFromClient ? next.client : next.server)
            let (client, server) = (PacketBuilder.client, Endpoint(address: PacketBuilder.server.address, port: 7_777))
            let packet = PacketBuilder.tcp(
                [UInt8](repeating: 0xA5, count: octets), from: isFromClient ? client : server,
                to: isFromClient ? server : client, sequence: number,
                acknowledgment: isFromClient ? next.server : next.client, flags: flags,
                identification: frames.count + 1)
            frames.append(
                KeptFrame(packet: packet, number: frames.count + 1, time: Timestamp(nanoseconds: time)))
            let used = UInt32(octets) + (flags.contains(.fin) ? 1 : 0)
            if sequence == nil {
                if isFromClient { next.client &+= used } else { next.server &+= used }
            }
        }
    }

    private func analyze(_ frames: [KeptFrame], listsFlows: Bool) -> Flows {
        let flows = Flows(listsFlows: listsFlows)
        let analyzer = Analyzer(options: AnalyzerOptions(), sink: flows)
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return flows
    }

    @Test("a closed one is another after silence, whether flows are listed or not", arguments: [true, false])
    func closed(listsFlows: Bool) {
        let ends: [([(isFromClient: Bool, flags: TCPFlags)], flows: Int)] = [
            ([], 1),
            ([(true, [.fin, .ack])], 1),
            ([(true, [.fin, .ack]), (true, [.fin, .ack])], 1),
            ([(true, [.fin, .ack]), (false, [.fin, .ack])], 2),
            ([(false, [.rst, .ack])], 2),
        ]
        for (segments, flows) in ends {
            var talk = Talk()
            for segment in segments { talk.add(0, segment.isFromClient, segment.flags) }
            talk.add(40, true, [.ack, .psh], after: 20)
            #expect(analyze(talk.frames, listsFlows: listsFlows).total == flows)
        }
    }

    @Test("a listed one has its retransmissions and octets, one that is not listed has no record")
    func records() throws {
        var talk = Talk()
        talk.add(40, true, [.ack, .psh], sequence: 1_001 + 120)
        let listed = analyze(talk.frames, listsFlows: true).listed
        let record = try #require(listed.first)
        #expect(listed.count == 1 && record.packets == Flow.PerDirection(clientToServer: 7, serverToClient: 5))
        #expect(record.tcp?.retransmittedBytes == 40)
        #expect(analyze(talk.frames, listsFlows: false).listed.isEmpty)
    }
}
