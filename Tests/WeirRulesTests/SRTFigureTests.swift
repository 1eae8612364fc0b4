import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirKit
import WeirPackets

@testable import WeirProtocols

/// Loss, repair and causes of SRT connections, compared with what the relay and the programs recorded.
@Suite("SRT figures")
struct SRTFigureTests {
    /// What the relay counted: the data packets of the caller, and the sequence numbers of those that it dropped.
    private struct Truth {
        var data = 0
        var retransmissions = 0
        var dropped: [UInt32] = []
        var droppedAgain: [UInt32] = []

        init(_ name: String) throws {
            let text = try String(
                contentsOfFile: RecordedCaptures.path("Captures/srt/\(name).truth.jsonl"), encoding: .utf8)
            for line in text.split(separator: "\n") {
                let value = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                if let number = value["dropped"] as? Int, let isAgain = value["retransmission"] as? Bool {
                    if isAgain { droppedAgain.append(UInt32(number)) } else { dropped.append(UInt32(number)) }
                } else {
                    data = value["data"] as? Int ?? 0
                    retransmissions = value["retransmissions"] as? Int ?? 0
                }
            }
        }
    }

    /// Returns the sum of a column of a program's statistics, of which the last packets lack a row.
    private func sum(_ column: String, _ file: String) throws -> Int {
        let text = try String(contentsOfFile: RecordedCaptures.path("Captures/srt/\(file).csv"), encoding: .utf8)
        let rows = text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let index = try #require(rows.first?.firstIndex(of: Substring(column)))
        return rows.dropFirst().compactMap { $0.indices.contains(index) ? Int($0[index]) : nil }.reduce(0, +)
    }

    private func analyzed(_ name: String) throws -> (session: SessionRecord, stream: SRTStream) {
        let result = try Analysis(RecordedCaptures.path("Captures/srt/\(name).pcap")).run()
        let stream = try #require(result.streams.first?.details as? SRTStream)
        return (try #require(result.sessions.first).record, stream)
    }

    @Test("Retransmissions after the latency are too late to play, at the sender and at the receiver")
    func late() throws {
        let truth = try Truth("srt-late-repair")
        let (session, sender) = try analyzed("srt-late-repair")
        #expect(sender.packets == truth.data && sender.recovery.lost == 0)
        #expect(sender.recovery.retransmitted == truth.retransmissions)
        #expect(sender.recovery.late == truth.retransmissions && sender.recovery.skipped == 0)
        // A round trip of 100 ms and the time until the receiver misses the packet.
        #expect(try #require(sender.recovery.delay.milliseconds).mean > 100)
        let cause = try #require(session.causes.first { $0.id == "srt-latency-too-low" })
        #expect(cause.verdict == .proved && !cause.frames.isEmpty)
        let (_, receiver) = try analyzed("srt-late-repair-receiver")
        #expect(receiver.packets == truth.data - truth.dropped.count - truth.droppedAgain.count)
        #expect(receiver.recovery.lost == truth.dropped.count && receiver.recovery.uncaptured == 0)
        // The receiver's own count of dropped packets.
        #expect(receiver.recovery.skipped >= (try sum("pktRcvDrop", "srt-late-repair.receiver")))
        #expect(receiver.recovery.skipped == truth.dropped.count)
        #expect(receiver.recovery.late == truth.retransmissions - truth.droppedAgain.count)
    }

    @Test("Retransmissions within the latency repair the loss")
    func repaired() throws {
        let truth = try Truth("srt-repair")
        let (session, sender) = try analyzed("srt-repair")
        #expect(sender.recovery.retransmitted == truth.retransmissions && sender.recovery.late == 0)
        #expect(sender.recovery.retransmitted >= (try sum("pktRetrans", "srt-repair.truth")))
        #expect(session.causes.isEmpty)
        let (_, receiver) = try analyzed("srt-repair-receiver")
        #expect(receiver.recovery.lost == truth.dropped.count && receiver.recovery.recovered == truth.dropped.count)
        #expect(receiver.unrecovered == 0 && receiver.recovery.skipped == 0 && receiver.recovery.late == 0)
        let fields = receiver.fields(.masked)
        guard case .object(let series)? = fields.first(where: { $0.name == "series" })?.value else {
            Issue.record("no series")
            return
        }
        func total(_ name: String) -> Int {
            guard case .array(let values)? = series.first(where: { $0.name == name })?.value else { return -1 }
            return values.reduce(0) { sum, value in if case .integer(let number) = value { sum + number } else { sum } }
        }
        #expect(total("packets") == receiver.packets && total("lost") == truth.dropped.count)
        #expect(total("retransmitted") == receiver.recovery.retransmitted)
    }

    @Test("A peer that stops in the middle, and stream IDs that a server refuses, are causes")
    func causes() throws {
        let (idle, _) = try analyzed("srt-peer-idle")
        let cause = try #require(idle.causes.first)
        #expect(cause.id == "srt-peer-idle" && cause.verdict == .proved && cause.text.key == "cause.srt-server-idle")
        let refused = try Analysis(RecordedCaptures.path("Captures/srt/srt-stream-id-refused.pcap")).run()
        #expect(refused.sessions.map { $0.record.causes.map(\.id) } == [["srt-stream-id"], ["srt-stream-id"]])
        #expect(
            refused.sessions.compactMap { $0.record.causes.first?.text.key } == [
                "cause.srt-stream-id", "cause.srt-stream-id-syntax",
            ])
        #expect(refused.sessions[0].outcome.contains { $0.contains("not found") })
        #expect(refused.sessions[1].outcome.contains { $0.contains("bad request") })
        #expect(refused.findings.contains { $0.rule == "SRT-STREAMID" && $0.verdict == .fail })
    }

