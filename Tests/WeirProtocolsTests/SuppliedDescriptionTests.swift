import Testing
import WeirEngine
import WeirPackets

@testable import WeirProtocols

/// A session description or its short form on the command line replaces one that is not captured.
@Suite("Descriptions missing from the capture")
struct SuppliedDescriptionTests {
    @Test("a description gives the ports of media and reports, and the payload types")
    func ports() throws {
        let rules = SessionDescription.decodeAs(
            """
            v=0
            o=- 1 1 IN IP4 192.0.2.2
            s=-
            t=0 0
            m=video 5004 RTP/AVP 96
            a=rtpmap:96 H264/90000
            a=fmtp:96 packetization-mode=1
            m=audio 5010 RTP/AVP 0 97
            a=rtpmap:97 opus/48000/2
            a=rtcp:5100
            m=application 5020 udp/other 0
            """)
        #expect(rules.map(\.port) == [5004, 5005, 5010, 5100])
        #expect(rules.allSatisfy { $0.transport == .udp && $0.protocolName == "rtp" })
        let video = MediaFormat(try #require(rules[0].meanings.first))
        #expect(video.mediaType == "video" && video.encoding == "H264" && video.clockRate == 90_000)
        #expect(video.parameters == "packetization-mode=1")
        let audio = MediaFormat(try #require(rules[2].meanings.first { $0.number == 97 }))
        #expect(audio.mediaType == "audio" && audio.encoding == "opus" && audio.clockRate == 48_000)
        #expect(audio.channels == 2 && video.channels == 1)
        #expect(SessionDescription.decodeAs("no description").isEmpty)
    }

    @Test("a description gives the duration of an audio packet")
    func packetTime() throws {
        let rules = SessionDescription.decodeAs("v=0\nm=audio 5004 RTP/AVP 0\na=ptime:30\n")
        guard case .samples(let size) = MediaFormat(try #require(rules[0].meanings.first)).payload else {
            Issue.record("no samples")
            return
        }
        #expect(size.packet == 240)
    }

    @Test(
        "a format in short form", arguments: [("H264/90000", "video"), ("L16/44100/2", "audio"), ("x-data/1000", nil)])
    func short(_ text: String, _ kind: String?) {
        let format = MediaFormat(AnalyzerOptions.DecodeAs.Meaning(number: 96, text: text))
        #expect(format.mediaType == kind)
        #expect(format.clockRate.map { text.contains("/\($0)") } == true)
        #expect(format.channels == (text.hasSuffix("/2") ? 2 : 1))
    }

    @Test("retransmissions refer to the original payload type")
    func retransmissions() {
        let format = MediaFormat(AnalyzerOptions.DecodeAs.Meaning(number: 97, text: "rtx/90000 rtx-time=3000; apt=96"))
        #expect(format.associatedType == 96)
    }
}
