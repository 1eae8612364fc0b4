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
            let range = "npt=\(turn % 11).5-"
            #expect(known.range(range) == RangeHeader(range), "\(turn)")
        }
        #expect(known.range("nonsense") == nil && known.range("nonsense") == nil)
    }

    /// Texts may be equal although their octets differ: what was sent is kept.
    @Test(arguments: [("e\u{301}", "\u{E9}"), ("K", "\u{212A}")]) func octetsArePreserved(
        one: String, other: String
    ) throws {
        #expect(one == other)
        let known = RTSPHeaderValues()
        for text in [one, other, one] {
            #expect(try Self.methods("Public: \(text)", known: known).map { Array($0.utf8) } == [Array(text.utf8)])
        }
    }

    private static func methods(_ lines: String..., known: RTSPHeaderValues) throws -> [String] {
        let text = (["RTSP/1.0 200 OK"] + lines + ["", ""]).joined(separator: "\r\n")
        guard case .complete(let headers) = HeaderBlock.parse(Array(text.utf8).rawSpan, limits: Limits()) else {
            throw DissectionError("incomplete")
        }
        return known.methods(in: headers)
    }

    @Test func methodsOfSeveralHeadersAreJoined() throws {
        let known = RTSPHeaderValues()
        for _ in 0..<2 {
            #expect(try Self.methods("Public: OPTIONS, PLAY", known: known) == ["OPTIONS", "PLAY"])
            let several = try Self.methods("Public: OPTIONS", "Public: PLAY, PAUSE", known: known)
            #expect(several == ["OPTIONS", "PLAY", "PAUSE"])
            #expect(try Self.methods("Public: PLAY, PAUSE", known: known) == ["PLAY", "PAUSE"])
        }
    }
}