    /// The context of a packet of the client.
    private func place(_ frame: Int, milliseconds: Int64) throws -> EventContext {
        let (_, stream) = try analyzed("srt-live")
        var place = stream.last
        (place.frame, place.time) = (frame, Timestamp(nanoseconds: milliseconds * 1_000_000))
        return place
    }

    @Test("Packets that are acknowledged without a report, or in time, are missing from the capture only")
    func uncaptured() throws {
        var recovery = SRTRecovery(SRTLimits())
        let start = Timestamp(nanoseconds: 0)
        recovery.skip(4, before: 10, at: start)
        recovery.report([(7, 8)], at: start)
        // Number 6 was not reported, 7 acknowledged after 50 of 120 ms, and 8 when it was too late.
        recovery.acknowledge(before: 7, latency: 120, at: try place(5, milliseconds: 10))
        #expect(recovery.uncaptured == 1 && recovery.skipped == 0)
        recovery.acknowledge(before: 8, latency: 120, at: try place(6, milliseconds: 50))
        #expect(recovery.uncaptured == 2 && recovery.skipped == 0)
        recovery.acknowledge(before: 9, latency: 120, at: try place(7, milliseconds: 121))
        #expect(recovery.uncaptured == 2 && recovery.skipped == 1 && recovery.firstSkipped == 7)
        #expect(recovery.unrecovered(at: start, grace: 0) == 2)
        // What arrives after that was skipped all the same.
        recovery.arrive(8, isRetransmitted: true, at: start)
        #expect(recovery.recovered == 0)
    }

    @Test("A repeated retransmission is no second one that is too late")
    func repeated() throws {
        var recovery = SRTRecovery(SRTLimits())
        let place = try place(5, milliseconds: 500)
        recovery.retransmit(7, delay: 100_000_000, latency: 120, at: place)
        recovery.retransmit(7, delay: 200_000_000, latency: 120, at: place)
        recovery.retransmit(8, delay: 200_000_000, latency: 120, at: place)
        recovery.retransmit(8, delay: 300_000_000, latency: 120, at: place)
        recovery.retransmit(9, delay: 300_000_000, latency: nil, at: place)
        #expect(recovery.retransmitted == 5 && recovery.late == 1)
    }

    @Test("Drop requests count each packet once, over the end of the numbers")
    func dropped() {
        var recovery = SRTRecovery(SRTLimits())
        for _ in 0..<3 { recovery.drop(first: 0x7FFF_FFFF, last: 1) }
        recovery.drop(first: 5, last: 5)
        #expect(recovery.dropRequests == 4 && recovery.dropped == 4)
    }

    @Test("The sender's clock wraps after 71 minutes, and drifts")
    func clock() {
        var clock = SRTSenderClock(0xFFFF_FF00, at: Timestamp(nanoseconds: 1_000_000))
        let first = clock.sent(0xFFFF_FF00, isRetransmitted: false, at: Timestamp(nanoseconds: 1_000_000))
        #expect(first.nanoseconds == 1_000_000)
        // 512 µs later by the timestamp, delayed by 100 µs.
        let second = clock.sent(0x0000_0100, isRetransmitted: false, at: Timestamp(nanoseconds: 1_612_000))
        #expect(second.nanoseconds == 1_512_000)
        // A retransmission of the first packet.
        let again = clock.sent(0xFFFF_FF00, isRetransmitted: true, at: Timestamp(nanoseconds: 9_000_000))
        #expect(again.nanoseconds == 1_000_000)
    }
}
