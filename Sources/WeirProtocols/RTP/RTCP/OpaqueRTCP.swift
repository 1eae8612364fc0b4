public import WeirEngine
import WeirPackets

/// An RTCP packet with an unparsed body: of unknown type, or encrypted (SRTCP, RFC 3711 §3.4).
public struct OpaqueRTCP: Message {
    /// Packet type.
    public let packetType: UInt8
    /// The five-bit count or subtype in the header.
    public let count: UInt8
    /// The SSRC in the unencrypted part of the packet, if present.
    public let ssrc: UInt32?
    /// Octets of the packet.
    public let octets: Int
    /// Whether it is encrypted, as opposed to unknown.
    public let isEncrypted: Bool

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The kind of the packet type; unsupported types are application-specific.
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

    /// Returns packet type and size.
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

    /// An explanation of why the body is not shown.
    public var note: Text? { isEncrypted ? Text("rtcp.encrypted") : Text("rtcp.unknown") }

    /// Returns the unencrypted fields.
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
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
