import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// What a capture lacks of SETUP: the other half, the source or the ports are enough to know whose media it is.
@Suite("SETUP of which one half is missing")
struct LostSetupTests {
    /// The sources of a story's streams, and the number of the session that each belongs to.
    private static func owners(_ story: Story) -> [String] {
        story.streams.map { stream in
            let ssrc = (stream.details as? RTPStreamDetails).map { String($0.stream.ssrc, radix: 16) } ?? ""
            return "\(ssrc) of \(stream.session.map { "\($0)" } ?? "nobody")"
        }.sorted()
    }

    @Test(
        "its media are the session's all the same",
        arguments: ["rtsp/rtsp-udp", "rtsp/rtsp-tcp-interleaved", "rtsp/rtsp-digest", "rtsp/rtsp-record-udp"])
    func joined(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Self.owners(Story.tell(frames))
        #expect(!whole.isEmpty && whole.allSatisfy { $0.hasSuffix(" of 1") })
        let marks = ["SETUP ", "Transport:"].map { Array($0.utf8) }
        let halves = frames.indices.filter { place in
            marks.contains { mark in
                frames[place].octets.indices.contains { frames[place].octets[$0...].starts(with: mark) }
            }
        }
        #expect(halves.count >= 2)
        for place in halves {
            var rest = frames
            rest.remove(at: place)
            let story = Story.tell(rest)
            #expect(Self.owners(story) == whole, "without frame \(place + 1)")
            #expect(story.sessions.count == 1, "without frame \(place + 1)")
        }
    }
}
