import Testing
import WeirPackets
import WeirTesting

@testable import WeirReports
import WeirEngine
import WeirProtocols

@Suite("Records of RTCP packets")
struct ReceptionReportTests {
    @Test("the fast path equals the list of fields")
    func sameMembers() {
        var random = SeededGenerator(81)
        for _ in 0..<500 {
            let octets = senderReport(&random) + receiverReport(&random) + description(&random)
            let elements = RTCPCompound(octets.rawSpan).elements
            #expect(elements.count == 3)
            for element in elements {
                let message = element.packet.message
                var direct = JSONWriter()
                direct.beginObject()
                let isWritten = direct.ownFields(of: message, .masked)
                #expect(isWritten)
                direct.endObject()
                var listed = JSONWriter()
                listed.beginObject()
                listed.key("fields")
                listed.beginObject()
                listed.fields(message.fields(.masked), .masked)
                listed.endObject()
                listed.endObject()
                #expect(direct.octets == listed.octets)
            }
        }
    }

    private func senderReport(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...3, using: &random)
        return packet(200, count, noise(24 + count * ReportBlock.length, &random))
    }

    private func receiverReport(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...3, using: &random)
        return packet(201, count, noise(4 + count * ReportBlock.length, &random))
    }

    private func description(_ random: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 0...3, using: &random)
        var body: [UInt8] = []
        for _ in 0..<count {
            body += noise(4, &random)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let text = noise(Int.random(in: 0...20, using: &random), &random)
                body += [UInt8.random(in: 1...9, using: &random), UInt8(text.count)] + text
            }
            repeat { body.append(0) } while body.count % 4 != 0
        }
        return packet(202, count, body)
    }

    private func noise(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func packet(_ type: UInt8, _ count: Int, _ body: [UInt8]) -> [UInt8] {
        [0x80 | UInt8(count), type, UInt8((body.count / 4) >> 8), UInt8(truncatingIfNeeded: body.count / 4)] + body
    }
}
