public import WeirEngine
import WeirPackets

/// Feedback about what packets carry, such as the request for a new key frame (RFC 4585 §6.3, RFC 5104 §4.3).
public struct PayloadFeedback: Message {
    /// A request for a full picture from one source (RFC 5104 §4.3.1.1).
    public struct FullIntraRequest: Sendable, Hashable {
        /// The source that is asked.
        public var ssrc: UInt32
        /// Grows by 1 with each new request; a repetition keeps it.
        public var sequenceNumber: UInt8
    }

    /// A part of a picture that is missing (RFC 4585 §6.3.2.2).
    public struct LostSlice: Sendable, Hashable {
        /// The first macroblock, counted from 1.
        public var first: UInt16
        /// How many macroblocks.
        public var count: UInt16
        /// The lowest six bits of the picture's number.
        public var pictureID: UInt8
    }

    /// What the feedback says.
    public enum Content: Sendable, Hashable {
        /// A picture could not be shown (RFC 4585 §6.3.1).
        case pictureLossIndication
        /// Parts of a picture are missing (RFC 4585 §6.3.2).
        case sliceLossIndication([LostSlice])
        /// Which picture may serve as reference, in so many bits of the codec's own (RFC 4585 §6.3.3).
        case referencePictureSelection(payloadType: UInt8, bits: Int)
        /// Full pictures are asked for.
        case fullIntraRequest([FullIntraRequest])
        /// The receiver's estimate of the bandwidth, in bit/s, and the sources that it is about.
        case maximumBitrate(Double, [UInt32])
        /// Application layer feedback that is not read further (RFC 4585 §6.4).
        case application(octets: Int)
        /// Another type.
        case other(octets: Int)
    }

    /// Who sends the feedback.
    public let senderSSRC: UInt32
    /// The source that it is about; 0 where the feedback itself names the sources.
    public let mediaSSRC: UInt32
    /// Feedback message type.
    public let format: UInt8
    /// What it says.
    public let content: Content

    /// Reads the body of a payload-specific feedback message; `format` stands in its header.
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

    /// Application layer feedback, of which the "REMB" message (draft-alvestrand-rmcat-remb) is in wide use: the four
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

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// `payloadFeedback`.
    public var kind: String { "payloadFeedback" }

    /// The short name of the feedback, as in `a=rtcp-fb`.
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

    /// The feedback in one line.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        switch content {
        case .pictureLossIndication: return "PLI: a picture of SSRC \(hexadecimal(mediaSSRC)) is lost"
        case .sliceLossIndication(let slices):
            let list = slices.prefix(8).map { slice -> Wording in
                "\(Int(slice.count), "macroblock", "macroblocks") from \(slice.first) on (picture \(slice.pictureID))"
            }
            return "SLI: SSRC \(hexadecimal(mediaSSRC)) is lost in part: " + list.joined(separator: ", ")
        case .referencePictureSelection: return "RPSI: names a reference picture of SSRC \(hexadecimal(mediaSSRC))"
        case .fullIntraRequest(let requests):
            let list = requests.map { "\(hexadecimal($0.ssrc)) (number \($0.sequenceNumber))" }
            return "FIR: asks for a full picture of SSRC \(list.joined(separator: ", "))"
        case .maximumBitrate(let bitrate, let sources):
            let list = sources.map(hexadecimal).joined(separator: ", ")
            return "REMB: room for \(grouped(Int64(min(bitrate, 9e18)) / 1000)) kbit/s from SSRC \(list)"
        case .application(let octets): return "application feedback, \(octets, "octet", "octets")"
        case .other(let octets): return "payload feedback of type \(format), \(octets, "octet", "octets")"
        }
    }

    /// Says what the feedback is for.
    public var note: Text? {
        switch content {
        case .pictureLossIndication: Text("rtcp.payloadFeedback.pli")
        case .fullIntraRequest: Text("rtcp.payloadFeedback.fir")
        case .maximumBitrate: Text("rtcp.payloadFeedback.remb")
        default: Text("rtcp.payloadFeedback")
        }
    }

    /// The members of the feedback.
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
    /// They come all the time.
    public var recurrence: String? { kind }
}
