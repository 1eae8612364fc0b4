import WeirEngine
import WeirPackets

/// A datagram of a report on at most one source and a source description that repeats an earlier one, as most RTCP is: parsed without
/// lists.
struct UsualReport: ~Copyable {
    /// The sender report, without its report block; nil for a receiver report.
    let sender: SenderReport?
    /// The reporter.
    let reporter: UInt32
    /// The report block.
    let block: ReportBlock?
    /// The source description.
    let description: SourceDescription

    /// Parses a datagram; returns nil if it has another form.
    ///
    /// - Parameter known: The latest source descriptions of the sender.
    init?(_ bytes: RawSpan, _ known: RecentDescriptions) {
        // Version 2 without padding, type 200 or 201, and no extension (RFC 3550 §6.4.1, §6.4.2).
        guard let word = bytes.uint32(at: 0), word & 0xE0FE_0000 == 0x80C8_0000 else { return nil }
        let (isSender, count) = (word & 0x1_0000 == 0, Int(word >> 24 & 0x1F))
        let end = 4 &* (Int(word & 0xFFFF) &+ 1)
        guard count <= 1, end == (isSender ? 28 : 8) &+ count &* ReportBlock.length, let next = bytes.uint32(at: end),
            next & 0xE0FF_0000 == 0x80CA_0000, end &+ 4 &* (Int(next & 0xFFFF) &+ 1) == bytes.byteCount,
            let description = known.description(UInt8(next >> 24 & 0x1F), bytes.clamped(end &+ 4))
        else { return nil }
        var reader = ByteReader(bytes, layer: "RTCP")
        let (sender, reporter, block): (SenderReport?, UInt32, ReportBlock?)
        do throws(DecodeError) {
            try reader.skip(4)
            sender = isSender ? try SenderReport(&reader, count: 0) : nil
            reporter = if let sender { sender.ssrc } else { try reader.uint32() }
            block = count == 0 ? nil : try ReportBlock(&reader)
        } catch {
            return nil
        }
        self.init(sender: sender, reporter: reporter, block: block, description: description)
    }

    private init(sender: SenderReport?, reporter: UInt32, block: ReportBlock?, description: SourceDescription) {
        self.sender = sender
        self.reporter = reporter
        self.block = block
        self.description = description
    }

    /// The name under which the report is counted.
    var name: String { sender == nil ? ReceiverReport.countedName : SenderReport.countedName }

    /// Returns the report as a message.
    ///
    /// - Parameter clockRate: Returns the clock rate of a source, or nil if it is not known.
    func message(_ clockRate: (UInt32) -> Int?) -> any Message {
        var blocks = block.map { [$0] } ?? []
        blocks.setClocks(clockRate)
        guard var sender else { return ReceiverReport(ssrc: reporter, reports: blocks) }
        sender.reports = blocks
        return sender
    }
}
