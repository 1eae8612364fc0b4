public import WeirEngine
import WeirPackets

/// A receiver report: how somebody who sends nothing receives the sources it hears (RFC 3550 §6.4.2).
public struct ReceiverReport: Message {
    /// Who reports.
    public let ssrc: UInt32
    /// How it receives each source.
    public internal(set) var reports: [ReportBlock]

    /// Reads the body of a receiver report with `count` reception report blocks.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, count: Int) throws(DecodeError) {
        ssrc = try reader.uint32()
        reports = try ReportBlock.list(&reader, count: count)
    }

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// `receiverReport`.
    public var kind: String { "receiverReport" }

    /// The figures of each source.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        guard !reports.isEmpty else { return "receiver report about no source" }
        return "receiver report: " + ReportBlock.wording(reports)
    }

    /// The same, for the many that there are.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        line.append(reports.isEmpty ? "receiver report about no source" : "receiver report: ")
        ReportBlock.write(reports, to: &line)
    }

    /// Says what a receiver report is for.
    public var note: Text? { Text(reports.isEmpty ? "rtcp.receiverReport.empty" : "rtcp.receiverReport") }

    /// The members of the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("reports", .array(reports.map(\.value)))
        return fields
    }
}

extension ReceiverReport {
    /// They come all the time.
    public var recurrence: String? { kind }
}
