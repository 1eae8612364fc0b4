public import WeirEngine
import WeirPackets

/// Transport layer feedback (RFC 4585 §6.2).
public struct TransportFeedback: Message {
    /// The contents of the feedback message.
    public enum Content: Sendable, Hashable {
        /// Sequence numbers of lost packets (RFC 4585 §6.2.1).
        case nack([UInt16])
        /// Transport-wide congestion control feedback: the first transport-wide sequence number, the number of packets
        /// reported, and the number lost, or nil if the status chunks are truncated.
        case transportWide(base: UInt16, count: UInt16, lost: Int?)
        /// TMMBR: the maximum bit rates requested of senders (RFC 5104 §4.2.1).
        case maximumBitrateRequest([BitrateBound])
        /// TMMBN: the bit rate limits of a sender (RFC 5104 §4.2.2).
        case maximumBitrateNotification([BitrateBound])
        /// A type that is not parsed further.
        case other(octets: Int)
    }

    /// A bit rate limit (RFC 5104 §4.2.1.1, §4.2.2.1).
    public struct BitrateBound: Sendable, Hashable {
        /// The sender it is requested of, or the participant that requested it.
        public var ssrc: UInt32
        /// The maximum total media bit rate, in bit/s.
        public var bitrate: Double
        /// Measured header overhead per packet, in octets.
        public var overhead: UInt16
    }

    /// Maximum sequence numbers parsed from one NACK; a datagram could contain some 280 000.
    private static let maximumNumbers = 8_192

    /// The feedback sender.
    public let senderSSRC: UInt32
    /// The media source.
    public let mediaSSRC: UInt32
    /// Feedback message type.
    public let format: UInt8
    /// The parsed contents.
    public let content: Content

