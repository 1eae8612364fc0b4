import CaptureTesting
import Foundation
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols

/// Sessions of RIST, compared with the relay's log and the receiver's statistics (`Captures/README.md`).
@Suite("RIST sessions") struct RISTTests {
    /// The relay's action for one packet.
    private struct Line: Decodable {
        var action: String
        var ssrc: String?
        var sequence: Int?
        var destinationPort: Int?
    }

    /// Returns the dropped media packets, without retransmissions, whose SSRC is odd.
    private static func dropped(_ name: String) throws -> [Line] {
        let path = RecordedCaptures.path("Captures/rtp/\(name).truth.jsonl")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return lines.filter { line in
            guard line.action == "dropped", let digit = line.ssrc?.last?.hexDigitValue else { return false }
            return digit & 1 == 0
        }
    }

    private static func frames(_ name: String) throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/rtp/\(name).pcap"))
    }

    private static func analyzed(_ frames: [KeptFrame]) -> AnalysisResult {
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }

    private static func integer(_ session: AnalysisResult.SessionResult, _ name: String) -> Int? {
        session.fields.first { $0.name == name }.flatMap {
            if case .integer(let value) = $0.value { value } else { nil }
        }
    }

    private static func number(_ session: AnalysisResult.SessionResult, _ name: String) -> Double? {
        session.fields.first { $0.name == name }.flatMap {
            if case .double(let value) = $0.value { value } else { nil }
        }
    }

    private static func keys(_ session: AnalysisResult.SessionResult) -> Set<String> {
        Set(session.record.outcome.map(\.key))
    }

    /// Whether a frame is from the sender, 10.77.0.2.
    private static func isFromSender(_ frame: KeptFrame) -> Bool { frame.octets.count > 29 && frame.octets[29] == 2 }

    @Test("has the flows of media and RTCP, and the counts of relay and receiver", arguments: [0, 4, 120])
    func counts(skipped: Int) throws {
        let result = Self.analyzed(Array(try Self.frames("rtp-rist-librist").dropFirst(skipped)).numbered)
        let session = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && session.record.kind == "rist" && session.record.flows.count == 2)
        #expect(session.record.streams.count == 2 && result.streams.allSatisfy { $0.session == session.record.id })
        #expect("\(session.record.reference.client)".hasPrefix("10.77.0.2:"))
        let dropped = try Self.dropped("rtp-rist-librist").count
        #expect(Self.integer(session, "lostPackets") == dropped && Self.integer(session, "unrecoveredPackets") == 0)
        #expect((Self.number(session, "roundTripMs") ?? 0) > 0 && (Self.number(session, "nackAnswerMs") ?? 0) > 0)
        #expect(
            Self.keys(session).isSuperset(of: ["outcome.rist.media", "outcome.rist.lost", "outcome.rist.recovered"]))
        #expect(session.record.causes.isEmpty)
    }

    @Test("is found by a retransmission that a NACK requested, without messages of RIST")
    func retransmission() throws {
        let result = Self.analyzed(try Self.frames("rtp-rist"))
        let session = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && session.record.flows.count == 2 && session.record.streams.count == 2)
        let dropped = try Self.dropped("rtp-rist").count
        #expect(Self.integer(session, "lostPackets") == dropped)
        #expect(Self.integer(session, "retransmittedPackets") == 3)
        #expect(Self.integer(session, "unrecoveredPackets") == dropped - 3)
        #expect(Self.keys(session).contains("outcome.rist.unrecovered"))
    }

    @Test("has all paths, and counts what arrived on one of them only")
    func bonding() throws {
        let result = Self.analyzed(try Self.frames("rtp-rist-bonding"))
        let session = try #require(result.sessions.first)
        #expect(result.sessions.count == 1 && session.record.flows.count == 4 && Self.integer(session, "paths") == 2)
        // What a path loses behind its last packet does not show.
        let dropped = try Self.dropped("rtp-rist-bonding").filter { line in
            let stream = result.streams.first {
                Int($0.destination.port) == line.destinationPort && $0.media?.isRepair == false
            }
            return line.sequence ?? 0 < stream?.media.map { Int($0.sequence.lastSequence) } ?? 0
        }
        let onAll = Dictionary(grouping: dropped) { $0.sequence ?? 0 }.values.filter { $0.count > 1 }.count
        #expect(Self.integer(session, "lostPackets") == dropped.count)
        #expect(Self.integer(session, "lostOnOnePath") == dropped.count - 2 * onAll)
        #expect(Self.integer(session, "unrecoveredPackets") == 0 && session.record.causes.isEmpty)
    }

    @Test("does not share its packets among paths of which one was captured in part only", arguments: [0.6, 0.8, 0.9])
    func partOfPath(_ part: Double) throws {
        let frames = try Self.frames("rtp-rist-bonding")
        let first = Int(Double(frames.count) * part)
        let less = frames.enumerated().filter { index, frame in
            // Ethernet and IPv4 without options: the destination port is in the octets 36 and 37; 5108 is 0x13F4.
            index >= first || Array(frame.octets[36..<38]) != [0x13, 0xF4]
        }
        let session = try #require(Self.analyzed(less.map(\.element).numbered).sessions.first)
        #expect(!Self.keys(session).contains("outcome.rist.shared"))
    }

    @Test("tells that nothing is retransmitted")
    func unserved() throws {
        let frames = try Self.frames("rtp-rist-librist").filter { frame in
            guard let datagram = frame.datagram, datagram.count > 12 else { return true }
            let octets = Array(datagram)
            return octets[1] & 0x7F != 33 || octets[11] & 1 == 0
        }
        let session = try #require(Self.analyzed(frames.numbered).sessions.first)
        #expect(session.record.causes.map(\.id) == ["rist-no-retransmission"])
        #expect((Self.integer(session, "unrecoveredPackets") ?? 0) > 0)
    }

    /// One direction alone proves nothing about the other.
    @Test("tells what the capture does not contain, and no cause, if only the sender was captured")
    func silent() throws {
        let sent = try Self.frames("rtp-rist-librist").filter(Self.isFromSender)
        let answering = try #require(Self.analyzed(sent.numbered).sessions.first)
        #expect(answering.record.causes.isEmpty)
        let marker = Array("RIST".utf8)
        let unanswered = sent.filter { frame in
            let octets = frame.octets
            return !octets.indices.dropLast(11).contains { place in
                octets[place] == 0x83 && octets[place + 1] == 204 && Array(octets[(place + 8)..<(place + 12)]) == marker
            } && (frame.datagram.map { Array($0)[11] & 1 == 0 } ?? true || frame.portNumbers?.destination != 5_096)
        }
        let silent = try #require(Self.analyzed(unanswered.numbered).sessions.first)
        #expect(silent.record.causes.isEmpty)
        #expect(Self.keys(silent).contains("outcome.rist.noReceiver"))
    }
}
