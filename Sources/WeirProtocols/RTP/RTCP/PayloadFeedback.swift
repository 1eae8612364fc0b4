public import WeirEngine
import WeirPackets

/// Payload-specific feedback, such as a key frame request (RFC 4585 §6.3, RFC 5104 §4.3).
public struct PayloadFeedback: Message {
    /// An entry of a full intra request (RFC 5104 §4.3.1.1).
    public struct FullIntraRequest: Sendable, Hashable {
        /// The requested source.
        public var ssrc: UInt32
        /// Incremented for each new request, unchanged in a repetition.
        public var sequenceNumber: UInt8
    }

    /// A lost slice of a picture (RFC 4585 §6.3.2.2).
    public struct LostSlice: Sendable, Hashable {
        /// The first macroblock, counted from 1.
        public var first: UInt16
        /// The number of macroblocks.
        public var count: UInt16
        /// The lowest six bits of the picture ID.
        public var pictureID: UInt8
    }

    /// The contents of the feedback message.
    public enum Content: Sendable, Hashable {
        /// PLI: a picture could not be decoded (RFC 4585 §6.3.1).
        case pictureLossIndication
        /// SLI: parts of a picture are lost (RFC 4585 §6.3.2).
        case sliceLossIndication([LostSlice])
        /// RPSI: a reference picture, as a codec-specific bit string of `bits` bits (RFC 4585 §6.3.3).
        case referencePictureSelection(payloadType: UInt8, bits: Int)
        /// FIR: key frames are requested.
        case fullIntraRequest([FullIntraRequest])
        /// REMB: the receiver's bandwidth estimate in bit/s, and the sources it applies to.
        case maximumBitrate(Double, [UInt32])
        /// Application layer feedback that is not parsed further (RFC 4585 §6.4).
        case application(octets: Int)
        /// Another feedback type.
        case other(octets: Int)
    }

    /// The feedback sender.
    public let senderSSRC: UInt32
    /// The media source; 0 if the sources are in the feedback control information.
    public let mediaSSRC: UInt32
    /// Feedback message type.
    public let format: UInt8
    /// The parsed contents.
    public let content: Content

