public import WeirEngine
import WeirPackets

/// An RTCP packet whose body is not read: its type is not known, or it is encrypted (SRTCP, RFC 3711 §3.4).
public struct OpaqueRTCP: Message {
    /// Packet type in the header.
    public let packetType: UInt8
    /// The five bits before it: a count or a subtype.
    public let count: UInt8
    /// The source in the clear part of the packet, if there is one.
    public let ssrc: UInt32?
    /// Octets of the packet.
    public let octets: Int
    /// Whether it is encrypted, as opposed to unknown.
    public let isEncrypted: Bool

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The kind that the packet type has; a type that no specification read here has is an application's own.
    public var kind: String {
        switch packetType {
        case 200: "senderReport"
        case 201: "receiverReport"
        case 202: "sourceDescription"
        case 203: "bye"
        case 204: "application"
        case 205: "transportFeedback"
        case 206: "payloadFeedback"
        case 207: "extendedReport"
        default: "application"
        }
    }

    /// Type and size.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        guard isEncrypted else { return "RTCP packet of type \(packetType), \(octets, "octet", "octets")" }
        let name: Wording =
            switch packetType {
            case 200: "sender report"
            case 201: "receiver report"
            case 202: "source description"
            case 203: "goodbye"
            case 204: "application data"
            case 205: "transport feedback"
            case 206: "payload feedback"
            case 207: "extended report"
            default: "RTCP packet of type \(packetType)"
            }
        return name + ", encrypted (SRTCP), \(octets, "octet", "octets")"
    }

    /// Says why nothing of it is shown.
    public var note: Text? { isEncrypted ? Text("rtcp.encrypted") : Text("rtcp.unknown") }

    /// What is in the clear.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", ssrc.map(hexadecimal))
        fields.add("packetType", Int(packetType))
        fields.add("count", Int(count))
        fields.add("length", octets)
        if isEncrypted { fields.add("encrypted", true) }
        return fields
    }
}

extension OpaqueRTCP {
    /// They come all the time.
    public var recurrence: String? { kind }
}
