import WeirEngine
import WeirPackets

// Packet statistics in extended reports (RFC 3611 §4.1, §4.2, §4.6, §4.7).

/// A range of sequence numbers with those received (loss RLE) or duplicated (duplicate RLE; RFC 3611 §4.1, §4.2).
public struct PacketRun: Sendable, Hashable {
    /// The source.
    public let ssrc: UInt32
    /// The first sequence number reported.
    public let begin: UInt16
    /// The sequence number after the last one reported.
    public let end: UInt16
    /// Thinning (T): only multiples of 2^T are reported.
    public let thinning: UInt8
    /// Sequence numbers reported as 1: received, or received once.
    public private(set) var ones = 0
    /// Sequence numbers reported as 0: lost, or duplicated.
    public private(set) var zeros = 0

    /// The number of sequence numbers reported.
    public var count: Int {
        let step = 1 << Int(thinning)
        let first = (Int(begin) &+ step &- 1) / step &* step
        let last = Int(begin) &+ Int(end &- begin)
        return first < last ? (last &- first &+ step &- 1) / step : 0
    }

    /// Parses the contents of a block after its header.
    @_lifetime(body: copy body)
    init(_ body: inout ByteReader, thinning: UInt8) throws(DecodeError) {
        self.thinning = thinning & 0x0F
        ssrc = try body.uint32()
        begin = try body.uint16()
        end = try body.uint16()
        var left = count
        while left > 0, body.remaining >= 2 {
            let chunk = try body.uint16()
            if chunk == 0 { break }
            // A bit vector of 15 sequence numbers, or a run length.
            let isVector = chunk & 0x8000 != 0
            let length = min(left, isVector ? 15 : Int(chunk & 0x3FFF))
            let set = isVector ? (chunk & 0x7FFF) >> UInt16(15 &- length) : 0
            let here = isVector ? set.nonzeroBitCount : chunk & 0x4000 != 0 ? length : 0
            ones &+= here
            zeros &+= length &- here
            left &-= length
        }
    }
}

/// Statistics of a range of sequence numbers (RFC 3611 §4.6); values not reported are nil.
public struct StatisticsSummary: Sendable, Hashable {
    /// The source.
    public let ssrc: UInt32
    /// The first sequence number reported.
    public let begin: UInt16
    /// The sequence number after the last one reported.
    public let end: UInt16
    /// Packets lost.
    public let lost: UInt32?
    /// Duplicate packets.
    public let duplicates: UInt32?
    /// Minimum, maximum, mean and standard deviation of the relative transit time, in ticks.
    public let jitter: [UInt32]?
    /// Minimum, maximum, mean and standard deviation of the TTL or hop limit.
    public let hops: [UInt8]?

    @_lifetime(body: copy body)
    init(_ body: inout ByteReader, flags: UInt8) throws(DecodeError) {
        ssrc = try body.uint32()
        begin = try body.uint16()
        end = try body.uint16()
        let lost = try body.uint32()
        let duplicates = try body.uint32()
        var jitter: [UInt32] = []
        for _ in 0..<4 { jitter.append(try body.uint32()) }
        var hops: [UInt8] = []
        for _ in 0..<4 { hops.append(try body.uint8()) }
        self.lost = flags & 0x80 != 0 ? lost : nil
        self.duplicates = flags & 0x40 != 0 ? duplicates : nil
        self.jitter = flags & 0x20 != 0 ? jitter : nil
        self.hops = flags & 0x18 != 0 ? hops : nil
    }
}

/// VoIP metrics of the receiver (RFC 3611 §4.7); a value of 127 means unavailable (§4.7.3, §4.7.4).
public struct VoiceMetrics: Sendable, Hashable {
    /// The source.
    public let ssrc: UInt32
    /// Loss rate, discard rate, burst density and gap density, in 256ths.
    public let rates: [UInt8]
    /// Burst duration, gap duration, round-trip delay and end system delay, in milliseconds.
    public let milliseconds: [UInt16]
    /// Signal level and noise level in dBm, signed; residual echo return loss in dB; the gap threshold (Gmin) in
    /// packets.
    public let levels: [UInt8]
    /// R factor, external R factor, MOS-LQ and MOS-CQ; the scores times ten.
    public let quality: [UInt8]
    /// Jitter buffer delay in milliseconds: nominal, maximum so far, absolute maximum.
    public let buffer: [UInt16]

    @_lifetime(body: copy body)
    init(_ body: inout ByteReader) throws(DecodeError) {
        ssrc = try body.uint32()
        rates = try Self.octets(&body)
        var milliseconds: [UInt16] = []
        for _ in 0..<4 { milliseconds.append(try body.uint16()) }
        self.milliseconds = milliseconds
        levels = try Self.octets(&body)
        quality = try Self.octets(&body)
        try body.skip(2)
        var buffer: [UInt16] = []
        for _ in 0..<3 { buffer.append(try body.uint16()) }
        self.buffer = buffer
    }

    @_lifetime(body: copy body)
    private static func octets(_ body: inout ByteReader) throws(DecodeError) -> [UInt8] {
        var octets: [UInt8] = []
        for _ in 0..<4 { octets.append(try body.uint8()) }
        return octets
    }
}

extension PacketRun {
    /// Returns the fields of a loss or duplicate block.
    func fields(isOfLosses: Bool) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("beginSequence", Int(begin))
        fields.add("endSequence", Int(end))
        if thinning > 0 { fields.add("thinning", Int(thinning)) }
        fields.add(isOfLosses ? "lost" : "duplicates", zeros)
        return fields
    }
}

extension StatisticsSummary {
    /// The fields of a block.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("beginSequence", Int(begin))
        fields.add("endSequence", Int(end))
        fields.add("lost", lost.map(Int.init))
        fields.add("duplicates", duplicates.map(Int.init))
        let names = ["min", "max", "mean", "deviation"]
        if let jitter {
            fields.add("jitter", .object(zip(names, jitter).map { Field($0, .integer(Int($1))) }))
        }
        if let hops { fields.add("hops", .object(zip(names, hops).map { Field($0, .integer(Int($1))) })) }
        return fields
    }
}

extension VoiceMetrics {
    private static let unknown: UInt8 = 127

    /// The fields of a block.
    var fields: [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        for (name, rate) in zip(["lossPercent", "discardPercent", "burstDensityPercent", "gapDensityPercent"], rates) {
            fields.add(name, Double(rate) * 100 / 256)
        }
        for (name, time) in zip(["burstMs", "gapMs", "roundTripMs", "endSystemDelayMs"], milliseconds) {
            fields.add(name, Int(time))
        }
        for (name, value) in zip(["signalLevelDbm", "noiseLevelDbm"], levels) where value != Self.unknown {
            fields.add(name, Int(Int8(bitPattern: value)))
        }
        if let echo = levels.dropFirst(2).first, echo != Self.unknown { fields.add("echoReturnLossDb", Int(echo)) }
        for (name, value) in zip(["rFactor", "externalRFactor"], quality) where value != Self.unknown {
            fields.add(name, Int(value))
        }
        for (name, value) in zip(["mosListening", "mosConversation"], quality.dropFirst(2)) where value != Self.unknown
        {
            fields.add(name, Double(value) / 10)
        }
        for (name, time) in zip(["bufferNominalMs", "bufferMaximumMs", "bufferAbsoluteMaximumMs"], buffer) {
            fields.add(name, Int(time))
        }
        return fields
    }
}
