import WeirEngine
import WeirPackets

/// A reception report block: reception statistics of one source (RFC 3550 §6.4.1).
public struct ReportBlock: Sendable, Hashable {
    /// Octets of a block.
    public static let length = 24

    /// The reported source.
    public let ssrc: UInt32
    /// Fraction of packets lost since the previous report, in 256ths.
    public let fractionLost: UInt8
    /// Cumulative packets lost, 24 bits signed; duplicates can make it negative.
    public let cumulativeLost: Int32
    /// The highest sequence number received in the lower 16 bits, the number of wraps in the upper 16.
    public let extendedHighestSequence: UInt32
    /// Interarrival jitter in ticks of the media clock.
    public let jitter: UInt32
    /// LSR: the middle 32 bits of the NTP timestamp of the last sender report received; 0 before the first.
    public let lastSenderReport: UInt32
    /// DLSR: delay between receiving that sender report and sending this block, in 1/65536 seconds.
    public let delaySinceLastSenderReport: UInt32

    /// Parses a block.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader) throws(DecodeError) {
        ssrc = try reader.uint32()
        let loss = try reader.uint32()
        fractionLost = UInt8(loss >> 24)
        cumulativeLost = Int32(bitPattern: loss << 8) >> 8
        extendedHighestSequence = try reader.uint32()
        jitter = try reader.uint32()
        lastSenderReport = try reader.uint32()
        delaySinceLastSenderReport = try reader.uint32()
    }

    /// The media clock rate in Hz, if the stream is known.
    package var clockRate: Int?

    /// Interarrival jitter in milliseconds, if the clock rate is known.
    package var jitterMilliseconds: Double? {
        clockRate.flatMap { $0 > 0 ? Double(jitter) * 1_000 / Double($0) : nil }
    }
    /// Fraction of packets lost since the previous report, in percent.
    public var percentLost: Double { Double(fractionLost) * 100 / 256 }
    /// Seconds between receiving the last sender report and sending this block.
    public var delaySeconds: Double { Double(delaySinceLastSenderReport) / 65_536 }

    /// Whether the values are possible: jitter below three minutes of a 90 kHz clock, and no more losses than sequence
    /// numbers.
    package var isPlausible: Bool {
        jitter < 1 << 24 && Int64(cumulativeLost).magnitude <= UInt64(extendedHighestSequence)
    }

    /// The statistics, in short.
    var wording: Wording {
        var words: Wording =
            "SSRC \(hexadecimal(ssrc)): \(rounded(percentLost, places: 1)) % lost since the last report, "
        words += "\(cumulativeLost) in total, highest seq \(extendedHighestSequence & 0xFFFF), "
        guard let milliseconds = jitterMilliseconds else {
            return words + (jitter == 1 ? "jitter 1 timestamp unit" : "jitter \(jitter) timestamp units")
        }
        return words + "jitter \(rounded(milliseconds, places: 1)) ms"
    }

    /// Appends the statistics, in short.
    func write(to line: inout [UInt8]) {
        line.append("SSRC ")
        line.appendIdentifier(ssrc)
        line.append(": ")
        line.appendRounded(percentLost, places: 1)
        line.append(" % lost since the last report, ")
        line.appendDecimal(Int(cumulativeLost))
        line.append(" in total, highest seq ")
        line.appendDecimal(Int(extendedHighestSequence & 0xFFFF))
        line.append(", jitter ")
        if let milliseconds = jitterMilliseconds {
            line.appendRounded(milliseconds, places: 1)
            line.append(" ms")
        } else {
            line.appendDecimal(Int(jitter))
            line.append(jitter == 1 ? " timestamp unit" : " timestamp units")
        }
    }

    /// The block as shown in reports.
    package var value: FieldValue {
        .object([
            Field("ssrc", .string(hexadecimal(ssrc))),
            Field("fractionLost", .integer(Int(fractionLost))),
            Field("cumulativeLost", .integer(Int(cumulativeLost))),
            Field("extendedHighestSequenceNumber", .integer(Int(extendedHighestSequence))),
            Field("jitter", .integer(Int(jitter))),
            Field("lastSr", .integer(Int(lastSenderReport))),
            Field("delaySinceLastSr", .integer(Int(delaySinceLastSenderReport))),
        ])
    }
}
