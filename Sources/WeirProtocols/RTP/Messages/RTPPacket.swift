public import WeirEngine
import WeirPackets

/// An RTP data packet, for packet-by-packet reports.
public struct RTPPacket: Message {
    /// The header.
    public var header: RTPHeader
    /// Contributing sources.
    public var csrcs: [UInt32]
    /// The header extension, parsed according to RFC 8285.
    public var headerExtension: RTPHeaderExtension?
    /// Names of header extension elements by identifier (`a=extmap`).
    package var extensionNames: [UInt8: String] = [:]
    /// The payload, as far as its format is known.
    package var payload: RTPPayload

    /// Creates a packet from its header and octets.
    ///
    /// - Parameters:
    ///   - header: the header parsed from `bytes`.
    ///   - bytes: the packet, as captured.
    ///   - format: the payload format, from the session description or the static payload type.
    package init(_ header: RTPHeader, _ bytes: RawSpan, format: RTPPayloadFormat) {
        self.header = header
        csrcs = header.csrcCount == 0 ? [] : header.csrcs(in: bytes)
        headerExtension = header.hasExtension ? RTPHeaderExtension(header, in: bytes) : nil
        let range = header.payloadRange
        payload = RTPPayload(bytes.clamped(range.lowerBound, range.upperBound), format: format)
    }

    /// The protocol name, `rtp`.
    public var protocolName: String { "rtp" }
    /// The message kind, `packet`.
    public var kind: String { "packet" }

    /// Returns payload type, sequence number, timestamp, and payload contents.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        var text: Wording =
            "payload type \(header.payloadType), SSRC \(hexadecimal(header.ssrc)), seq \(header.sequenceNumber), timestamp \(header.timestamp)"
        if header.marker { text += ", marker" }
        if let content = payload.wording { text += ", " + content }
        return text
    }

    /// Writes the same summary; appending in place is much cheaper than interpolation for every packet.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        line.append("payload type ")
        line.appendDecimal(Int(header.payloadType))
        line.append(", SSRC ")
        line.appendIdentifier(header.ssrc)
        line.append(", seq ")
        line.appendDecimal(Int(header.sequenceNumber))
        line.append(", timestamp ")
        line.appendDecimal(Int(header.timestamp))
        if header.marker { line.append(", marker") }
        if let content = payload.wording {
            line.append(", ")
            line.append(content.english)
        }
    }

    /// Returns the header and payload fields.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.reserveCapacity(8)
        fields.add("ssrc", hexadecimal(header.ssrc))
        fields.add("payloadType", Int(header.payloadType))
        fields.add("sequence", Int(header.sequenceNumber))
        fields.add("timestamp", Int(header.timestamp))
        fields.add("marker", header.marker)
        if let elements = headerExtension?.elements, !elements.isEmpty {
            let list = elements.map { element in
                var members = [
                    Field("id", .integer(Int(element.id))), Field("data", .string(hexadecimal(element.data))),
                ]
                if let uri = extensionNames[element.id] {
                    let value = RTPExtensionValue(uri: uri, data: element.data)
                    members.append(Field("name", .string(value.name)))
                    members += value.fields
                }
                return FieldValue.object(members)
            }
            fields.add("extensions", .array(list))
        }
        if !csrcs.isEmpty { fields.add("csrcs", .array(csrcs.map { .string(hexadecimal($0)) })) }
        fields.add("payload", .object(payload.fields + [Field("length", .integer(header.payloadLength))]))
        return fields
    }
}

extension RTPPacket {
    /// True: there is one per packet.
    public var isRoutine: Bool { true }

    /// Writes the header fields and payload contents; returns false for packets with CSRCs or a header extension.
    public func outline(_ record: inout RecordOutline) -> Bool { Self.outline(header, payload, &record) }

    /// Writes those of a packet, given its parts.
    static func outline(_ header: RTPHeader, _ payload: RTPPayload, _ record: inout RecordOutline) -> Bool {
        guard header.csrcCount == 0, !header.hasExtension else { return false }
        record.number(Int(header.ssrc), field: "ssrc", after: ", SSRC ", as: .identifier)
        record.number(Int(header.sequenceNumber), field: "sequence", after: ", seq ")
        record.number(Int(header.timestamp), field: "timestamp", after: ", timestamp ")
        switch payload {
        case .vp8(let frame): if let number = frame.pictureID { record.number(Int(number), field: "pictureId") }
        case .vp9(let frame): if let number = frame.pictureID { record.number(Int(number), field: "pictureId") }
        case .jpeg(let part): record.number(part.offset, field: "fragmentOffset", after: " at octet ")
        default: break
        }
        record.number(header.payloadLength, field: "length")
        let (form, content) = payload.outline
        record.rest(UInt64(header.payloadType) | (header.marker ? 0x80 : 0), form, content)
        return true
    }
}
