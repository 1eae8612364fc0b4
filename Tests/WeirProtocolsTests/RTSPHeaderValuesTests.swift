import Testing
import WeirEngine
import WeirPackets
@testable import WeirProtocols

/// Values that messages repeat are parsed once, and have the same results.
@Suite struct RTSPHeaderValuesTests {
    @Test func repeatedValuesAreTheSame() {
        let known = RTSPHeaderValues()
        // More than are kept, some of them in between others.
        for turn in 0..<40 {
            let text = "id\(turn % 13);timeout=\(turn % 3)"
            #expect(known.session(text) == SessionHeader(text), "\(turn)")
            let range = "npt=\(turn % 11).5-"
            #expect(known.range(range) == RangeHeader(range), "\(turn)")
        }
        #expect(known.range("nonsense") == nil && known.range("nonsense") == nil)
    }

    /// Texts may be equal although their octets differ: what was sent is kept.
    @Test(arguments: [("e\u{301}", "\u{E9}"), ("K", "\u{212A}")]) func octetsArePreserved(one: String, other: String) {
        #expect(one == other)
        let known = RTSPHeaderValues()
        for text in [one, other, one] { #expect(Array(known.session(text).raw.utf8) == Array(text.utf8)) }
    }

    @Test func methodsOfSeveralHeadersAreJoined() throws {
        func methods(_ lines: String..., known: RTSPHeaderValues) throws -> [String] {
            let text = (["RTSP/1.0 200 OK"] + lines + ["", ""]).joined(separator: "\r\n")
            guard case .complete(let headers) = HeaderBlock.parse(Array(text.utf8).rawSpan, limits: Limits()) else {
                throw DissectionError("incomplete")
            }
            return known.methods(in: headers)
        }
        let known = RTSPHeaderValues()
        for _ in 0..<2 {
            #expect(try methods("Public: OPTIONS, PLAY", known: known) == ["OPTIONS", "PLAY"])
            let several = try methods("Public: OPTIONS", "Public: PLAY, PAUSE", known: known)
            #expect(several == ["OPTIONS", "PLAY", "PAUSE"])
            #expect(try methods("Public: PLAY, PAUSE", known: known) == ["PLAY", "PAUSE"])
        }
    }
}
