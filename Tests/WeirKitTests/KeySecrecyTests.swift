import CaptureTesting
import Foundation
import Testing
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirReports

/// Keys that the user supplies are in no output, not even when secrets are revealed.
@Suite("Secrecy of keys") struct KeySecrecyTests {
    /// All formats of a report with one option for secrets.
    private static func reports(_ secrets: SecretPolicy) -> [(report: any Report, output: MemoryOutput)] {
        var options = ReportOptions(plugins: BuiltIn.plugins)
        options.secrets = secrets
        let details = VerdictOptions()
        let makers: [(MemoryOutput) -> any Report] = [
            { TextReport(options, output: $0) }, { JSONReport(options, withTallies: true, output: $0) },
            { NDJSONReport(options, output: $0) }, { HTMLReport(options, output: $0) },
            { VerdictReport(.text, options, details, output: $0) },
            { VerdictReport(.markdown, options, details, output: $0) },
            { VerdictReport(.github, options, details, output: $0) },
            { VerdictReport(.junit, options, details, output: $0) },
            { VerdictReport(.sarif, options, details, output: $0) },
        ]
        return makers.map { maker in
            let output = MemoryOutput()
            return (maker(output), output)
        }
    }

    /// The forms in which a key of a line may appear: as written, in both cases of hexadecimal digits, and in base64.
    private static func forms(_ line: String, _ kind: KeyedCapture.Kind) -> [String] {
        let words = line.split(separator: " ").map(String.init)
        let secrets = kind == .keyLog ? words.suffix(1) : words.dropFirst(2).filter { $0.count >= 16 }[...]
        return secrets.flatMap { word -> [String] in
            guard word.allSatisfy(\.isHexDigit) else { return [word, String(word.prefix(16))] }
            var octets: [UInt8] = []
            for start in stride(from: 0, to: word.count - 1, by: 2) {
                octets.append(UInt8(word.dropFirst(start).prefix(2), radix: 16) ?? 0)
            }
            // A part of a key is one, too.
            return [word.lowercased(), word.uppercased(), Data(octets).base64EncodedString()].map {
                String($0.prefix(20))
            }
        }
    }

    @Test("no format has a key", arguments: KeyedCapture.all)
    func formats(_ keyed: KeyedCapture) throws {
        let lines = try keyed.lines
        let secrets = lines.flatMap { Self.forms($0, keyed.kind) }
        #expect(!secrets.isEmpty)
        var written = 0
        for policy in [SecretPolicy.masked, .revealed] {
            for (report, output) in Self.reports(policy) {
                var analysis = Analysis(RecordedCaptures.path(keyed.capture))
                analysis.options = keyed.options(lines)
                analysis.options.packets = true
                try analysis.run(RecordedCaptures.path(keyed.capture), into: report)
                report.finish()
                written += output.octets.count
                let text = output.text
                for secret in secrets { #expect(!text.contains(secret), "\(type(of: report)) \(policy)") }
            }
        }
        // Those without findings are empty in some formats.
        #expect(written > 10_000)
    }

    @Test("the capture is decrypted with its keys", arguments: KeyedCapture.all)
    func decrypted(_ keyed: KeyedCapture) throws {
        var analysis = Analysis(RecordedCaptures.path(keyed.capture))
        analysis.options = keyed.options(try keyed.lines)
        let result = try analysis.run()
        let decrypted = result.events.filter { $0.decrypted != nil }
        #expect(!decrypted.isEmpty && decrypted.allSatisfy { $0.decryption?.source == "keys" })
    }

    /// The lines of NDJSON with events of a capture.
    private static func records(_ keyed: KeyedCapture, _ lines: [String]) throws -> [String] {
        let output = MemoryOutput()
        let report = NDJSONReport(ReportOptions(plugins: BuiltIn.plugins), output: output)
        var analysis = Analysis(RecordedCaptures.path(keyed.capture))
        analysis.options = keyed.options(lines)
        try analysis.run(RecordedCaptures.path(keyed.capture), into: report)
        report.finish()
        return output.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(#"{"record":"event""#) }
    }

    @Test(
        "events name the source of the keys in JSON if they are decrypted, and only then", arguments: KeyedCapture.all)
    func sources(_ keyed: KeyedCapture) throws {
        let records = try Self.records(keyed, try keyed.lines)
        let decrypted = records.filter { $0.contains(#""decrypted":""#) }
        #expect(!decrypted.isEmpty && decrypted.count < records.count)
        #expect(decrypted == records.filter { $0.contains(#""decryptedFrom":"keys""#) })
        #expect(!(try Self.records(keyed, []).contains { $0.contains("decrypted") }))
    }
}
