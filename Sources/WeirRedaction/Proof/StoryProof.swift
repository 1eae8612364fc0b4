import Synchronization
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

    /// Returns the differences between the records of the original and those of a redacted file, at most a few.
    func differences(_ one: [[UInt8]], _ other: [[UInt8]]) -> [String] {
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
    let report: BackgroundReport

    /// Creates an empty list of at most so many octets.
    init(limit: Int) {
        output = BoundedOutput(limit)
        var options = ReportOptions(plugins: BuiltIn.plugins)
        options.secrets = .revealed
        report = BackgroundReport(NDJSONReport(options, output: output), processors: Processors.count)
    }

    /// Returns the records of a file.
    ///
    /// - Throws: `CaptureError` if the file cannot be opened; `RedactionError.limit` if there are more.
    static func records(of file: String, limit: Int) throws -> [[UInt8]] {
        let story = Self(limit: limit)
        try StoryProof.analyze(file, story.report)
        return try story.records()
    }

    /// Returns the records at the end of the analysis.
    ///
    /// - Throws: `RedactionError.limit` if there were more.
    func records() throws -> [[UInt8]] {
        report.finish()
        guard let octets = output.octets else {
            throw RedactionError.limit("more than \(output.limit >> 20) MiB of records to compare")
        }
        var records: [[UInt8]] = []
        var start = 0
        while let end = octets[start...].firstIndex(of: ASCII.lineFeed) {
            records.append(Array(octets[start..<end]))
            start = end + 1
        }
        return records
    }
}

/// Collects a report in memory, up to a limit.
private final class BoundedOutput: ReportOutput, Sendable {
    private let written = Mutex<[UInt8]?>([])
    let limit: Int
    /// The report; nil if it is longer.
    var octets: [UInt8]? { written.withLock { $0 } }

    init(_ limit: Int) {
        self.limit = limit
    }

    func write(_ octets: [UInt8]) {
        written.withLock { written in
            guard let count = written?.count else { return }
            if count + octets.count > limit { written = nil } else { written?.append(contentsOf: octets) }
        }
    }

    func fail(_ reason: any Error) {}
}
