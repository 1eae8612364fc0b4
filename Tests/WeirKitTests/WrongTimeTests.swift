import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirKit

@Suite("Frames with a wrong time")
struct WrongTimeTests {
    /// Seconds added to the time of some frames.
    enum Fault: CaseIterable {
        case oneIn50HoursBack
        case oneHoursAhead
        case tenInARowBack

        func shift(_ frame: Int, of count: Int) -> Int64 {
            switch self {
            case .oneIn50HoursBack: frame % 50 == 26 && frame < count ? -3_600 : 0
            case .oneHoursAhead: frame == count / 2 ? 18_000 : 0
            case .tenInARowBack: count / 2..<count / 2 + 10 ~= frame ? -3_600 : 0
            }
        }
    }

    @Test(
        "are the capture's fault: sessions, streams and findings are unchanged",
        arguments: [
            "rtsp/rtsp-udp", "rtsp/rtsp-to-the-end", "rtsp/rtsp-srtp-sdes", "rtsp/rtsp-record-udp", "rtmp/rtmp-publish",
            "webrtc/janus-echo",
        ], Fault.allCases)
    func stays(_ name: String, _ fault: Fault) throws {
        let path = RecordedCaptures.path("Captures/\(name).pcap")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString).pcap")
        defer { try? FileManager.default.removeItem(at: file) }
        let count = try Analysis(path).run().summaries[0].packets
        try Self.shifted(try Data(contentsOf: URL(fileURLWithPath: path))) { fault.shift($0, of: count) }.write(
            to: file)
        let (whole, part) = (try Analysis(path).run(), try Analysis(file.path).run())
        let wrong = (1...count).count { fault.shift($0, of: count) != 0 }
        #expect(part.summaries[0].wrongTimes == wrong)
        #expect(part.sessions.map(\.record.kind) == whole.sessions.map(\.record.kind))
        #expect(part.streams.map(\.details.summary.count).count == whole.streams.count)
        let known = Set(whole.findings.map(\.rule))
        #expect(part.findings.filter { !known.contains($0.rule) && $0.severity != .note }.map(\.rule) == [])
        let seconds = part.summaries[0].endTime?.seconds(since: try #require(part.summaries[0].startTime)) ?? 0
        #expect(seconds < 60)
    }

    /// Verdicts about a stream with such frames that depend on times are undecided.
    @Test("substituted times are never evidence", arguments: ["rtp/rtp-mpegts", "rtp/rtp-static"])
    func standsIn(_ name: String) throws {
        let path = RecordedCaptures.path("Captures/\(name).pcap")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString).pcap")
        defer { try? FileManager.default.removeItem(at: file) }
        let whole = try Analysis(path).run()
        let count = whole.summaries[0].packets
        try Self.shifted(try Data(contentsOf: URL(fileURLWithPath: path))) {
            Fault.tenInARowBack.shift($0, of: count)
        }.write(to: file)
        let part = try Analysis(file.path).run()
        #expect(part.summaries[0].wrongTimes == 10)
        let known = Set(whole.findings.filter { $0.verdict == .fail }.map(\.rule))
        #expect(part.findings.filter { $0.verdict == .fail && !known.contains($0.rule) }.map(\.rule) == [])
    }

    /// Returns a capture (pcap, little-endian) with seconds added to the times of frames.
    private static func shifted(_ octets: Data, by seconds: (Int) -> Int64) -> Data {
        var octets = [UInt8](octets)
        var (offset, frame) = (24, 1)
        func value(_ place: Int) -> Int64 { (0..<4).reduce(0) { $0 | Int64(octets[place + $1]) << (8 * $1) } }
        while offset + 16 <= octets.count {
            let shifted = value(offset) + seconds(frame)
            for index in 0..<4 { octets[offset + index] = UInt8(truncatingIfNeeded: shifted >> (8 * index)) }
            offset += 16 + Int(value(offset + 8))
            frame += 1
        }
        return Data(octets)
    }
}
