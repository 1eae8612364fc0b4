import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// Only "port unreachable" means that a host refuses media; other ICMP errors are reported by type and code.
@Suite("ICMP errors about media")
struct ICMPErrorTests {
    struct Case: Sendable {
        var type: UInt8
        var code: UInt8
        var isFromRouter = true
        var note: String?
    }

    private static let router: [UInt8] = [10, 77, 0, 254]

    private final class Errors: TimelineSink {
        var events: [Event] = []
        var outcomes: [[String]] = []
        func begin(_ capture: CaptureRecord) {}
        func event(_ event: Event, session: Session?) {
            if event.message.protocolName == "icmp" { events.append(event) }
        }
        func flow(_ flow: FlowRecord) {}
        func stream(_ stream: StreamRecord, session: Session?) {}
        func session(_ record: SessionRecord, session: Session) { outcomes.append(record.outcome.map(\.key)) }
        func end(_ summary: SummaryRecord) {}
    }

    /// Analyzes a capture in which the client's host refuses media, with other ICMP errors.
    private static func reported(_ error: Case) throws -> Errors {
        let sink = Errors()
        let analyzer = Analyzer(sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for var frame in try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-port-unreachable.pcap")) {
            if frame.octets.count > 36, frame.octets[12] == 8, frame.octets[13] == 0, frame.octets[23] == 1 {
                let start = 14 + Int(frame.octets[14] & 0x0F) * 4
                frame.octets.replaceSubrange(start..<start + 2, with: [error.type, error.code])
                if error.isFromRouter { frame.octets.replaceSubrange(26..<30, with: router) }
            }
            frame.use { analyzer.process($0) }
        }
        analyzer.finish()
        return sink
    }

    @Test(
        "are reported by type and code",
        arguments: [
            Case(type: 3, code: 3, isFromRouter: false, note: "icmp.unreachable"),
            Case(type: 3, code: 0, note: "icmp.undelivered"), Case(type: 3, code: 13, note: "icmp.undelivered"),
            Case(type: 11, code: 0, note: "icmp.timeExceeded"), Case(type: 11, code: 1, note: "icmp.undelivered"),
            // Fragmentation needed: a router asks for smaller packets.
            Case(type: 3, code: 4),
        ])
    func errors(_ error: Case) throws {
        let reported = try Self.reported(error)
        let isRefusal = error.code == 3
        #expect(Set(reported.events.compactMap { $0.message.note?.key }) == Set([error.note].compactMap { $0 }))
        let outcomes = reported.outcomes.flatMap { $0 }
        #expect(outcomes.contains { $0.contains("unreachable") || $0.contains("notTaken") } == isRefusal)
        // The server sent the quoted packet, so the error's direction is to the server, whoever sends it.
        #expect(reported.events.allSatisfy { $0.direction == .clientToServer })
        let flows = reported.events.compactMap { ($0.message as? ICMPEvent)?.about }
        #expect(flows.count == reported.events.count)
    }
}
