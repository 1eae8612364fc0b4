import WeirCapture
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirReports

/// Proves that a redacted capture has the same story: its records are equal to those of the original, except for what was replaced.
struct StoryProof {
    let text: TextRedactor
    /// The number of differences that are told.
    private static let most = 5

    /// Returns the differences, at most a few.
    func differences(_ original: String, _ redacted: String) throws(CaptureError) -> [String] {
        let one = try Self.records(original, name: "capture")
        let other = try Self.records(redacted, name: "capture")
        var found: [String] = []
        for index in 0..<max(one.count, other.count) {
            guard index < one.count, index < other.count else {
                found.append(
                    "record \(index + 1) is only in the \(index < one.count ? "original" : "redacted capture")")
                break
            }
            guard let difference = difference(one[index], other[index]) else { continue }
            found.append("record \(index + 1): \(difference)")
            if found.count >= Self.most { break }
        }
        return found
    }

    private static func records(_ file: String, name: String) throws(CaptureError) -> [[UInt8]] {
        let output = MemoryOutput()
        var options = ReportOptions(plugins: BuiltIn.plugins)
        options.secrets = .revealed
        let report = NDJSONReport(options, output: output)
        do throws(CaptureError) {
            let capture = try CaptureFile(file)
            var analysis = Analysis(file)
            analysis.usesContainedSecrets = false
            try analysis.run(capture, name, into: report)
        } catch {
            // What was read before damage is compared.
            guard error.frame != nil else { throw error }
        }
        report.finish()
        return output.octets.split(separator: ASCII.lineFeed).map(Array.init)
    }

    /// Returns how a record differs, or nil: each octet has to be that of the original, or its replacement.
    private func difference(_ original: [UInt8], _ other: [UInt8]) -> String? {
        let one = Self.comparable(original)
        let mapped = text.redacted(one)
        let other = Self.comparable(other)
        var place = 0
        while place < min(one.count, other.count), other[place] == mapped[place] || other[place] == one[place] {
            place += 1
        }
        guard place < max(one.count, other.count) else { return nil }
        let start = max(0, place - 60)
        func excerpt(_ octets: [UInt8]) -> String { String(decoding: octets.part(start, place + 40), as: UTF8.self) }
        return "…\(excerpt(mapped))… became …\(excerpt(other))…"
    }

    /// Returns a record without the member that tells the damage of the file.
    private static func withoutDamage(_ record: [UInt8]) -> [UInt8] {
        guard record.starts(with: Array("{\"record\":\"summary\"".utf8)) else { return record }
        let name = Array(",\"damage\":{".utf8)
        guard let start = record.indices.first(where: { record[$0...].starts(with: name) }),
            let end = record[start...].firstIndex(of: 0x7D)
        else { return record }
        return Array(record[..<start] + record[(end + 1)...])
    }

    /// Returns a record without what depends on the content of replaced texts: fingerprints of findings, check values of STUN.
    private static func comparable(_ record: [UInt8]) -> [UInt8] {
        var record = withoutDamage(record)
        for name in [#""fingerprint":""#, #""FINGERPRINT","length":4,"value":"#].map({ Array($0.utf8) }) {
            var place = 0
            while place + name.count < record.count {
                guard record[place] == name[0], record[place..<place + name.count].elementsEqual(name) else {
                    place += 1
                    continue
                }
                let start = place + name.count
                var end = start
                while end < record.count, ASCII.isDigit(record[end]) || (0x61...0x66).contains(record[end]) { end += 1 }
                record.removeSubrange(start..<end)
                place = start
            }
        }
        return record
    }
}
