import WeirCapture
import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols
import WeirReports

/// Proves that a redacted capture has the same story: its records are equal to those of the original, except for what was replaced.
struct StoryProof {
    let text: TextRedactor
    /// The octets of the records of a capture that are compared.
    let limit: Int
    /// The number of differences that are told.
    private static let most = 5

    /// Returns the differences between the records of the original and a redacted file, at most a few.
    func differences(_ original: StoryRecords, _ redacted: String) throws -> [String] {
        let records = StoryRecords(limit: limit)
        try Self.analyze(redacted, records.report)
        let one = try original.records()
        let other = try records.records()
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

    /// Analyzes a file up to damage, which is returned.
    ///
    /// - Throws: `CaptureError` if the file cannot be opened.
    @discardableResult
    static func analyze(_ file: String, _ sink: any ReportSink) throws(CaptureError) -> CaptureError? {
        do throws(CaptureError) {
            let capture = try CaptureFile(file)
            var analysis = Analysis(file)
            // Secrets are not copied: what they decrypt is no part of the story.
            analysis.usesContainedSecrets = false
            // Nor are the names of the files.
            try analysis.run(capture, "capture", into: sink)
            return nil
        } catch {
            guard error.frame != nil else { throw error }
            return error
        }
    }

    /// Returns how a record differs, or nil: each octet has to be that of the original, or its replacement.
    private func difference(_ original: [UInt8], _ other: [UInt8]) -> String? {
        // Nearly all are, and what cannot be compared is in few.
        if original == other || text.redacted(original) == other { return nil }
        let one = Self.comparable(original)
        let mapped = text.redacted(one)
        let other = Self.comparable(other)
        // What the analysis shows only as text is replaced word by word.
        lazy var unknown = text.redactedAll(one)
        var place = 0
        while place < min(one.count, other.count),
            other[place] == mapped[place] || other[place] == one[place] || other[place] == unknown[place]
        {
            place += 1
        }
        guard place < max(one.count, other.count) else { return nil }
        // Only names: the values may be what was to be replaced.
        let kind = Self.value(of: "kind", in: one).map { " \($0)" } ?? ""
        let frame = Self.value(of: "frame", in: one).map { " of frame \($0)" } ?? ""
        return
            "\(Self.value(of: "record", in: one) ?? "record")\(kind)\(frame) differs in \(Self.member(of: one, at: place))"
    }

    /// Returns the value of the first member of a name: a word or a number.
    private static func value(of name: String, in record: [UInt8]) -> String? {
        let member = Array("\"\(name)\":".utf8)
        guard let start = record.indices.first(where: { record[$0...].starts(with: member) }) else { return nil }
        let rest = record[(start + member.count)...].drop { $0 == ASCII.quote }
        return String(decoding: rest.prefix { WordMapping.isWordOctet($0) }, as: UTF8.self)
    }

    /// Returns the name of the last member that begins before a place.
    private static func member(of record: [UInt8], at place: Int) -> String {
        let end = record[..<min(place, record.count)].indices.last { index in
            record[index] == ASCII.colon && index > 0 && record[index - 1] == ASCII.quote
        }
        guard let end, let start = record[..<(end - 1)].lastIndex(of: ASCII.quote) else { return "its beginning" }
        return String(decoding: record[(start + 1)..<(end - 1)].prefix(40), as: UTF8.self)
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

/// The records of a capture, with its secrets.
struct StoryRecords {
    private let output: BoundedOutput
    /// Receives the analysis.
    let report: NDJSONReport

    /// Creates an empty list of at most so many octets.
    init(limit: Int) {
        output = BoundedOutput(limit)
        var options = ReportOptions(plugins: BuiltIn.plugins)
        options.secrets = .revealed
        report = NDJSONReport(options, output: output)
    }

    /// Returns the records at the end of the analysis.
    ///
    /// - Throws: `RedactionError.limit` if there were more.
    func records() throws -> [[UInt8]] {
        report.finish()
        guard !output.isFull else {
            throw RedactionError.limit("more than \(output.limit >> 20) MiB of records to compare")
        }
        var records: [[UInt8]] = []
        var start = 0
        let octets = output.octets
        for place in octets.indices where octets[place] == ASCII.lineFeed {
            records.append(Array(octets[start..<place]))
            start = place + 1
        }
        return records
    }
}

/// Collects a report in memory, up to a limit.
private final class BoundedOutput: ReportOutput {
    private(set) var octets: [UInt8] = []
    private(set) var isFull = false
    let limit: Int

    init(_ limit: Int) {
        self.limit = limit
    }

    func write(_ octets: [UInt8]) {
        isFull = isFull || self.octets.count + octets.count > limit
        if !isFull { self.octets += octets }
    }

    func fail(_ reason: any Error) {}
}
