import CaptureTesting
import Testing
import WeirEngine

/// Interleaved frames damaged by their sender: the packets in them are not lost on the network.
@Suite("Damaged interleaved frames") struct DamagedFrameTests {
    private func verdicts(_ damage: String) throws -> [Verdict] {
        let edit = ("M 0 101 12000", damage + "M 0 105 12000")
        let said = try #require(Conversations.interleaved.replacing([edit])).judged()
        return said.findings.filter { $0.rule == "RTP-SEQ-LOSS" }.map(\.verdict)
    }

    @Test("loss beside octets outside any frame is undecided")
    func damaged() throws {
        #expect(try verdicts("J S 40\n\n") == [.inconclusive])
        #expect(try verdicts("") == [.fail])
    }
}
