import CaptureTesting
import Testing
@testable import WeirEngine
@testable import WeirProtocols

/// Parameter sets in the description, in the stream, or in neither.
@Suite("Parameter sets") struct ParameterSetTests {
    /// A recording of H.265 with the kinds of parameter sets removed: from the description, and from the stream.
    private func judged(described: String?, sent: Int?) throws -> Collector {
        var capture = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-h265-opus.pcap"))
        if let sent {
            capture.change(payloadType: 96) { packet, _ in
                guard Int(packet[12] >> 1 & 0x3F) == sent else { return false }
                // An access unit delimiter, which is no parameter set.
                packet[12] = 35 << 1
                return true
            }
            #expect(!capture.changed.isEmpty)
        }
        let frames = capture.frames.map { frame in
            described.map { frame.replacing($0, with: "x" + $0.dropFirst()) } ?? frame
        }
        return PlantedFaultTests.judged(frames)
    }

    @Test(
        "of H.265 in neither are missing for the first picture",
        arguments: [("sprop-vps", 32), ("sprop-sps", 33), ("sprop-pps", 34)])
    func missing(_ name: String, _ type: Int) throws {
        let collector = try judged(described: name, sent: type)
        #expect(collector.said("H265-SPROP") == ["warning H265-SPROP.missing"])
        let text = try #require(collector.findings.first { $0.rule == "H265-SPROP" }).message
        #expect("\(text)".contains(name))
    }

    @Test("of H.265 in one of them suffice", arguments: [("sprop-vps", nil), (nil, 32), (nil, nil)])
    func present(_ described: String?, _ sent: Int?) throws {
        #expect(try judged(described: described, sent: sent).said("H265-SPROP") == [])
    }

    @Test("of H.264 in the stream suffice before the first key frame")
    func inBand() throws {
        let edit = (";sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==,aM4PyA==", "")
        let bare = try #require(Conversations.play.replacing([edit]))
        #expect(bare.judged().said("H264-FIRST-IDR") == ["warning H264-FIRST-IDR.sets"])
        // Undecided if the description may not have been captured.
        let gap = try #require(bare.replacing([("V 5001 6001 S", "G S 100\n\nV 5001 6001 S")]))
        #expect(gap.judged().said("H264-FIRST-IDR") == ["inconclusive H264-FIRST-IDR.sets"])
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let undescribed = frames.map { $0.replacing("sprop-parameter-sets", with: "xprop-parameter-sets") }
        #expect(PlantedFaultTests.judged(undescribed).said("H264-FIRST-IDR") == [])
    }

    @Test("of AAC with half the rate of the clock, without spectral band replication")
    func audio() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-record-udp.pcap"))
        #expect(PlantedFaultTests.judged(frames).said("AAC-CONFIG") == [])
        let halved = frames.map { $0.replacing("config=140856E500", with: "config=158856E500") }
        #expect(PlantedFaultTests.judged(halved).said("AAC-CONFIG") == ["warning AAC-CONFIG.stream"])
    }
}