    /// Parses the body of a payload-specific feedback message; `format` is from its header.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, format: UInt8) throws(DecodeError) {
        self.format = format
        senderSSRC = try reader.uint32()
        mediaSSRC = try reader.uint32()
        switch format {
        case 1: content = .pictureLossIndication
        case 2:
            var slices: [LostSlice] = []
            repeat {
                let word = try reader.uint32()
                slices.append(
                    LostSlice(
                        first: UInt16(word >> 19), count: UInt16(word >> 6 & 0x1FFF), pictureID: UInt8(word & 0x3F)))
            } while !reader.isAtEnd
            content = .sliceLossIndication(slices)
        case 3:
            let padding = Int(try reader.uint8())
            let type = try reader.uint8() & 0x7F
            content = .referencePictureSelection(payloadType: type, bits: max(0, reader.remaining &* 8 &- padding))
        case 4:
            var requests: [FullIntraRequest] = []
            repeat {
                let ssrc = try reader.uint32()
                requests.append(.init(ssrc: ssrc, sequenceNumber: UInt8(try reader.uint32() >> 24)))
            } while !reader.isAtEnd
            content = .fullIntraRequest(requests)
        case 15: content = try Self.applicationLayer(&reader)
        default: content = .other(octets: reader.remaining)
        }
    }

    /// Parses application layer feedback. The "REMB" message (draft-alvestrand-rmcat-remb) is widely used: four
    /// characters, a count of sources, 6 bits of exponent, 18 bits of mantissa, and the sources.
    @_lifetime(reader: copy reader)
    private static func applicationLayer(_ reader: inout ByteReader) throws(DecodeError) -> Content {
        let octets = reader.remaining
        guard octets >= 8, try reader.uint32() == 0x5245_4D42 else { return .application(octets: octets) }
        let word = try reader.uint32()
        var bitrate = Double(word & 0x3_FFFF)
        for _ in 0..<(word >> 18 & 0x3F) { bitrate *= 2 }
        var sources: [UInt32] = []
        for _ in 0..<(word >> 24) { sources.append(try reader.uint32()) }
        return .maximumBitrate(bitrate, sources)
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `payloadFeedback`.
    public var kind: String { "payloadFeedback" }

    /// The short feedback name, as in `a=rtcp-fb`.
    public var type: String {
        switch content {
        case .pictureLossIndication: "pli"
        case .sliceLossIndication: "sli"
        case .referencePictureSelection: "rpsi"
        case .fullIntraRequest: "fir"
        case .maximumBitrate: "remb"
        case .application: "app"
        case .other: format == 5 ? "tstr" : format == 6 ? "tstn" : format == 7 ? "vbcm" : "other"
        }
    }

    /// Returns a one-line summary of the feedback.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        switch content {
        case .pictureLossIndication: return "PLI: picture loss in SSRC \(hexadecimal(mediaSSRC))"
        case .sliceLossIndication(let slices):
            let list = slices.prefix(8).map { slice -> Wording in
                "\(Int(slice.count), "macroblock", "macroblocks") from \(slice.first) (picture \(slice.pictureID))"
            }
            return "SLI: slice loss in SSRC \(hexadecimal(mediaSSRC)): " + list.joined(separator: ", ")
        case .referencePictureSelection: return "RPSI: selects a reference picture of SSRC \(hexadecimal(mediaSSRC))"
        case .fullIntraRequest(let requests):
            let list = requests.map { "\(hexadecimal($0.ssrc)) (number \($0.sequenceNumber))" }
            return "FIR: requests a key frame of SSRC \(list.joined(separator: ", "))"
        case .maximumBitrate(let bitrate, let sources):
            let list = sources.map(hexadecimal).joined(separator: ", ")
            return "REMB: at most \(grouped(Int64(min(bitrate, 9e18)) / 1000)) kbit/s from SSRC \(list)"
        case .application(let octets): return "application feedback, \(octets, "octet", "octets")"
        case .other(let octets): return "payload feedback of type \(format), \(octets, "octet", "octets")"
        }
    }

    /// An explanation of the feedback type.
    public var note: Text? {
        switch content {
        case .pictureLossIndication: Text("rtcp.payloadFeedback.pli")
        case .fullIntraRequest: Text("rtcp.payloadFeedback.fir")
        case .maximumBitrate: Text("rtcp.payloadFeedback.remb")
        default: Text("rtcp.payloadFeedback")
        }
    }

    /// Returns the fields of the feedback.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(senderSSRC))
        fields.add("mediaSsrc", hexadecimal(mediaSSRC))
        fields.add("fmt", Int(format))
        fields.add("type", type)
        switch content {
        case .fullIntraRequest(let requests):
            let list = requests.map {
                FieldValue.object([
                    Field("ssrc", .string(hexadecimal($0.ssrc))), Field("seqNr", .integer(Int($0.sequenceNumber))),
                ])
            }
            fields.add("requests", .array(list))
        case .sliceLossIndication(let slices):
            let list = slices.map {
                FieldValue.object([
                    Field("first", .integer(Int($0.first))), Field("number", .integer(Int($0.count))),
                    Field("pictureId", .integer(Int($0.pictureID))),
                ])
            }
            fields.add("slices", .array(list))
        case .referencePictureSelection(let type, let bits):
            fields.add("payloadType", Int(type))
            fields.add("bits", bits)
        case .maximumBitrate(let bitrate, let sources):
            fields.add("bitrate", bitrate)
            fields.add("sources", .array(sources.map { .string(hexadecimal($0)) }))
        case .application(let octets), .other(let octets): fields.add("fciLength", octets)
        default: break
        }
        return fields
    }
}

extension PayloadFeedback {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
