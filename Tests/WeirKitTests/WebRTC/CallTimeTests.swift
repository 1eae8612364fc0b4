import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit
@testable import WeirProtocols

/// Call timings when a frame is missing.
@Suite("Times of calls with a missing frame") struct CallTimeTests {
    private static let times = ["iceTimeMs", "offerToNominatedMs", "setupTimeMs", "timeToFirstMediaMs"]

    @Test(
        "without a signaling message, a check or a response each is unchanged or absent",
        arguments: [
            "webrtc-call", "whip", "signaling-newline", "browser-aiortc", "webrtc-turn-udp", "article-signaling",
        ])
    func lacking(_ name: String) throws {
        let frames = try EditedCalls.frames(name)
        let whole = try #require(EditedCalls.analyzed(frames).calls.first)
        for place in frames.indices.prefix(60) {
            // Of the datagrams only STUN: nothing shows which media packet was the first.
            if let datagram = frames[place].datagram, datagram.first ?? 255 > 3 { continue }
            var less = frames
            less.remove(at: place)
            for call in EditedCalls.analyzed(less).calls {
                for time in Self.times {
                    #expect(call[time] == nil || call[time] == whole[time], "\(time) without frame \(place + 1)")
                }
            }
        }
    }

    @Test(
        "all are reported for the complete call",
        arguments: ["webrtc-call", "whip", "signaling-newline", "browser-aiortc"])
    func whole(_ name: String) throws {
        let (_, call) = try EditedCalls.recordedCall(name)
        #expect(Self.times.allSatisfy { call[$0] != nil })
    }
}
