import CaptureTesting
import Testing
import WeirEngine
import WeirProtocols

/// Causes of RTMP failures: only what packets show, and nothing if the capture has gaps.
@Suite("Causes of RTMP") struct RTMPCauseTests {
    private static let teardownMark =
        "C 20 0 deleteStream 0 null 1\n"
        + "S 20 1 onStatus 0 null {level=status|code=NetStream.Unpublish.Success|description=End}\nFIN C"
    private static let start = "S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description=Begin}"
    private static let out = ["ruledOut publish-refused"]

    /// Returns the causes of a publisher's session with another ending.
    private func published(_ ending: String, _ edits: [(String, String)] = [], startsLate: Bool = false) throws
        -> [String]
    {
        var script = try #require(RTMPScript.publish.replacing([(Self.teardownMark, ending)] + edits))
        script.startsLate = startsLate
        return script.judged().causes
    }

    /// Returns the causes of a publisher's session that ends in the middle of a line.
    private func cut(at line: String, _ ending: String) throws -> [String] {
        let text = RTMPScript.publish.text
        let place = try #require(text.firstRange(of: line))
        return RTMPScript(String(text[..<place.lowerBound]) + ending).judged().causes
    }

    @Test("a successful session has none")
    func healthy() throws {
        #expect(RTMPScript.publish.judged().causes == [])
        #expect(RTMPScript.play.judged().causes == [])
        #expect(try published("FIN S") == [])
        #expect(try published("FIN C") == [])
    }

    @Test("a status that refuses")
    func refusals() throws {
        let taken = "S 20 1 onStatus 0 null {level=error|code=NetStream.Publish.BadName|description=Taken}\nFIN C"
        #expect(try cut(at: Self.start, taken) == ["proved publish-refused"])
        let rejected = "S 20 0 _error 1 null {level=error|code=NetConnection.Connect.Rejected|description=No}\nFIN S"
        #expect(try cut(at: "S 20 0 _result 1", rejected) == ["proved connect-refused"])
    }

    @Test("a server that closes right after a step")
    func closedAfter() throws {
        let media = "C csid=6 ts=16777300"
        #expect(try cut(at: media, "FIN S") == ["likely closed-after-publish-start"] + Self.out)
        #expect(try cut(at: media, "RST S") == ["likely closed-after-publish-start"] + Self.out)
        #expect(try cut(at: media, "+5\nFIN S") == [])
        #expect(try cut(at: media, "FIN C") == [])
        #expect(try cut(at: media, "") == [])
        #expect(try cut(at: Self.start, "FIN S") == ["likely closed-after-publish"])
        #expect(try cut(at: "# behind connect", "FIN S") == ["likely closed-after-connect"])
    }

    @Test("chunks of the size that the peer announced")
    func chunkSize() throws {
        let long = "C csid=4 chunk=4096 ts=60 9 1 2701000000x595\nC csid=4 ts=80 9 1 2701000000AABB\n"
        #expect(try published(long + "FIN S") == ["proved chunk-size-of-peer"] + Self.out)
        let alone = ("S 1 0 00001000\n", "")
        #expect(try published(long + "FIN S", [alone]) == ["proved chunk-size-not-announced"] + Self.out)
        #expect(try published(long + Self.teardownMark) == [])
        #expect(try published("C 1 0 00001000\n" + long + "FIN S") == [])
    }

