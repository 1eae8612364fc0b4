import CaptureTesting
import Foundation
import Testing
import WeirEngine
@testable import WeirKit
@testable import WeirProtocols

/// Loss figures match the relay's log (`Captures/README.md`).
@Suite("Loss against the relay's own log") struct RelayTruthTests {
    /// The relay's action for one packet.
    private struct Line: Decodable {
        var action: String
        var ssrc: String?
        var destinationPort: Int?
        var payloadType: Int?
        var sequence: Int?
        var overtakenBy: Int?
        /// For a retransmission, the original sequence number.
        var original: Int?
    }

    private static func lines(_ name: String) throws -> [Line] {
        let path = RecordedCaptures.path("Captures/\(name).truth.jsonl")
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    private static func streams(_ name: String) throws -> [StreamRecord] {
        let path = RecordedCaptures.path("Captures/\(name).pcap")
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        try Analysis(path).run(path, into: collector)
        return collector.result.streams
    }

    @Test(
        "dropped, duplicated and delayed packets",
        arguments: ["rtsp/rtsp-loss-udp", "rtsp/rtsp-rtx", "rtp/rtp-ulpfec", "rtp/rtp-rist", "rtp/rtp-twins"])
    func done(_ name: String) throws {
        let log = try Self.lines(name)
        let streams = try Self.streams(name)
        #expect(!streams.isEmpty && log.contains { $0.action == "dropped" })
        for record in streams {
            let stream = try #require(record.media)
            // Retransmission streams have no losses of their own.
            guard stream.retransmission != .same else { continue }
            let first = Int(stream.sequence.firstSequence)
            let own = log.filter { line in
                guard let sequence = line.sequence, let port = line.destinationPort else { return false }
                return line.ssrc == hexadecimal(stream.ssrc) && port == Int(record.destination.port)
                    && (sequence - first) & 0xFFFF < stream.sequence.expected
            }
            let dropped = Set(own.filter { $0.action == "dropped" }.compactMap(\.sequence))
            #expect(stream.lost == dropped.count, "\(hexadecimal(stream.ssrc)): \(dropped.sorted())")
            // Packets received on the twin repair the loss.
            if let twin = streams.first(where: { $0.id != record.id && $0.media?.ssrc == stream.ssrc }) {
                let elsewhere = log.filter {
                    $0.action == "dropped" && $0.destinationPort == Int(twin.destination.port)
                }
                #expect(stream.recovered == dropped.subtracting(elsewhere.compactMap(\.sequence)).count)
            }
            #expect(stream.sequence.duplicates == own.count { $0.action == "doubled" })
            #expect(stream.sequence.reordered == own.count { $0.action == "delayed" && ($0.overtakenBy ?? 0) > 0 })
        }
    }

    @Test("repairs by retransmissions, matched by the original numbers")
    func recovered() throws {
        let log = try Self.lines("rtsp/rtsp-rtx")
        let streams = try Self.streams("rtsp/rtsp-rtx").compactMap(\.media)
        let stream = try #require(streams.first { !$0.isRepair })
        let ssrc = hexadecimal(stream.ssrc)
        let first = Int(stream.sequence.firstSequence)
        let dropped = Set(
            log.filter { $0.action == "dropped" && $0.ssrc == ssrc }.compactMap(\.sequence)
                .filter { ($0 - first) & 0xFFFF < stream.sequence.expected })
        let resent = Set(log.filter { $0.action == "resent" }.compactMap(\.original))
        #expect(!resent.isEmpty && !dropped.isSubset(of: resent))
        #expect(stream.recovered == dropped.intersection(resent).count)
    }
}
