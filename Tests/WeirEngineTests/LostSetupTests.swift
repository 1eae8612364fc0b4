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
        // The server's half alone: its answers and its media.
        let server = frames.filter { $0.ports?.source != frames.lazy.compactMap { $0.ports?.source }.first }
        let isPlayed = !name.contains("record")
        #expect(!isPlayed || Self.owners(Story.tell(server.numbered)) == whole)
        for place in halves {
            var rest = frames
            rest.remove(at: place)
            let story = Story.tell(rest)
            #expect(Self.owners(story) == whole, "without frame \(place + 1)")
            #expect(story.sessions.count == 1, "without frame \(place + 1)")
        }
    }

    /// The first datagrams of a source, of which the capture holds nothing else.
    @Test("one datagram is no stream, and what was recognised by several has them", arguments: 1...8)
    func few(_ count: Int) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let source: [UInt8] = [0xD8, 0x89, 0x32, 0x6C]
        let media = frames.filter { frame in
            guard let datagram = frame.datagram.map(Array.init), datagram.count > 12 else { return false }
            return datagram[0] == 0x80 && datagram[8..<12].elementsEqual(source)
        }
        let story = Story.tell(Array(media.prefix(count)).numbered)
        let packets = story.streams.compactMap { ($0.details as? RTPStreamDetails)?.stream.packets }
        #expect(packets.allSatisfy { $0 == count && $0 >= 3 } && packets.count <= 1)
        #expect(count < 8 || packets == [8])
        let starts = story.lines.filter { $0.kind == "start" }
        #expect(starts.count == packets.count && starts.allSatisfy { $0.remarks == ["expect.heuristic"] })
    }

    /// Two sources of one port: what was recognised in the first packets of one says nothing of the other.
    @Test("a source that begins later was not recognised by what came before")
    func later() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let media = frames.filter { ($0.datagram?.count ?? 0) > 12 && $0.datagram?.first == 0x80 }
        let ports = try #require(media.compactMap(\.portNumbers).first { $0.destination % 2 == 0 })
        let both = media.filter { $0.portNumbers.map { $0 == ports } ?? false }
        let later = both.dropFirst(20).map { frame in
            var frame = frame
            let ssrc = frame.octets.count - (frame.datagram?.count ?? 0) + 8
            frame.octets[ssrc] ^= 1
            // A packet of its own.
            frame.octets[18] ^= 0x40
            return frame
        }
        let story = Story.tell(both.merged(with: later, after: 1))
        let starts = story.lines.filter { $0.kind == "start" }
        #expect(starts.map(\.remarks) == [["expect.heuristic"], []])
    }
}