    @Test("features that the peer may not support, right before it left")
    func near() throws {
        let high = "C csid=64 ts=60 9 1 2701000000AABB\n"
        #expect(try published(high + "FIN S") == ["likely chunk-stream-number"] + Self.out)
        let before = "C csid=40 ts=50 9 1 2701000000AABB\n+3\n" + high
        for (script, accepted) in [(high, 31), (before, 63)] {
            let edited = try #require(RTMPScript.publish.replacing([(Self.teardownMark, script + "FIN S")]))
            let text = edited.judged().sessions.first?.causes.first?.text
            #expect(text?.arguments.suffix(2) == [.integer(64), .integer(accepted)])
        }
        #expect(try published(high + "+5\nFIN S") == [])
        #expect(try published(high + "FIN C") == [])
        #expect(try published(high + "FIN S", startsLate: true) == [])
        #expect(try published("C csid=31 ts=60 9 1 2701000000AABB\nFIN S") == [])
        let short = "C csid=7 cut=128 9 1 2701000000x295\nC csid=7 ts=9 9 1 2701000000\n"
        #expect(try published(short + "FIN S") == ["likely message-unfinished"] + Self.out)
        let misplaced = "C raw C9\nC csid=4 ts=60 9 1 2701000000AABB\n"
        #expect(try published(misplaced + "FIN S") == ["likely chunk-framing-lost"] + Self.out)
        #expect(try published(misplaced + Self.teardownMark) == [])
        let wrapped = "C csid=7 ts=16777200 9 1 2701000000\nC csid=7 ts=10 9 1 2701000000\n"
        let soon = [("+2\n", "+1\n")]
        #expect(try published(wrapped + "RST S", soon) == ["likely timestamp-24-bit"] + Self.out)
        let omitted = "C csid=7 omit ts=16777300 9 1 2701000000x295\n"
        let left = try published(omitted + "RST S", soon)
        #expect(left == ["likely extended-timestamp"] + Self.out)
    }

    @Test("unanswered pings, and missing acknowledgements")
    func missing() throws {
        let pings = "S 4 0 000600002234\n+2\nS 4 0 000600003234\n+2\n"
        let answer = ("C 4 0 000700001234\n", "")
        #expect(try published(pings + "FIN S", [answer]) == ["likely pings-unanswered"] + Self.out)
        #expect(try published(pings + "FIN C", [answer]) == [])
        #expect(try published(pings + "FIN S") == [])
        let waiting = try #require(
            RTMPScript.play.replacing([
                ("C ack\n", ""), ("C ack\n", ""), ("C 20 0 deleteStream 0 null 1\nFIN C", "+3\nC 4 0 000600001234"),
            ]))
        #expect(waiting.judged().causes == ["likely acknowledgements-missing", "ruledOut play-refused"])
        let end = ("C 20 0 deleteStream 0 null 1\nFIN C", "+3\nFIN S")
        let silent = try #require(RTMPScript.play.replacing([("C ack\n", ""), ("C ack\n", ""), end]))
        #expect(silent.judged().causes == ["likely acknowledgements-missing", "ruledOut play-refused"])
        #expect(try #require(RTMPScript.play.replacing([end])).judged().causes == [])
    }

    @Test("timestamps that make players wait")
    func timestamps() throws {
        func frames(_ times: [Int]) -> String {
            times.map { "C csid=7 ts=\($0) 9 1 2701000000AABB\n" }.joined()
        }
        #expect(
            try published(frames([40, 80, 120, 160, 60_000]) + "FIN C") == ["proved timestamp-leap"] + Self.out)
        #expect(try published(frames([40, 80, 120, 160, 200]) + "FIN C") == [])
        let still = frames([40, 80]) + String(repeating: frames([80]) + "+0.6\n", count: 12)
        #expect(try published(still + "FIN C") == ["proved timestamps-still"] + Self.out)
        let video = frames(Array(stride(from: 20_000, to: 21_200, by: 40)))
        #expect(try published(video + "FIN C", [("+2\n", "")]) == ["proved timestamps-apart"] + Self.out)
    }

    @Test("a receive window that stays closed")
    func zeroWindow() throws {
        let ended = "W S 0\n+5\nRST"
        #expect(try published(ended).first == "proved receive-window-closed")
        #expect(try published("W S 0\n+5\nW S 100\n+5\nRST") == [])
        #expect(try published("W S 0\n+0.2\nRST") == [])
        // More media: the window was opened, which is not captured.
        #expect(try published("W S 0\n+5\nC csid=7 ts=60 9 1 2701000000AABB\nRST") == [])
        // Proved causes take precedence over likely ones.
        #expect(
            try published("C csid=64 ts=60 9 1 2701000000AABB\n" + "W S 0\n+1.5\nRST").first
                == "proved receive-window-closed")
        let open = try #require(RTMPScript.publish.replacing([(Self.teardownMark, "W S 0\n+5\nW S 0")])).judged()
        #expect(open.causes == [] && open.sessions.first?.outcome.last?.key == "outcome.zeroWindow.server")
    }
}
