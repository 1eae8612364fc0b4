import CaptureTesting
import Testing
import WeirComparison
import WeirPackets
import WeirTesting

@Suite("One run at two places")
struct PlacesTests {
    private static let names = ["diff/rtsp-udp-sender", "rtsp/rtsp-udp", "rtmp/rtmp-publish", "webrtc/webrtc-call"]

    @Test("A capture is the same as itself", arguments: names)
    func same(_ name: String) throws {
        let capture = try ComparedCaptures.read(name)
        guard case .places(let places) = Comparison(capture, capture) else {
            Issue.record("not recognized as two places")
            return
        }
        #expect(!places.isDifferent)
        #expect(places.paths.reduce(0) { $0 + $1.matched } > 0)
    }

    @Test(
        "Frames missing from one capture are lost there, and nothing else is claimed", arguments: names,
        [UInt64(1), 2, 3])
    func lessIsOnlyLoss(_ name: String, _ seed: UInt64) throws {
        let frames = try ComparedCaptures.frames(name)
        var random = SeededGenerator(seed)
        // The first and the last frame show when the capture ran.
        let kept = frames.enumerated().filter { index, _ in
            index == 0 || index == frames.count - 1 || Double.random(in: 0..<1, using: &random) > 0.05
        }.map(\.element)
        let places = ComparedCaptures.places(ComparedCaptures.read(frames), ComparedCaptures.read(kept))
        #expect(places.count(.between) + places.count(.onlyLater) > 0)
        for place in [PlacedPacket.Place.before, .behind, .duplicated, .captureDrop] {
            #expect(places.count(place) == 0, "\(place)")
        }
        #expect(places.paths.allSatisfy { $0.reordered == 0 && $0.changedPayloads == 0 })
        #expect(places.flows.allSatisfy { $0.changes.allSatisfy(\.isEmpty) })
        let missing = Set(frames.map(\.info.number)).subtracting(kept.map(\.info.number))
        let claimed = places.paths.flatMap(\.placed).compactMap(\.frameA)
        #expect(claimed.allSatisfy(missing.contains))
    }

    @Test("What was captured while the other capture did not run is not lost", arguments: names)
    func outside(_ name: String) throws {
        let frames = try ComparedCaptures.frames(name)
        let middle = Array(frames[(frames.count / 4)..<(frames.count * 3 / 4)])
        let places = ComparedCaptures.places(ComparedCaptures.read(frames), ComparedCaptures.read(middle))
        #expect(places.count(.between) == 0)
        #expect(places.count(.onlyLater) == 0)
        #expect(places.onlyA.isEmpty)
        #expect(places.paths.reduce(0) { $0 + $1.outside } > 0)
        #expect(places.flows.allSatisfy { $0.messages.isSame })
    }

    @Test("Coarse and batched stamps are recognized, good ones are not suspected")
    func stamps() throws {
        let frames = try ComparedCaptures.frames("diff/rtsp-udp-sender")
        func stamped(_ change: (Int64) -> Int64) -> StampQuality.Flaw? {
            ComparedCaptures.read(
                frames.map { frame in
                    var frame = frame
                    frame.info.time = Timestamp(nanoseconds: change(frame.info.time.nanoseconds))
                    return frame
                }
            ).trace.stamps.flaw?.kind
        }
        #expect(stamped { $0 } == nil)
        #expect(stamped { $0 / 10_000_000 * 10_000_000 } == .coarse)
        #expect(stamped { ($0 / 15_625_003) * 15_625_003 } == .coarse)
        #expect(stamped { $0 / 777_777 * 777_777 } == .batched)
    }

    @Test("Packets missing at both places were lost before the first")
    func before() throws {
        let frames = try ComparedCaptures.frames("rtsp/rtsp-udp")
        let missing = [100, 150, 200]
        let kept = frames.filter { !missing.contains($0.info.number) }
        let capture = ComparedCaptures.read(kept)
        let places = ComparedCaptures.places(capture, capture)
        #expect(places.count(.before) == missing.count)
        #expect(places.count(.between) == 0)
    }

    @Test("What receivers report as lost, but both places captured, was lost behind them")
    func behind() throws {
        var planted = try PlantedCapture(RecordedCaptures.path("Captures/rtsp/rtsp-udp-gst.pcap"))
        planted.changeReports { packet, _ in
            // Receiver reports with a block: five packets are lost in total.
            guard packet[1] == 201, packet[0] & 0x1F == 1, packet.count >= 32 else { return false }
            packet.replaceSubrange(13..<16, with: [0, 0, 5])
            return true
        }
        try #require(!planted.changed.isEmpty)
        let capture = ComparedCaptures.read(planted.frames)
        let places = ComparedCaptures.places(capture, capture)
        let sources = places.paths.filter { $0.count(.behind) > 0 }
        #expect(!sources.isEmpty)
        #expect(sources.allSatisfy { $0.count(.behind) == 5 })
        let healthy = try ComparedCaptures.read("rtsp/rtsp-udp-gst")
        #expect(ComparedCaptures.places(healthy, healthy).count(.behind) == 0)
    }

    @Test("A rewritten payload is a change, not a loss")
    func rewritten() throws {
        let frames = try ComparedCaptures.frames("rtsp/rtsp-udp")
        var changed = frames
        changed[100].octets[changed[100].octets.count - 1] ^= 0xFF
        let places = ComparedCaptures.places(ComparedCaptures.read(frames), ComparedCaptures.read(changed))
        #expect(places.count(.between) == 0)
        #expect(places.paths.reduce(0) { $0 + $1.changedPayloads } == 1)
        #expect(places.isDifferent)
    }

    @Test("A description rewritten on the way is a changed message")
    func gateway() throws {
        let frames = try ComparedCaptures.frames("rtsp/rtsp-udp")
        let changed = frames.map { $0.replacing("client_port=34368-34369", with: "client_port=44368-44369") }
        let places = ComparedCaptures.places(ComparedCaptures.read(frames), ComparedCaptures.read(changed))
        let changes = places.flows.flatMap(\.messages.changed)
        #expect(!changes.isEmpty)
        #expect(changes.allSatisfy { $0.protocolName == "rtsp" })
        #expect(changes.contains { $0.changes.contains { $0.path == "headers.Transport" } })
    }
}
