import CaptureTesting
import Foundation
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
@testable import WeirProtocols

/// Only unrepaired loss is reported: repaired numbers are not in its location or its bursts, and repair packets are not
/// media.
@Suite("Repaired loss") struct RepairTests {
    /// The relay's action for one packet, from its log (`Captures/README.md`).
    private struct Line: Decodable {
        var action: String
        var ssrc: String?
        var payloadType: Int?
        var sequence: Int?
        var destinationPort: Int?
        var original: Int?
    }

    private static func log(_ name: String) throws -> [Line] {
        let path = RecordedCaptures.path("Captures/\(name).truth.jsonl")
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    private static func frames(_ name: String) throws -> [KeptFrame] {
        try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
    }

    private static func analyzed(_ frames: [KeptFrame], port: UInt16 = 0, _ meanings: [(UInt8, String)] = [])
        -> AnalysisResult
    {
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        var options = AnalyzerOptions()
        options.verifiesChecksums = false
        if !meanings.isEmpty {
            options.decodeAs = [
                AnalyzerOptions.DecodeAs(
                    transport: .udp, port: port, protocolName: "rtp",
                    meanings: meanings.map { AnalyzerOptions.DecodeAs.Meaning(number: $0.0, text: $0.1) })
            ]
        }
        let analyzer = Analyzer(
            options: options, sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }

    private static func corrected(_ frames: [KeptFrame]) -> AnalysisResult {
        analyzed(frames, port: 5_090, [(96, "H264/90000"), (122, "ulpfec/90000")])
    }

    /// Returns sequence number and SSRC of an RTP packet.
    private static func packet(_ frame: KeptFrame) -> (sequence: Int, ssrc: [UInt8])? {
        guard let datagram = frame.datagram, datagram.count > 12, datagram[datagram.startIndex] >> 6 == 2 else {
            return nil
        }
        let first = datagram.startIndex
        return (Int(datagram[first + 2]) << 8 | Int(datagram[first + 3]), Array(datagram[(first + 8)..<(first + 12)]))
    }

    private static func losses(_ result: AnalysisResult) -> [Finding] {
        result.findings.filter { $0.rule == "RTP-SEQ-LOSS" && $0.verdict == .fail }
    }

    @Test("missing FEC packets are no media loss")
    func correction() throws {
        let log = try Self.log("rtp/rtp-ulpfec").filter { $0.action == "dropped" }
        let result = Self.corrected(try Self.frames("rtp/rtp-ulpfec"))
        let stream = try #require(result.streams.first?.media)
        let first = Int(stream.sequence.firstSequence)
        let dropped = log.filter { (($0.sequence ?? 0) - first) & 0xFFFF < stream.sequence.expected }
        #expect(stream.lost == dropped.count && stream.recovered == dropped.count { $0.payloadType == 96 })
        #expect(stream.undecided == dropped.count { $0.payloadType == 122 } && stream.unrecovered == 0)
        #expect(stream.integrity.isClean && Self.losses(result).isEmpty)
    }

    @Test("media that FEC cannot repair is lost, and reported where it is")
    func uncorrected() throws {
        let missing = [15_649, 15_650, 15_651]
        let frames = try Self.frames("rtp/rtp-ulpfec")
        let rest = frames.filter { frame in Self.packet(frame).map { !missing.contains($0.sequence) } ?? true }.numbered
        #expect(rest.count == frames.count - 3)
        let result = Self.corrected(rest)
        let stream = try #require(result.streams.first?.media)
        #expect(stream.unrecovered == 3 && stream.integrity.damaged == 1)
        let behind = try #require(rest.first { Self.packet($0)?.sequence == 15_652 })
        #expect(Self.losses(result).map(\.frame) == [behind.info.number])
        #expect(stream.repairs.lost.longest == 3)
    }

    @Test("retransmitted packets are neither the location of the loss nor part of its longest burst")
    func resent() throws {
        let log = try Self.log("rtsp/rtsp-rtx")
        let frames = try Self.frames("rtsp/rtsp-rtx")
        let result = Self.analyzed(frames)
        let stream = try #require(result.streams.compactMap(\.media).first { !$0.isRepair })
        let resent = Set(log.filter { $0.action == "resent" }.compactMap(\.original))
        let first = Int(stream.sequence.firstSequence)
        let lost = log.filter { $0.action == "dropped" && $0.ssrc == hexadecimal(stream.ssrc) }.compactMap(\.sequence)
            .filter { !resent.contains($0) && ($0 - first) & 0xFFFF < stream.sequence.expected }
        let earliest = try #require(lost.min { ($0 - first) & 0xFFFF < ($1 - first) & 0xFFFF })
        let source = Self.octets(stream.ssrc)
        let behind = frames.first { frame in
            guard let packet = Self.packet(frame), packet.ssrc == source else { return false }
            return (1..<64).contains((packet.sequence - earliest) & 0xFFFF)
        }
        #expect(Self.losses(result).map(\.frame) == [behind?.info.number])
        #expect(stream.repairs.lost.longest == 1 && stream.unrecovered == lost.count)
    }

    private static func octets(_ number: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    @Test("one RIST retransmission is enough to know what it repairs", arguments: [true, false])
    func single(isAlone: Bool) throws {
        let frames = try Self.frames("rtp/rtp-rist")
        let again: [UInt8] = [0xA2, 0x33, 0xC6, 0xCB]
        let rest = frames.filter { frame in
            guard isAlone, let packet = Self.packet(frame), packet.ssrc == again else { return true }
            return packet.sequence == 10_816
        }.numbered
        let result = Self.analyzed(rest)
        let gaps = result.events.compactMap { $0.message as? RTPGap }
        let gap = try #require(gaps.first { $0.firstSequence == 10_816 })
        #expect(gap.count == 1 && gap.recovered == 1)
        let stream = try #require(result.streams.compactMap(\.media).first { $0.ssrc == 0xA233_C6CA })
        #expect(stream.recovered == (isAlone ? 1 : 3))
        // The first unrepaired gap, not the first of all.
        let open = gaps.first { $0.recovered < $0.count }
        let hole = result.events.first { ($0.message as? RTPGap) == open }
        #expect(Self.losses(result).map(\.frame) == [hole?.frame])
    }

    @Test("librist's range NACKs are answered, and recover what the receiver says")
    func rist() throws {
        let log = try Self.log("rtp/rtp-rist-librist")
        let result = Self.analyzed(try Self.frames("rtp/rtp-rist-librist"))
        let stream = try #require(result.streams.compactMap(\.media).first { !$0.isRepair })
        let dropped = log.filter { $0.action == "dropped" && $0.ssrc == hexadecimal(stream.ssrc) }
        #expect(stream.lost == dropped.count && stream.unrecovered == 0 && Self.losses(result).isEmpty)
        // "recovered" of the receiver's statistics.
        let path = RecordedCaptures.path("Captures/rtp/rtp-rist-librist.receiver.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"recovered\":\(stream.recovered),") && text.contains("\"lost\":0"))
        #expect(stream.reports.requestedAgain >= dropped.count && stream.reports.requests.answeredPackets > 0)
        #expect(stream.reports.roundTrips > 0 && stream.reports.rangeRequests > 0)
        let summary = result.streams.map(\.details.summary).joined(separator: "; ")
        #expect(summary.contains(#/12 recovered  \d+ RIST NACKs  answered after \d+\.\d ms/#), "\(summary)")
        let asked = result.events.compactMap { ($0.message as? ApplicationDefined)?.rist }
        #expect(asked.contains { if case .rangeNACK = $0 { true } else { false } })
    }

    @Test("rows and columns of ffmpeg's error correction recover what was dropped (SMPTE 2022-1)")
    func rowsAndColumns() throws {
        let log = try Self.log("rtp/rtp-prompeg").filter { $0.action == "dropped" }
        let result = Self.analyzed(try Self.frames("rtp/rtp-prompeg"))
        let stream = try #require(result.streams.compactMap(\.media).first { !$0.isRepair })
        let media = log.filter { $0.destinationPort == 5_080 }
        #expect(media.count > 2 && stream.lost == media.count)
        #expect(stream.recovered == media.count && stream.unrecovered == 0 && Self.losses(result).isEmpty)
        #expect(
            result.streams.compactMap(\.media).filter(\.isRepair).map(\.mainFormat?.encoding) == [
                "parityfec", "parityfec",
            ])
    }

    @Test("packets of a duplicate stream are not part of an unrepaired burst")
    func twins() throws {
        let frames = try Self.frames("rtp/rtp-twins")
        // Both lose four packets; one also loses the adjacent ones.
        let rest = frames.filter { frame in
            guard let packet = Self.packet(frame), let ports = frame.portNumbers else { return true }
            return !(ports.destination == 5_100 ? 2_313...2_316 : 2_312...2_317).contains(packet.sequence)
        }.numbered
        let result = Self.analyzed(rest)
        #expect(result.streams.count == 2)
        for record in result.streams {
            let stream = try #require(record.media)
            #expect(stream.unrecovered == 4 && stream.repairs.lost.longest == 4)
        }
        let holes = result.events.filter { ($0.message as? RTPGap).map { $0.recovered < $0.count } ?? false }
        #expect(Set(Self.losses(result).compactMap(\.frame)) == Set(holes.map(\.frame)))
    }
}
