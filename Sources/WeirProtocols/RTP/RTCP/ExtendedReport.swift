public import WeirEngine
import WeirPackets

/// An extended report: statistics beyond sender and receiver reports (RFC 3611).
public struct ExtendedReport: Message {
    /// One sub-block of a DLRR block: what a source needs to compute its round trip (RFC 3611 §4.5).
    public struct LastReceiverReport: Sendable, Hashable {
        /// Who sent the receiver reference time.
        public var ssrc: UInt32
        /// The middle 32 bits of that time; 0 when none was received.
        public var lastReceiverReport: UInt32
        /// Delay since it was received, in 1/65536 seconds.
        public var delaySinceLastReceiverReport: UInt32
    }

    /// A report block.
    public enum Block: Sendable, Hashable {
        /// The reporter's wall-clock time, so that receivers can be answered, too (RFC 3611 §4.4).
        case receiverReferenceTime(UInt64)
        /// Answers to such times (RFC 3611 §4.5).
        case delaySinceLastReceiverReport([LastReceiverReport])
        /// Which packets came (RFC 3611 §4.1).
        case losses(PacketRun)
        /// Which packets came once (RFC 3611 §4.2).
        case duplicates(PacketRun)
        /// Statistics of a run of packets (RFC 3611 §4.6).
        case statistics(StatisticsSummary)
        /// How a call sounds (RFC 3611 §4.7).
        case voice(VoiceMetrics)
        /// A block that is not read further: its type and octets.
        case other(type: UInt8, octets: Int)

        /// The block's type number (RFC 3611 §4).
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

        /// The block's name as in RFC 3611 §4.
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

    /// Who reports.
    public let ssrc: UInt32
    /// The report blocks, in order.
    public private(set) var blocks: [Block] = []

    /// Reads the body of an extended report.
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

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// `extendedReport`.
    public var kind: String { "extendedReport" }

    /// The names of the blocks.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        let names = blocks.map(\.wording).joined(separator: ", ")
        return names.isEmpty ? "extended report: empty" : "extended report: " + names
    }

    /// Says what an extended report is for.
    public var note: Text? { Text("rtcp.extendedReport") }

    /// The blocks.
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
    /// What the block says of losses: of which source, how many, and among which numbers.
    var losses: (ssrc: UInt32, lost: Int, begin: UInt16, end: UInt16)? {
        switch self {
        case .losses(let run) where run.thinning == 0: (run.ssrc, run.zeros, run.begin, run.end)
        case .statistics(let summary):
            summary.lost.map { (summary.ssrc, Int($0), summary.begin, summary.end) }
        default: nil
        }
    }

    /// Name, and what matters most of it.
    var wording: Wording {
        let name = Wording(phrase: name)
        switch self {
        case .losses(let run): return name + ": \(run.zeros) of \(run.count, "packet", "packets") lost"
        case .duplicates(let run): return name + ": \(run.zeros) of \(run.count, "packet", "packets") came again"
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
    /// They come all the time.
    public var recurrence: String? { kind }
}