    /// Parses the body of a transport layer feedback message; `format` is from its header.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, format: UInt8) throws(DecodeError) {
        self.format = format
        senderSSRC = try reader.uint32()
        mediaSSRC = try reader.uint32()
        switch format {
        case 1:
            var lost: [UInt16] = []
            repeat {
                let first = try reader.uint16()
                let following = try reader.uint16()
                lost.append(first)
                // The lowest mask bit is the packet after the first.
                for bit in UInt16(0)..<16 where following & 1 << bit != 0 { lost.append(first &+ bit &+ 1) }
            } while !reader.isAtEnd && lost.count < Self.maximumNumbers
            content = .nack(lost)
        case 15:
            let base = try reader.uint16()
            let count = try reader.uint16()
            content = .transportWide(base: base, count: count, lost: Self.missing(&reader, of: Int(count)))
        case 3: content = .maximumBitrateRequest(try Self.bounds(&reader))
        case 4: content = .maximumBitrateNotification(try Self.bounds(&reader))
        default:
            content = .other(octets: reader.remaining)
        }
    }

    /// Parses the limits in a message: SSRC, 6 bits of exponent, 17 of mantissa, 9 of overhead (RFC 5104 §4.2.1.1).
    @_lifetime(reader: copy reader)
    private static func bounds(_ reader: inout ByteReader) throws(DecodeError) -> [BitrateBound] {
        var bounds: [BitrateBound] = []
        while !reader.isAtEnd {
            let ssrc = try reader.uint32()
            let word = try reader.uint32()
            var bitrate = Double(word >> 9 & 0x1_FFFF)
            for _ in 0..<(word >> 26) { bitrate *= 2 }
            bounds.append(BitrateBound(ssrc: ssrc, bitrate: bitrate, overhead: UInt16(word & 0x1FF)))
        }
        return bounds
    }

    /// Returns how many of `count` packets were lost, from the status chunks after the reference time: run lengths, or
    /// vectors of 14 one-bit or seven two-bit symbols; status 0 is a lost packet.
    @_lifetime(reader: copy reader)
    private static func missing(_ reader: inout ByteReader, of count: Int) -> Int? {
        guard (try? reader.skip(4)) != nil else { return nil }
        var left = count
        var missing = 0
        while left > 0 {
            guard let chunk = try? reader.uint16() else { return nil }
            if chunk & 0x8000 == 0 {
                let length = min(left, Int(chunk & 0x1FFF))
                guard length > 0 else { return nil }
                if chunk >> 13 & 3 == 0 { missing &+= length }
                left &-= length
                continue
            }
            let bits = chunk & 0x4000 == 0 ? 1 : 2
            for place in 0..<min(left, 14 / bits) {
                let status = chunk >> UInt16(14 &- bits &* (place &+ 1)) & (bits == 1 ? 1 : 3)
                if status == 0 { missing &+= 1 }
            }
            left &-= min(left, 14 / bits)
        }
        return missing
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `transportFeedback`.
    public var kind: String { "transportFeedback" }

    /// Returns a one-line summary of the feedback.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        switch content {
        case .nack(let lost):
            let shown = lost.prefix(8).map(String.init).joined(separator: ", ")
            let more: Wording = lost.count > 8 ? " and \(lost.count - 8) more" : ""
            return "NACK: SSRC \(hexadecimal(mediaSSRC)), requests seq \(shown)" + more
        case .transportWide(let base, let count, let lost):
            let words: Wording = "transport-wide feedback: \(count, "packet", "packets") from number \(base)"
            return lost.map { words + ", \($0) lost" } ?? words
        case .maximumBitrateRequest(let bounds): return "TMMBR: requests at most " + Self.wording(bounds, "from")
        case .maximumBitrateNotification(let bounds):
            return bounds.isEmpty ? "TMMBN: no limit" : "TMMBN: limited to " + Self.wording(bounds, "requested by")
        case .other(let octets):
            return "transport feedback of type \(format), \(octets, "octet", "octets")"
        }
    }

    /// An explanation of the feedback type.
    public var note: Text? {
        switch content {
        case .nack: Text("rtcp.transportFeedback.nack")
        case .transportWide: Text("rtcp.transportFeedback.transportWide")
        case .maximumBitrateRequest: Text("rtcp.transportFeedback.request")
        case .maximumBitrateNotification: Text("rtcp.transportFeedback.notification")
        case .other: Text("rtcp.transportFeedback")
        }
    }

    /// Returns the fields of the feedback.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(senderSSRC))
        fields.add("mediaSsrc", hexadecimal(mediaSSRC))
        fields.add("fmt", Int(format))
        switch content {
        case .nack(let lost):
            fields.add("type", "nack")
            fields.add("lost", .array(lost.map { .integer(Int($0)) }))
        case .transportWide(let base, let count, let lost):
            fields.add("type", "transportWide")
            fields.add("baseSequenceNumber", Int(base))
            fields.add("packetStatusCount", Int(count))
            fields.add("lost", lost)
        case .maximumBitrateRequest(let bounds):
            fields.add("type", "tmmbr")
            fields.add("bounds", Self.value(bounds))
        case .maximumBitrateNotification(let bounds):
            fields.add("type", "tmmbn")
            fields.add("bounds", Self.value(bounds))
        case .other(let octets):
            fields.add("fciLength", octets)
        }
        return fields
    }
}

extension TransportFeedback {
    private static func wording(_ bounds: [BitrateBound], _ whose: String) -> Wording {
        let list = bounds.prefix(8).map { bound -> Wording in
            "\(grouped(Int64(min(bound.bitrate, 9e18)) / 1000)) kbit/s " + Wording(phrase: whose)
                + " SSRC \(hexadecimal(bound.ssrc))"
        }
        return list.joined(separator: ", ")
    }

    private static func value(_ bounds: [BitrateBound]) -> FieldValue {
        .array(
            bounds.map {
                .object([
                    Field("ssrc", .string(hexadecimal($0.ssrc))), Field("bitrate", .double($0.bitrate)),
                    Field("overhead", .integer(Int($0.overhead))),
                ])
            })
    }

    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
