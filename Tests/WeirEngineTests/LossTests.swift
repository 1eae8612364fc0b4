import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// Gaps are reported and affect only the messages that they overlap.
@Suite("Gaps, late starts and early ends") struct LossTests {
    /// Captures of interleaved media without loss, on one connection.
    static let interleaved = ["rtsp-tcp-interleaved", "rtsp-record-tcp", "rtsp-pause-seek-tcp", "rtsp-ipv6-tcp"]

    /// A message in a stream, found by simple means: `$` frames, and text up to an empty line plus the body given by
    /// Content-Length.
    struct Message {
        var range: Range<Int>
        var isText: Bool

        static func split(_ stream: [UInt8]) -> [Message] {
            var messages: [Message] = []
            var start = 0
            while start < stream.count {
                if stream[start] == UInt8(ascii: "$"), start + 4 <= stream.count {
                    let length = 4 + Int(stream[start + 2]) << 8 + Int(stream[start + 3])
                    guard start + length <= stream.count else { break }
                    messages.append(Message(range: start..<start + length, isText: false))
                    start += length
                } else {
                    guard let head = stream[start...].firstRange(of: Array("\r\n\r\n".utf8)) else { break }
                    var end = head.upperBound
                    let lines = String(decoding: stream[start..<head.lowerBound], as: UTF8.self).lowercased()
                        .split(whereSeparator: \.isNewline)
                    if let field = lines.first(where: { $0.hasPrefix("content-length:") }) {
                        end += Int(field.dropFirst(15).filter { !$0.isWhitespace }) ?? 0
                    }
                    guard end <= stream.count else { break }
                    messages.append(Message(range: start..<end, isText: true))
                    start = end
                }
            }
            return messages
        }
    }

    /// A conversation with one message per turn, so that frame numbers of the plain replay identify messages.
    private struct Dialogue {
        var conversation: Conversation
        /// Messages by direction.
        var messages: [Direction: [Message]] = [:]
        /// Lines about messages in the plain timeline, by direction, with the message of each.
        var lines: [Direction: [(message: Int, line: AnalyzedTimeline.Line)]] = [:]

        init(_ name: String, octets: Int) throws {
            conversation = try SegmentationTests.conversation(name).prefix(octets)
            for direction in [Direction.clientToServer, .serverToClient] {
                messages[direction] = Message.split(conversation.stream(0, direction))
            }
            // Each turn is cut at the ends of messages, so that a frame completes at most one message.
            var ends: [Direction: Set<Int>] = [:]
            for (direction, list) in messages { ends[direction] = Set(list.map(\.range.upperBound)) }
            var position: [Direction: Int] = [:]
            var completed: [Int: (Direction, Int)] = [:]
            var turn = 0
            var frame = 3
            let turns = conversation.turns
            let replay = Replay(conversation) { count, _ in
                let direction = turns[turn].direction
                let base = position[direction] ?? 0
                turn += 1
                position[direction] = base + count
                var pieces: [Replay.Piece] = []
                var start = 0
                for end in 1...count where end == count || ends[direction]?.contains(base + end) == true {
                    pieces.append(Replay.Piece(start..<end))
                    start = end
                    frame += 1
                    completed[frame] = (direction, base + end)
                }
                frame += 1
                return pieces
            }
            let timeline = AnalyzedTimeline.emit(replay.frames, options: LossTests.options)
            for (line, place) in zip(timeline.lines, timeline.places) where LossTests.isMessage(line) {
                let (direction, end) = try #require(completed[place.frames.upperBound])
                let index = try #require(messages[direction]?.firstIndex { $0.range.upperBound == end })
                lines[direction, default: []].append((index, line))
            }
        }
    }

    private static var options: AnalyzerOptions {
        var options = AnalyzerOptions()
        options.packets = true
        return options
    }

    /// Whether a line is about a single message, not a conclusion from several.
    private static func isMessage(_ line: AnalyzedTimeline.Line) -> Bool {
        switch line.protocolName {
        case "rtsp", "sdp", "rtcp": line.kind != "remark"
        case "rtp": line.kind == "packet"
        default: false
        }
    }

