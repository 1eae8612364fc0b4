import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
@testable import WeirProtocols

/// After a gap, octets may look like a chunk: they must not create a stream.
@Suite("RTMP after gaps") struct RandomMatchTests {
    @Test(
        "has no message streams that the whole capture does not have",
        arguments: ["rtmp-enhanced-vp9-flac", "rtmp-enhanced-hevc", "rtmp-publish", "rtmp-chunks-128"])
    func streams(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/\(name).pcap"))
        let whole = Set(
            AnalyzedTimeline.emit(frames).streams.compactMap {
                ($0.details as? RTMPStreamDetails)?.track.messageStreamID
            })
        #expect(!whole.isEmpty)
        var lost = [Self.lost]
        for each in [7, 11, 20] {
            for first in 0..<each { lost.append(Set(frames.indices.filter { $0 > 30 && $0 % each == first })) }
        }
        for places in lost {
            let less = frames.indices.filter { !places.contains($0) }.map { frames[$0] }.numbered
            let streams = AnalyzedTimeline.emit(less).streams.compactMap {
                ($0.details as? RTMPStreamDetails)?.track.messageStreamID
            }
            // If its createStream is missing, a message stream is reported as 0.
            #expect(Set(streams).isSubset(of: whole.union([0])), "\(name), without \(places.sorted())")
        }
    }

    /// The missing frames with which FLAC was once taken for Nellymoser on an existing message stream.
    private static let lost: Set<Int> = [0, 16, 18, 44, 61, 165, 173, 189, 195, 213, 238, 278, 292]

    @Test("gives no intervals between key frames that were not adjacent")
    func neighbours() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtmp/rtmp-made.pcap"))
        let tracks = AnalyzedTimeline.emit(frames).streams.compactMap { ($0.details as? RTMPStreamDetails)?.track }
        let video = try #require(tracks.first { $0.keyframes > 1 })
        #expect(video.secondsBetweenKeyframes == nil)
    }
}
