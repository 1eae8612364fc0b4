import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

@Suite("RTP without signaling")
struct RTPHeuristicTests {
    private func packet(
        _ type: UInt8, _ sequence: UInt16, _ timestamp: UInt32, ssrc: UInt32 = 0xDEE0_EE8F, payload: Int = 160
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x80, type, UInt8(sequence >> 8), UInt8(truncatingIfNeeded: sequence)]
        for word in [timestamp, ssrc] {
            for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
        }
        return bytes + [UInt8](repeating: 0xD5, count: payload)
    }

    private func judge(_ datagrams: [[UInt8]]) -> (RTPHeuristic.Answer, Int) {
        var heuristic = RTPHeuristic()
        var answer = RTPHeuristic.Answer.needMore
        for (index, bytes) in datagrams.enumerated() {
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: Int64(index) * 20_000_000), capturedLength: bytes.count,
                originalLength: bytes.count, linkType: .ethernet)
            answer = heuristic.observe(bytes.rawSpan, wireLength: bytes.count, info)
            if case .needMore = answer { continue }
            break
        }
        return (answer, heuristic.seen.count)
    }

    @Test("three packets in sequence are accepted, and the first two are kept")
    func believed() {
        let (answer, kept) = judge((0..<3).map { packet(8, 59_133 + $0, UInt32($0) * 240) })
        guard case .yes = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(kept == 2)
    }

    @Test("an MPEG transport stream may have SSRC 0, the sequence may wrap, and packets may be reordered")
    func tolerated() {
        let transportStream: [[UInt8]] = (0..<3).map { packet(33, 28_316 + $0, 1_000 + UInt32($0), ssrc: 0) }
        let wrapping: [[UInt8]] = (0..<3).map { packet(96, 65_534 &+ $0, 7_000 + UInt32($0) * 3_000) }
        let overtaking: [[UInt8]] = [packet(96, 10, 0), packet(96, 12, 0), packet(96, 11, 0)]
        let correction: [[UInt8]] = (0..<5).map { packet(127, 63_673 + $0, 0, ssrc: 0) }
        for datagrams in [transportStream, wrapping, overtaking, correction] {
            guard case .yes = judge(datagrams).0 else {
                Issue.record("not believed")
                continue
            }
        }
    }

    @Test("similar data is not accepted")
    func others() {
        let holes = [[UInt8]](repeating: packet(0, 0, 0, ssrc: 0, payload: 0), count: 5)
        var random = SeededGenerator(7)
        let noise = (0..<8).map { _ in [0x80, 0x60] + random.octets(198) }
        let reports = (0..<4).map { _ in [0x80, 0xC9, 0, 1, 1, 2, 3, 4] as [UInt8] }
        let names = (0..<4).map { [UInt8($0), 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0x77, 0x77, 0x77] as [UInt8] }
        let channels = (0..<4).map { _ in [0x40, 0x00, 0x00, 0x04, 1, 2, 3, 4] as [UInt8] }
        let same = [[UInt8]](repeating: packet(8, 1, 1), count: 5)
        let zeros: [[UInt8]] = (0..<8).map { packet(0, 3 * $0, 0, ssrc: 0) }
        for datagrams in [zeros, holes, noise, reports, names, channels, same] {
            if case .yes = judge(datagrams).0 { Issue.record("believed") }
        }
    }

    @Test("other data ends the detection, data that may share the port does not")
    func shared() {
        let media = (0..<3).map { packet(8, 100 + $0, UInt32($0) * 160) }
        let stun: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: 1, count: 12)
        guard case .yes = judge([media[0], stun, media[1], media[2]]).0 else {
            Issue.record("STUN between RTP hid it")
            return
        }
        guard case .no = judge([[0xC0, 0, 0, 0, 1, 8, 1, 2, 3, 4, 5, 6], media[0], media[1], media[2]]).0 else {
            Issue.record("a QUIC flow was taken for RTP")
            return
        }
    }

    @Test("memory is bounded")
    func bounded() {
        var heuristic = RTPHeuristic()
        var random = SeededGenerator(9)
        let info = FrameInfo(
            number: 1, time: Timestamp(nanoseconds: 0), capturedLength: 60, originalLength: 60, linkType: .ethernet)
        for _ in 0..<100_000 {
            let bytes = [UInt8(128 + random.next() % 64), UInt8(96 + random.next() % 32)] + random.octets(30)
            _ = heuristic.observe(bytes.rawSpan, wireLength: bytes.count, info)
            #expect(heuristic.seen.count <= RTPHeuristic.maximumPackets)
        }
    }
}
