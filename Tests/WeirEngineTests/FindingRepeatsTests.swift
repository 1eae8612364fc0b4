import Testing
import WeirPackets
@testable import WeirEngine

@Suite struct FindingRepeatsTests {
    private func finding(_ fingerprint: Int, event: Int) -> Finding {
        Finding(
            rule: "A-B", verdict: .fail, severity: .warning, protocolName: "a", plugin: "a", message: Text("A-B.c"),
            reference: "RFC 1 §2", event: event, frame: event * 10, fingerprint: "\(fingerprint)")
    }

    /// Few are compared one by one, more are found by their hashes.
    @Test(arguments: [1, 8, 9, 40])
    func eachIsCounted(_ number: Int) {
        var repeats = FindingRepeats()
        for round in 0..<3 {
            for place in 0..<number {
                let finding = finding(place, event: round * number + place + 1)
                let isKnown = repeats.count(finding, from: .clientToServer, isSelected: true)
                #expect(isKnown == (round > 0))
                if !isKnown { repeats.add(finding, from: .clientToServer, isSelected: true) }
            }
        }
        #expect(repeats.all.map(\.event) == Array(1...number))
        #expect(repeats.all.allSatisfy { $0.count == 3 })
        #expect(repeats.all.map(\.lastFrame) == (1...number).map { (2 * number + $0) * 10 })
    }

    @Test func sidesAreCountedApart() {
        var repeats = FindingRepeats()
        repeats.add(finding(1, event: 1), from: .clientToServer, isSelected: true)
        let ofServer = repeats.count(finding(1, event: 2), from: .serverToClient, isSelected: true)
        let ofUnselected = repeats.count(finding(1, event: 3), from: .clientToServer, isSelected: false)
        #expect(!ofServer && !ofUnselected && repeats.all.isEmpty)
        let again = repeats.count(finding(1, event: 4), from: .clientToServer, isSelected: true)
        #expect(again && repeats.all.map(\.count) == [2])
    }
}
