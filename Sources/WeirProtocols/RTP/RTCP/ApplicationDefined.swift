public import WeirEngine
import WeirPackets

/// An application-defined RTCP packet (RFC 3550 §6.7).
public struct ApplicationDefined: Message {
    /// The sender.
    public let ssrc: UInt32
    /// Five bits defined by the application.
    public let subtype: UInt8
    /// The four-character name of the application.
    public let name: String
    /// Application-dependent data.
    public let data: [UInt8]
    /// The data as a message of RIST, if the name says so.
    public let rist: RISTMessage?

    /// Parses the body of an APP packet; `subtype` is from its header.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, subtype: UInt8) throws(DecodeError) {
        self.subtype = subtype
        ssrc = try reader.uint32()
        name = try reader.span(4).text()
        let rest = reader.rest()
        data = rest.array()
        rist = name == RISTMessage.name ? RISTMessage(subtype: subtype, rest) : nil
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `application`.
    public var kind: String { "application" }

    /// Returns name, subtype and size.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        rist.map { $0.wording(ssrc) }
            ?? "application data \(name), subtype \(subtype), \(data.count, "octet", "octets")"
    }

    /// An explanation of the packet type.
    public var note: Text? {
        switch rist {
        case .rangeNACK: Text("rtcp.transportFeedback.nack")
        case .echoRequest: Text("rtcp.rist.echo")
        case .echoResponse: nil
        case nil: Text("rtcp.application")
        }
    }

    /// Returns the fields of the packet.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("subtype", Int(subtype))
        fields.add("name", name)
        fields.add("dataLength", data.count)
        if let rist { fields += rist.fields }
        return fields
    }
}

extension ApplicationDefined {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
