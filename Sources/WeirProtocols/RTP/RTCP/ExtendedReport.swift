public import WeirEngine
import WeirPackets

/// An extended report (XR): statistics beyond sender and receiver reports (RFC 3611).
public struct ExtendedReport: Message {
    /// A sub-block of a DLRR block, from which a source computes its round-trip time (RFC 3611 §4.5).
    public struct LastReceiverReport: Sendable, Hashable {
        /// The sender of the receiver reference time.
        public var ssrc: UInt32
        /// The middle 32 bits of that time; 0 if none was received.
        public var lastReceiverReport: UInt32
        /// Delay since its reception, in 1/65536 seconds.
        public var delaySinceLastReceiverReport: UInt32
    }

    /// A report block.
    public enum Block: Sendable, Hashable {
        /// The reporter's wall-clock time, so that receivers can measure round trips (RFC 3611 §4.4).
        case receiverReferenceTime(UInt64)
        /// Responses to receiver reference times (RFC 3611 §4.5).
        case delaySinceLastReceiverReport([LastReceiverReport])
        /// Received and lost packets (RFC 3611 §4.1).
        case losses(PacketRun)
        /// Duplicate packets (RFC 3611 §4.2).
        case duplicates(PacketRun)
        /// Statistics of a run of packets (RFC 3611 §4.6).
        case statistics(StatisticsSummary)
        /// VoIP metrics (RFC 3611 §4.7).
        case voice(VoiceMetrics)
        /// A block that is not parsed further, with its type and length in octets.
        case other(type: UInt8, octets: Int)

        /// The block type (RFC 3611 §4).
        public var type: UInt8 {
            switch self {
            case .receiverReferenceTime: 4
            case .delaySinceLastReceiverReport: 5
            case .losses: 1
            case .duplicates: 2
            case .statistics: 6
            case .voice: 7
            case .other(let type, _): type
            }
        }

        /// The block name as in RFC 3611 §4.
        public var name: String {
            switch type {
            case 1: "loss RLE"
            case 2: "duplicate RLE"
            case 3: "packet receipt times"
            case 4: "receiver reference time"
            case 5: "DLRR"
            case 6: "statistics summary"
            case 7: "VoIP metrics"
            default: "block \(type)"
            }
        }
    }

    /// The reporter.
    public let ssrc: UInt32
    /// The report blocks, in order.
    public private(set) var blocks: [Block] = []

    /// Parses the body of an extended report.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader) throws(DecodeError) {
        ssrc = try reader.uint32()
        while !reader.isAtEnd {
            let type = try reader.uint8()
            let flags = try reader.uint8()
            let octets = Int(try reader.uint16()) &* 4
            var body = ByteReader(try reader.span(octets), layer: "RTCP XR block")
            switch type {
            case 4: blocks.append(.receiverReferenceTime(try body.uint64()))
            case 5:
                var reports: [LastReceiverReport] = []
                while body.remaining >= 12 {
                    reports.append(
                        .init(
                            ssrc: try body.uint32(), lastReceiverReport: try body.uint32(),
                            delaySinceLastReceiverReport: try body.uint32()))
                }
                blocks.append(.delaySinceLastReceiverReport(reports))
            case 1: blocks.append(.losses(try PacketRun(&body, thinning: flags)))
            case 2: blocks.append(.duplicates(try PacketRun(&body, thinning: flags)))
            case 6: blocks.append(.statistics(try StatisticsSummary(&body, flags: flags)))
            case 7: blocks.append(.voice(try VoiceMetrics(&body)))
            default: blocks.append(.other(type: type, octets: octets))
            }
        }
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `extendedReport`.
    public var kind: String { "extendedReport" }

    /// Returns the block names.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        let names = blocks.map(\.wording).joined(separator: ", ")
        return names.isEmpty ? "extended report: empty" : "extended report: " + names
    }

    /// An explanation of the packet type.
    public var note: Text? { Text("rtcp.extendedReport") }

    /// Returns the blocks.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        let list = blocks.map { block in
            var members: [Field] = []
            members.add("blockType", Int(block.type))
            members.add("name", block.name)
            switch block {
            case .receiverReferenceTime(let time): members.add("ntpTimestamp", NTPTime(time).description)
            case .delaySinceLastReceiverReport(let reports):
                let list = reports.map {
                    FieldValue.object([
                        Field("ssrc", .string(hexadecimal($0.ssrc))),
                        Field("lastRr", .integer(Int($0.lastReceiverReport))),
                        Field("delaySinceLastRr", .integer(Int($0.delaySinceLastReceiverReport))),
                    ])
                }
                members.add("reports", .array(list))
            case .losses(let run): members += run.fields(isOfLosses: true)
            case .duplicates(let run): members += run.fields(isOfLosses: false)
            case .statistics(let summary): members += summary.fields
            case .voice(let metrics): members += metrics.fields
            case .other(_, let octets): members.add("length", octets)
            }
            return FieldValue.object(members)
        }
        fields.add("blocks", .array(list))
        return fields
    }
}

extension ExtendedReport.Block {
    /// The losses in the block: source, count, and sequence number range.
    var losses: (ssrc: UInt32, lost: Int, begin: UInt16, end: UInt16)? {
        switch self {
        case .losses(let run) where run.thinning == 0: (run.ssrc, run.zeros, run.begin, run.end)
        case .statistics(let summary):
            summary.lost.map { (summary.ssrc, Int($0), summary.begin, summary.end) }
        default: nil
        }
    }

    /// The block name and its most important values.
    var wording: Wording {
        let name = Wording(phrase: name)
        switch self {
        case .losses(let run): return name + ": \(run.zeros) of \(run.count, "packet", "packets") lost"
        case .duplicates(let run): return name + ": \(run.zeros) of \(run.count, "packet", "packets") duplicated"
        case .statistics(let summary):
            guard let lost = summary.lost else { return name }
            return name + ": \(Int(lost), "packet", "packets") lost"
        case .voice(let metrics):
            guard let lost = metrics.rates.first else { return name }
            return name + ": \(rounded(Double(lost) * 100 / 256, places: 1)) % lost"
        default: return name
        }
    }
}

extension ExtendedReport {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
