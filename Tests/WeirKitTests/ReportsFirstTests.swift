import Testing
import WeirKit
@testable import WeirEngine
@testable import WeirProtocols

@Suite("RTCP before a flow is recognized as media")
struct ReportsFirstTests {
    private static func media(_ sequence: UInt8) -> [UInt8] {
        [0x80, 8, 1, sequence, 0, 0, 0, sequence, 0xDE, 0xE0, 0xEE, 0x8F] + [UInt8](repeating: 0xD5, count: 160)
    }

    private static let report: [UInt8] =
        [0x80, 200, 0, 6, 0xDE, 0xE0, 0xEE, 0x8F, 0xEB, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 1, 0x40]

    @Test("packets before the report are counted, too")
    func kept() throws {
        var dialogue = Dialogue(.udp, port: 4_000)
        dialogue.client(Self.media(1), after: 0.02)
        dialogue.client(Self.media(2), after: 0.02)
        dialogue.client(Self.report, after: 0.001)
        for number in UInt8(3)..<20 { dialogue.client(Self.media(number), after: 0.02) }
        let stream = try #require(dialogue.analyzed().streams.first)
        let details = try #require(stream.details as? RTPStreamDetails)
        #expect(details.stream.packets == 19 && details.lost == 0)
        #expect(details.stream.firstFrame == 1)
    }
}
