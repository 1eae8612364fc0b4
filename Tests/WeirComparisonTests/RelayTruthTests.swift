import CaptureTesting
import Foundation
import Testing
import WeirComparison
import WeirPackets

/// What the relay between the two hosts of a recording did, from its log.
private struct RelayLog {
    private struct Line: Decodable {
        var action: String
        var ssrc: String?
        var sequence: Int?
        var overtakenBy: Int?
    }

    private let lines: [Line]

    init(_ name: String) throws {
        let text = try String(
            contentsOfFile: RecordedCaptures.path("Captures/\(name).truth.jsonl"), encoding: .utf8)
        lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    /// The packets with which the relay did something, as `ssrc sequence` or `sequence`, sorted.
    func packets(_ action: String) -> [String] {
        lines.filter { $0.action == action }.map { line in
            [line.ssrc, line.sequence.map { "\($0)" }].compactMap { $0 }.joined(separator: " ")
        }.sorted()
    }

    var overtaken: Int { lines.count { ($0.overtakenBy ?? 0) > 0 } }
}

@Suite("Two places, against the log of the relay between them")
struct RelayTruthTests {
    @Test(
        "Each packet that the relay dropped or duplicated is placed between, and no other",
        arguments: [
            ("diff/rtsp-udp", "diff/rtsp-udp-receiver"), ("diff/rtsp-udp", "diff/rtsp-udp-moved"),
            ("diff/rtsp-tcp", "diff/rtsp-tcp-receiver"),
        ])
    func loss(_ name: String, _ receiver: String) throws {
        let log = try RelayLog(name)
        let places = ComparedCaptures.places(
            try ComparedCaptures.read("\(name)-sender"), try ComparedCaptures.read(receiver))
        #expect(places.placed(.between) == log.packets("dropped"))
        #expect(places.placed(.duplicated) == log.packets("doubled"))
        #expect(places.count(.before) == 0)
        #expect(places.count(.onlyLater) == 0)
        #expect(places.onlyA.isEmpty && places.onlyB.isEmpty)
        #expect(
            places.paths.allSatisfy { $0.direction == ($0.a.source.address.description == "10.77.0.2" ? .aToB : .bToA) }
        )
    }

    @Test("The captures in reverse order give the same, with the directions exchanged")
    func reversed() throws {
        let log = try RelayLog("diff/rtsp-udp")
        let places = ComparedCaptures.places(
            try ComparedCaptures.read("diff/rtsp-udp-receiver"), try ComparedCaptures.read("diff/rtsp-udp-sender"))
        #expect(places.placed(.between) == log.packets("dropped"))
        #expect(
            places.paths.filter { $0.a.source.address.description == "10.77.0.2" }.allSatisfy { $0.direction == .bToA })
    }

    @Test("Delayed packets are reordered")
    func order() throws {
        let log = try RelayLog("diff/rtsp-udp")
        let places = ComparedCaptures.places(
            try ComparedCaptures.read("diff/rtsp-udp-sender"), try ComparedCaptures.read("diff/rtsp-udp-receiver"))
        #expect(places.paths.reduce(0) { $0 + $1.reordered } == log.overtaken)
    }

    @Test("A clock that is 3 s ahead and drifts by 50 ppm is measured within its uncertainty")
    func clock() throws {
        let places = ComparedCaptures.places(
            try ComparedCaptures.read("diff/rtsp-udp-sender"), try ComparedCaptures.read("diff/rtsp-udp-moved"))
        #expect(places.clock.basis == .bothDirections)
        let uncertainty = try #require(places.clock.uncertainty)
        #expect((places.clock.offset - 3_000_000_000).magnitude <= UInt64(uncertainty))
        let drift = try #require(places.clock.drift)
        #expect((drift.value - 50).magnitude <= drift.uncertainty)
        #expect(places.clock.isDriftKnown)
    }

    @Test("Address translation and a clamped segment size are changes of a middlebox")
    func translation() throws {
        let places = ComparedCaptures.places(
            try ComparedCaptures.read("diff/rtsp-udp-sender"), try ComparedCaptures.read("diff/rtsp-udp-moved"))
        let kinds = Set(places.flows.flatMap { $0.changes.flatMap { $0.map(\.kind) } })
        #expect(kinds == [.source, .destination, .hopLimit, .maximumSegmentSize])
    }
}
