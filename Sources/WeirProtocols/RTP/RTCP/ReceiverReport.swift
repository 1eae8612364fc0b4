public import WeirEngine
import WeirPackets

/// A receiver report: reception statistics of a participant that does not send (RFC 3550 §6.4.2).
public struct ReceiverReport: Message {
    /// The reporter.
    public let ssrc: UInt32
    /// Reception reports per source.
    public internal(set) var reports: [ReportBlock]

    init(ssrc: UInt32, reports: [ReportBlock]) {
        self.ssrc = ssrc
        self.reports = reports
    }

    /// Parses the body of a receiver report with `count` reception report blocks.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, count: Int) throws(DecodeError) {
        ssrc = try reader.uint32()
        reports = try ReportBlock.list(&reader, count: count)
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `receiverReport`.
    public var kind: String { "receiverReport" }

    /// Returns the reception statistics per source.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        guard !reports.isEmpty else { return "empty receiver report" }
        return "receiver report: " + ReportBlock.wording(reports)
    }

    /// Writes the same summary without interpolation, since these packets are frequent.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        line.append(reports.isEmpty ? "empty receiver report" : "receiver report: ")
        ReportBlock.write(reports, to: &line)
    }

    /// An explanation of the packet type.
    public var note: Text? { Text(reports.isEmpty ? "rtcp.receiverReport.empty" : "rtcp.receiverReport") }

    /// Returns the fields of the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("reports", .array(reports.map(\.value)))
        return fields
    }
}

extension ReceiverReport {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
