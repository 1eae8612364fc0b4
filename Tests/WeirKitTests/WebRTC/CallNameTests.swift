import CaptureTesting
import Testing
import WeirEngine
import WeirPackets

@testable import WeirKit

/// WHIP and WHEP calls with the same name, distinguished by connections, ufrags and hosts.
@Suite("Calls with the same name") struct CallNameTests {
    /// Whether the result contains both calls with everything each has in its own capture.
    private static func isBoth(_ result: AnalysisResult) -> Bool {
        let calls = result.calls
        return calls.count == 2
            && calls.allSatisfy { $0["fingerprintMatches"] == .bool(true) && $0.record.streams.count == 1 }
            && result.errors.isEmpty
    }

    @Test("simultaneous and successive", arguments: [0.0, 0.05, 0.2, 1.0, 5.0])
    func twoCalls(_ seconds: Double) throws {
        let (whip, whep) = (try EditedCalls.frames("whip"), try EditedCalls.frames("whep"))
        for (first, second) in [(whip, whep), (whep, whip)] {
            let result = EditedCalls.analyzed(first.merged(with: second, after: seconds))
            #expect(Self.isBoth(result), "\(result.calls.map(\.outcome)) \(result.errors.map(\.rule))")
            // Each has all its steps: offer, answer, PATCH and DELETE with their responses.
            let steps = result.calls.map { call in
                result.events.filter { $0.session == call.record.id && $0.message.protocolName == "http" }.count
            }
            #expect(steps.sorted() == [6, 8])
        }
    }

    @Test("the first one never ends")
    func unendedCall() throws {
        let whip = try EditedCalls.frames("whip")
        // Signaling from the PATCH on, including the end of its connection, is not captured.
        let open = whip.filter { $0.datagram != nil || $0.info.number < 18 }
        let result = EditedCalls.analyzed(open.merged(with: try EditedCalls.frames("whep"), after: 4))
        #expect(Self.isBoth(result), "\(result.calls.map(\.outcome)) \(result.errors.map(\.rule))")
    }

    @Test("the end of a call on one host does not end that on another")
    func hosts() throws {
        let whip = try EditedCalls.frames("whip").filter { $0.datagram != nil || $0.info.number < 90 }
        // The second call is at another host at the same address; only its end is captured.
        let other = try EditedCalls.frames("whep").filter { $0.datagram == nil && $0.info.number > 80 }
            .map { $0.replacing("10.77.0.2:8080", with: "10.77.0.3:8080") }
        let result = EditedCalls.analyzed(whip.merged(with: other, after: 1))
        let call = try #require(result.calls.first)
        #expect(result.calls.count == 1)
        let ends = result.events.filter {
            $0.session == call.record.id && $0.message.summary(.masked).contains("DELETE")
        }
        #expect(ends.isEmpty)
    }
}