    @Test("a missing segment causes one gap, and every other message is reported", arguments: interleaved)
    func gap(capture: String) throws {
        let dialogue = try Dialogue(capture, octets: 90_000)
        let turns = dialogue.conversation.turns
        for seed in 0..<25 {
            var random = SeededGenerator(UInt64(seed))
            // The largest turns contain media; the first ones the dialogue.
            let least = seed.isMultiple(of: 5) ? 0 : 1_500
            let candidates = turns.indices.filter { turns[$0].octets.count > least }
            let chosen = try #require(candidates.randomElement(using: &random))
            var turn = -1
            let replay = Replay(dialogue.conversation, seed: UInt64(seed), acknowledges: 1) { count, random in
                turn += 1
                var pieces = Replay.Piece.random(count, upTo: 1_460, &random)
                if turn == chosen {
                    pieces[Int.random(in: 0..<pieces.count, using: &random)].isMissing = true
                }
                return pieces
            }
            let lost = try #require(replay.missing.first)
            try expect(dialogue, AnalyzedTimeline.analyzedBothWays(replay.frames), without: lost.range, lost.direction)
        }
    }

    private func expect(
        _ dialogue: Dialogue, _ timeline: AnalyzedTimeline, without lost: Range<Int>, _ direction: Direction
    ) throws {
        let place: Comment = "octets \(lost) \(direction)"
        let gaps = timeline.lines.filter { $0.protocolName == "tcp" && $0.kind == "gap" }
        #expect(gaps.count == 1, place)
        #expect(gaps.first?.fields == [Field("missingBytes", .integer(lost.count))], place)
        let messages = try #require(dialogue.messages[direction])
        let hit = Set(messages.indices.filter { messages[$0].range.overlaps(lost) })
        // Without part of the dialogue the channels' content is unknown: only the text is compared.
        let isDialogueHit = hit.contains { messages[$0].isText }
        let ends = dialogue.conversation.connections[0]
        for side in [Direction.clientToServer, .serverToClient] {
            let source = side == .clientToServer ? ends.client : ends.server
            let reported = timeline.lines.filter {
                Self.isMessage($0) && $0.source == source && (!isDialogueHit || $0.protocolName == "rtsp")
            }
            let expected = (dialogue.lines[side] ?? [])
                .filter { !(side == direction && hit.contains($0.message)) }
                .filter { !isDialogueHit || $0.line.protocolName == "rtsp" }
                .map(\.line)
            // Remains of damaged messages may be reported; the first message after the gap reports that octets were
            // skipped.
            var rest = expected[...]
            for var line in reported {
                line.remarks.removeAll { $0 == "rtsp.remark.skipped" }
                if line == rest.first { rest.removeFirst() }
            }
            if let first = rest.first { Issue.record("\(place): not told: \(first)") }
            let mayBeReported = (dialogue.lines[side] ?? []).count { side == direction && hit.contains($0.message) }
            #expect(reported.count <= expected.count + mayBeReported, place)
        }
    }

    @Test("a capture that starts late still reports the following media", arguments: interleaved)
    func lateStart(capture: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path("Captures/rtsp/\(capture).pcap"))
        let whole = AnalyzedTimeline.emit(frames, options: Self.options)
        let starts = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, frames.count / 2, frames.count - 20, frames.count - 1]
        for start in starts where frames.indices.contains(start) {
            let timeline = AnalyzedTimeline.analyzedBothWays(Array(frames[start...]))
            #expect(timeline.summary?.packets == frames.count - start)
            let all = zip(whole.lines, whole.places).count {
                $0.protocolName == "rtp" && $0.kind == "packet" && $1.frames.lowerBound > start
            }
            let found = timeline.lines.count { $0.protocolName == "rtp" && $0.kind == "packet" }
            // One packet per direction and connection is lost because only its end is captured, and a few until the
            // chain of frames is confirmed.
            #expect(found >= all - 4 && found <= all + 1, "from frame \(start + 1): \(found) of \(all)")
        }
    }

    @Test(
        "events do not depend on later packets",
        arguments: RecordedCaptures.all.filter { $0.hasPrefix("Captures/rtsp/") && $0.hasSuffix(".pcap") })
    func prefixes(capture: String) throws {
        let frames = try KeptFrame.read(RecordedCaptures.path(capture))
        let whole = AnalyzedTimeline()
        let analyzer = Analyzer(sink: whole)
        analyzer.begin(CaptureRecord(file: "memory", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        var reported: [Int] = [0]
        for frame in frames {
            frame.use { analyzer.process($0) }
            reported.append(whole.lines.count)
        }
        analyzer.finish()
        var random = SeededGenerator(UInt64(frames.count))
        var lengths = Array(0..<min(40, frames.count))
        for _ in 0..<12 { lengths.append(Int.random(in: 0...frames.count, using: &random)) }
        for length in lengths {
            let timeline = AnalyzedTimeline.emit(frames.prefix(length))
            #expect(timeline.lines.starts(with: whole.lines.prefix(reported[length])), "\(length) frames")
            #expect(timeline.summary?.packets == length)
        }
    }
}
