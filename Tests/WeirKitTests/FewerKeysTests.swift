import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// With fewer keys less is reported, never something else.
@Suite("Fewer keys") struct FewerKeysTests {
    private struct Told {
        var events: Set<String>
        var findings: Set<String>
        var decrypted: Int

        init(_ keyed: KeyedCapture, _ lines: [String]) throws {
            var analysis = Analysis(RecordedCaptures.path(keyed.capture))
            analysis.options = keyed.options(lines)
            let result = try analysis.run()
            events = Set(
                result.events.map {
                    "\($0.frame) \($0.direction) \($0.message.protocolName) \($0.message.kind) "
                        + $0.message.summary(.masked)
                })
            findings = Set(
                result.findings.filter { $0.verdict == .fail && $0.severity != .note }.map {
                    "\($0.rule) \($0.frame ?? 0)"
                })
            decrypted = result.events.count { $0.decrypted != nil }
        }
    }

    @Test("report nothing that neither all keys nor none report", arguments: KeyedCapture.all)
    func parts(_ keyed: KeyedCapture) throws {
        let lines = try keyed.lines
        let whole = try Told(keyed, lines)
        let none = try Told(keyed, [])
        #expect(none.decrypted == 0 && whole.decrypted > 0)
        var isLess = false
        for index in lines.indices {
            var rest = lines
            rest.remove(at: index)
            for lines in [rest, [lines[index]]] {
                let part = try Told(keyed, lines)
                // That a secret is missing is said where it is needed.
                let other = part.events.subtracting(whole.events).subtracting(none.events)
                    .filter { !$0.contains("not decrypted: a secret is missing in the key log") }
                #expect(other.isEmpty, "\(index)")
                #expect(part.findings.subtracting(whole.findings).subtracting(none.findings).isEmpty, "\(index)")
                #expect(part.decrypted <= whole.decrypted)
                if part.decrypted < whole.decrypted { isLess = true }
            }
        }
        #expect(isLess || lines.count == 1)
    }
}
