import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
@testable import WeirProtocols

/// Behind a hole octets may look like a chunk: none of them makes a stream that nobody has opened.
@Suite("RTMP behind holes") struct RandomMatchTests {
    @Test(
        "has no message streams that the whole capture lacks",
        arguments: ["rtmp-enhanced-vp9-flac", "rtmp-enhanced-hevc", "rtmp-publish", "rtmp-chunks-128"])
    func streams(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/\(name).pcap"))
        let whole = Set(
            Story.tell(frames).streams.compactMap { ($0.details as? RTMPStreamDetails)?.track.messageStreamID })
        #expect(!whole.isEmpty)
        for each in [7, 11, 20] {
            for first in 0..<each {
                let less = frames.enumerated().filter { $0.offset < 30 || $0.offset % each != first }.map(\.element)
                    .numbered
                let streams = Story.tell(less).streams.compactMap {
                    ($0.details as? RTMPStreamDetails)?.track.messageStreamID
                }
                #expect(Set(streams).isSubset(of: whole), "\(name), without each \(each)th from \(first)")
            }
        }
    }

    @Test("gives no rhythm of key frames that are neighbours")
    func neighbours() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-made.pcap"))
        let tracks = Story.tell(frames).streams.compactMap { ($0.details as? RTMPStreamDetails)?.track }
        let video = try #require(tracks.first { $0.keyframes > 1 })
        #expect(video.secondsBetweenKeyframes == nil)
    }
}
