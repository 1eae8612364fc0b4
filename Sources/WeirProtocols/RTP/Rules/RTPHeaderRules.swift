import WeirEngine
import WeirPackets

/// RTP-VERSION: the version is 2 (RFC 3550 §5.1, §A.1).
///
/// A packet of another version still belongs to the stream of its SSRC, so its sequence number is not missing.
struct RTPVersion: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-VERSION", .error, .plain, reference: "RFC 3550 §5.1", check: "Every packet has version 2.",
        example: "40 60 00 01 …: version 1")
    static let forms = [FaultForm(.version, "RTP-VERSION.other")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
}

/// RTP-LENGTH: fixed header and contributing sources fit the packet (RFC 3550 §5.1, §A.1).
struct RTPLength: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-LENGTH", .error, .plain, reference: "RFC 3550 §5.1",
        check:
            "The header with its contributing sources fits in the packet.",
        example: "CC = 15 in a packet of 40 octets")
    static let forms = [FaultForm(.length, "RTP-LENGTH.short")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
}

/// RTP-PADDING: if P is set, the last octet is the padding count, itself included (RFC 3550 §5.1, §A.1).
///
/// In SRTP that octet is encrypted (RFC 3711 §3.1), which is unknown without signaling.
struct RTPPadding: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-PADDING", .error, .plain, reference: "RFC 3550 §5.1",
        check: "With P set, the last octet is between 1 and the length of the payload.",
        example: "P set, last octet 0")
    static let forms = [FaultForm(.padding, "RTP-PADDING.count")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { !stream.isEncrypted }
    static func isCertain(_ stream: RTPStreamDetails) -> Bool { stream.agreement.isDescribed }
}

/// RTP-EXT-LEN: a header extension fits the packet (RFC 3550 §5.3.1, §A.1).
struct RTPExtensionLength: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-EXT-LEN", .error, .plain, reference: "RFC 3550 §5.3.1",
        check: "The header extension fits in the packet.",
        example: "X set, BE DE 01 00 in a packet of 200 octets")
    static let forms = [FaultForm(.extensionLength, "RTP-EXT-LEN.long")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
}

/// RTP-EXT-BLOCK: the elements of a header extension fit it (RFC 8285 §4.2, §4.3), and none has the identifier 15 in
/// the one-byte form, at which receivers stop parsing.
///
/// Applications with proprietary keys encrypt the elements, too, which is unknown without signaling.
struct RTPExtensionBlock: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-EXT-BLOCK", .error, .must, reference: "RFC 8285 §4.2",
        check: "The elements of a header extension fit in it; id 15 is not used in the one-byte form.",
        example: "BE DE 00 01 F0 00 00 00")
    static let forms = [
        FaultForm(.extensionBlock, "RTP-EXT-BLOCK.long"), FaultForm(.extensionReserved, "RTP-EXT-BLOCK.reserved"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
    static func isCertain(_ stream: RTPStreamDetails) -> Bool { stream.agreement.isDescribed }
}

/// RTP-EXT-MAP: each element is announced by an `a=extmap` line (RFC 8285 §5).
struct RTPExtensionMap: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-EXT-MAP", .warning, .must, reference: "RFC 8285 §5",
        check: "The ids of header extension elements are announced with a=extmap.",
        example: "a=extmap:1 …, and elements with id 3")
    static let forms = [FaultForm(.extensionUnknown, "RTP-EXT-MAP.unknown")]
    static func isCertain(_ stream: RTPStreamDetails, _ session: Session?) -> Bool { isDescribedToTheEnd(session) }
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.agreement.extensions != nil }
}

/// RTP-PT: the payload type was negotiated for the medium (RFC 3550 §5.1, RFC 3264 §6.1).
///
/// Geovision cameras send proprietary packets of payload type 50 along with the video.
struct RTPPayloadType: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-PT", .error, .must, reference: "RFC 3550 §5.1",
        check: "The payload type of every packet is negotiated.",
        example: "m=video 0 RTP/AVP 96, and packets of payload type 97")
    static let forms = [FaultForm(.payloadType, "RTP-PT.unknown")]
    static func isCertain(_ stream: RTPStreamDetails, _ session: Session?) -> Bool { isDescribedToTheEnd(session) }
    static func judges(_ stream: RTPStreamDetails) -> Bool { !stream.agreement.hasUnknownTypes }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard Self.judges(media) else {
            judgement.notApplicable()
            return
        }
        guard let entry = media.faults[.payloadType] else {
            judgement.pass()
            return
        }
        // Media that share a place are known by their payload types alone.
        if session?.mediaOwner?.sharesPlace(ofPayloadType: UInt8(clamping: entry.detail)) == true {
            judgement.notApplicable()
            return
        }
        let count = (media.countsByType + media.stream.types.others).reduce(0) {
            $0 + (media.agreement.value.allows($1.type) ? 0 : $1.packets)
        }
        let message = Text(
            "RTP-PT.unknown", .integer(max(count, 1)), .integer(media.packets), .integer(entry.detail),
            .string(entry.names), .integer(entry.frames.count))
        guard Self.isCertain(media, session) else {
            judgement.inconclusive(message, subject: stream.mediaType ?? "", frame: entry.frames.first)
            return
        }
        let isCamera = entry.detail == 50 && media.mainFormat?.payload == .h264
        judgement.fail(
            message, expected: .wire(media.agreement.payloadTypes.map(String.init).joined(separator: ", ")),
            actual: .wire(String(entry.detail)), quirk: isCamera ? "Q-H264" : nil,
            subject: stream.mediaType ?? "", frame: entry.frames.first, time: entry.time)
    }
}

/// RTP-PT-MUX: if RTP and RTCP share a port, no payload type is between 64 and 95 (RFC 5761 §4).
struct RTPPayloadTypeMux: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-PT-MUX", .error, .must, reference: "RFC 5761 §4",
        check: "With a=rtcp-mux, no payload type is between 64 and 95.", example: "a=rtcp-mux, payload type 72")
    static let forms = [FaultForm(.payloadTypeOfRTCP, "RTP-PT-MUX.collides")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.agreement.sharesPort }
}

/// RTP-FRAGMENT: media datagrams are not fragmented by IP (RFC 8085 §3.2): one lost fragment loses the packet.
struct RTPFragment: PacketFaultRule {
    static let info = RuleInfo(
        "RTP-FRAGMENT", .warning, .should, reference: "RFC 8085 §3.2",
        check: "Media packets are not fragmented by IP.", example: "RTP of 3 000 octets in two IP fragments")
    static let forms = [FaultForm(.fragmentedDatagram, "RTP-FRAGMENT.fragmented")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { true }
}
