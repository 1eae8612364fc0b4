public import WeirEngine
import WeirPackets

/// Feedback about the transport of packets (RFC 4585 §6.2).
public struct TransportFeedback: Message {
    /// What the feedback says.
    public enum Content: Sendable, Hashable {
        /// Sequence numbers of packets that did not arrive (RFC 4585 §6.2.1).
        case nack([UInt16])
        /// Arrival times of packets, by their transport-wide number: the first number, and how many are reported.
        case transportWide(base: UInt16, count: UInt16)
        /// A type that is not read further (RFC 5104 §4.2 has 3 TMMBR and 4 TMMBN).
        case other(octets: Int)
    }

    /// Most sequence numbers read from one NACK; a datagram could hold some 280 000.
    private static let maximumNumbers = 8_192

    /// Who sends the feedback.
    public let senderSSRC: UInt32
    /// The source that it is about.
    public let mediaSSRC: UInt32
    /// Feedback message type.
    public let format: UInt8
    /// What it says.
    public let content: Content

    /// Reads the body of a transport layer feedback message; `format` stands in its header.
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
                // The lowest bit of the mask is the packet after the first.
                for bit in UInt16(0)..<16 where following & 1 << bit != 0 { lost.append(first &+ bit &+ 1) }
            } while !reader.isAtEnd && lost.count < Self.maximumNumbers
            content = .nack(lost)
        case 15:
            content = .transportWide(base: try reader.uint16(), count: try reader.uint16())
        default:
            content = .other(octets: reader.remaining)
        }
    }

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// `transportFeedback`.
    public var kind: String { "transportFeedback" }

    /// The feedback in one line.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        switch content {
        case .nack(let lost):
            let shown = lost.prefix(8).map(String.init).joined(separator: ", ")
            let more: Wording = lost.count > 8 ? " and \(lost.count - 8) more" : ""
            return "NACK: asks SSRC \(hexadecimal(mediaSSRC)) again for seq \(shown)" + more
        case .transportWide(let base, let count):
            return "transport-wide feedback on \(count, "packet", "packets") from number \(base)"
        case .other(let octets):
            return "transport feedback of type \(format), \(octets, "octet", "octets")"
        }
    }

    /// Says what the feedback is for.
    public var note: Text? {
        switch content {
        case .nack: Text("rtcp.transportFeedback.nack")
        case .transportWide: Text("rtcp.transportFeedback.transportWide")
        case .other: Text("rtcp.transportFeedback")
        }
    }

    /// The members of the feedback.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(senderSSRC))
        fields.add("mediaSsrc", hexadecimal(mediaSSRC))
        fields.add("fmt", Int(format))
        switch content {
        case .nack(let lost):
            fields.add("type", "nack")
            fields.add("lost", .array(lost.map { .integer(Int($0)) }))
        case .transportWide(let base, let count):
            fields.add("type", "transportWide")
            fields.add("baseSequenceNumber", Int(base))
            fields.add("packetStatusCount", Int(count))
        case .other(let octets):
            if format == 3 { fields.add("type", "tmmbr") }
            if format == 4 { fields.add("type", "tmmbn") }
            fields.add("fciLength", octets)
        }
        return fields
    }
}

extension TransportFeedback {
    /// They come all the time.
    public var recurrence: String? { kind }
}
