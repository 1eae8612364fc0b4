public import WeirEngine
import WeirPackets

/// A sender report: transmission statistics, and the mapping of RTP timestamps to wall-clock time (RFC 3550 §6.4.1).
public struct SenderReport: Message {
    /// The sender.
    public let ssrc: UInt32
    /// Wall-clock time of sending (NTP): seconds since 1900 in the upper 32 bits, fraction in the lower.
    public let ntpTimestamp: UInt64
    /// The same time in ticks of the media clock.
    public let rtpTimestamp: UInt32
    /// RTP packets sent since the beginning.
    public let packetCount: UInt32
    /// Payload octets sent since the beginning, without headers and padding.
    public let octetCount: UInt32
    /// Reception reports on other sources.
    public internal(set) var reports: [ReportBlock]

    /// Parses the body of a sender report with `count` reception report blocks.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, count: Int) throws(DecodeError) {
        ssrc = try reader.uint32()
        ntpTimestamp = try reader.uint64()
        rtpTimestamp = try reader.uint32()
        packetCount = try reader.uint32()
        octetCount = try reader.uint32()
        reports = try ReportBlock.list(&reader, count: count)
    }

    /// The middle 32 bits of the NTP timestamp, as returned in reception reports.
    public var middleNTP: UInt32 { UInt32(truncatingIfNeeded: ntpTimestamp >> 16) }

    /// Whether the values are possible: a clock from 1990 on or counting from the sender's start, less than a day at
    /// three thousand packets per second, and a packet size that fits a datagram.
    package var isPlausible: Bool {
        let seconds = ntpTimestamp >> 32
        let isTime = seconds < 10 * 365 * 86_400 || seconds >= 2_840_140_800  // 1990-01-01 in seconds since 1900
        let isCount = packetCount < 1 << 28 && UInt64(octetCount) <= UInt64(packetCount) * 65_535
        return isTime && isCount && reports.allSatisfy(\.isPlausible)
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `senderReport`.
    public var kind: String { "senderReport" }

    /// Returns the timestamps and counts.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording = "sender report: NTP \(NTPTime(ntpTimestamp)) = RTP \(rtpTimestamp), "
        words += "\(grouped: packetCount, "packet", "packets"), \(grouped: octetCount, "octet", "octets")"
        return reports.isEmpty ? words : words + "; " + ReportBlock.wording(reports)
    }

    /// Writes the same summary without interpolation, since these packets are frequent.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        line.append("sender report: NTP ")
        line.append(NTPTime(ntpTimestamp))
        line.append(" = RTP ")
        line.appendDecimal(Int(rtpTimestamp))
        line.append(", ")
        line.appendGrouped(packetCount)
        line.append(packetCount == 1 ? " packet, " : " packets, ")
        line.appendGrouped(octetCount)
        line.append(octetCount == 1 ? " octet" : " octets")
        guard !reports.isEmpty else { return }
        line.append("; ")
        ReportBlock.write(reports, to: &line)
    }

    /// An explanation of the packet type.
    public var note: Text? { Text("rtcp.senderReport") }

    /// Returns the fields of the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("ntpTimestamp", NTPTime(ntpTimestamp).description)
        fields.add("ntpTimestampRaw", "0x" + hexadecimal(octets(of: ntpTimestamp)))
        fields.add("rtpTimestamp", Int(rtpTimestamp))
        fields.add("senderPacketCount", Int(packetCount))
        fields.add("senderOctetCount", Int(octetCount))
        fields.add("reports", .array(reports.map(\.value)))
        return fields
    }
}

extension ReportBlock {
    /// Parses `count` blocks.
    @_lifetime(reader: copy reader)
    static func list(_ reader: inout ByteReader, count: Int) throws(DecodeError) -> [ReportBlock] {
        var blocks: [ReportBlock] = []
        blocks.reserveCapacity(count)
        for _ in 0..<count { blocks.append(try ReportBlock(&reader)) }
        return blocks
    }

    /// Returns the summary of the report blocks.
    static func wording(_ blocks: [ReportBlock]) -> Wording { blocks.map(\.wording).joined(separator: "; ") }

    /// Appends the summary of the report blocks.
    static func write(_ blocks: [ReportBlock], to line: inout [UInt8]) {
        for (index, block) in blocks.enumerated() {
            if index > 0 { line.append("; ") }
            block.write(to: &line)
        }
    }
}

/// Returns the octets of a number, big-endian.
func octets(of value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 &- 8 &* $0)) }
}

extension SenderReport {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
