import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// One half of SETUP, the source or the ports suffice to assign media to its session.
@Suite("SETUP with one half missing")
struct LostSetupTests {
    /// Returns the sources of the streams, with the session number of each.
    private static func owners(_ timeline: AnalyzedTimeline) -> [String] {
        timeline.streams.map { stream in
            let ssrc = (stream.details as? RTPStreamDetails).map { String($0.stream.ssrc, radix: 16) } ?? ""
            return "\(ssrc) of \(stream.session.map { "\($0)" } ?? "nobody")"
        }.sorted()
    }

    @Test(
        "the media still belongs to the session",
        arguments: ["rtsp/rtsp-udp", "rtsp/rtsp-tcp-interleaved", "rtsp/rtsp-digest", "rtsp/rtsp-record-udp"])
    func joined(_ name: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        let whole = Self.owners(AnalyzedTimeline.emit(frames))
        #expect(!whole.isEmpty && whole.allSatisfy { $0.hasSuffix(" of 1") })
        let marks = ["SETUP ", "Transport:"].map { Array($0.utf8) }
        let halves = frames.indices.filter { place in
            marks.contains { mark in
                frames[place].octets.indices.contains { frames[place].octets[$0...].starts(with: mark) }
            }
        }
        #expect(halves.count >= 2)
        // Only the server's direction: its responses and media.
        let server = frames.filter { $0.ports?.source != frames.lazy.compactMap { $0.ports?.source }.first }
        let isPlayed = !name.contains("record")
        #expect(!isPlayed || Self.owners(AnalyzedTimeline.emit(server.numbered)) == whole)
        for place in halves {
            var rest = frames
            rest.remove(at: place)
            let timeline = AnalyzedTimeline.emit(rest)
            #expect(Self.owners(timeline) == whole, "without frame \(place + 1)")
            #expect(timeline.sessions.count == 1, "without frame \(place + 1)")
        }
    }

    /// The only datagrams captured from a source are its first ones.
    @Test("one datagram is no stream; several recognized ones are", arguments: 1...8)
    func few(_ count: Int) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let source: [UInt8] = [0xD8, 0x89, 0x32, 0x6C]
        let media = frames.filter { frame in
            guard let datagram = frame.datagram.map(Array.init), datagram.count > 12 else { return false }
            return datagram[0] == 0x80 && datagram[8..<12].elementsEqual(source)
        }
        let timeline = AnalyzedTimeline.emit(Array(media.prefix(count)).numbered)
        let packets = timeline.streams.compactMap { ($0.details as? RTPStreamDetails)?.stream.packets }
        #expect(packets.allSatisfy { $0 == count && $0 >= 3 } && packets.count <= 1)
        #expect(count < 8 || packets == [8])
        let starts = timeline.lines.filter { $0.kind == "start" }
        #expect(starts.count == packets.count && starts.allSatisfy { $0.remarks == ["expect.heuristic"] })
    }

    /// Two sources on one port: packets buffered for one must not be used for the other.
    @Test("a source that starts later is not recognized by earlier packets of another")
    func later() throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/rtsp-udp.pcap"))
        let media = frames.filter { ($0.datagram?.count ?? 0) > 12 && $0.datagram?.first == 0x80 }
        let ports = try #require(media.compactMap(\.portNumbers).first { $0.destination % 2 == 0 })
        let both = media.filter { $0.portNumbers.map { $0 == ports } ?? false }
        let later = both.dropFirst(20).map { frame in
            var frame = frame
            let ssrc = frame.octets.count - (frame.datagram?.count ?? 0) + 8
            frame.octets[ssrc] ^= 1
            // A distinct packet.
            frame.octets[18] ^= 0x40
            return frame
        }
        let timeline = AnalyzedTimeline.emit(both.merged(with: later, after: 1))
        let starts = timeline.lines.filter { $0.kind == "start" }
        #expect(starts.map(\.remarks) == [["expect.heuristic"], []])
    }
}
