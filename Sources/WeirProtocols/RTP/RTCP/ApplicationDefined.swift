public import WeirEngine
import WeirPackets

/// An application-defined RTCP packet (RFC 3550 §6.7).
public struct ApplicationDefined: Message {
    /// Who sends it.
    public let ssrc: UInt32
    /// Five bits for the application's own use.
    public let subtype: UInt8
    /// Four characters that name the application's format.
    public let name: String
    /// The application's data.
    public let data: [UInt8]

    /// Reads the body of an APP packet; `subtype` stands in its header.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, subtype: UInt8) throws(DecodeError) {
        self.subtype = subtype
        ssrc = try reader.uint32()
        name = try reader.span(4).text()
        data = reader.rest().array()
    }

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// `application`.
    public var kind: String { "application" }

    /// Name, subtype and size.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        "application data \(name), subtype \(subtype), \(data.count, "octet", "octets")"
    }

    /// Says what such a packet is for.
    public var note: Text? { Text("rtcp.application") }

    /// The members of the packet.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(ssrc))
        fields.add("subtype", Int(subtype))
        fields.add("name", name)
        fields.add("dataLength", data.count)
        return fields
    }
}

extension ApplicationDefined {
    /// They come all the time.
    public var recurrence: String? { kind }
}
