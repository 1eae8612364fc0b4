import WeirEngine
import WeirPackets

/// VP8-DESC: the payload descriptor fits, S is set only on the first packet of each frame and partition, and PictureID
/// is incremented for each frame (RFC 7741 §4.2).
struct VP8Descriptor: PacketFaultRule {
    static let info = RuleInfo(
        "VP8-DESC", .error, .must, reference: "RFC 7741 §4.2",
        check:
            "The payload descriptor is complete; S marks the start of frames, and PictureID increases by one per "
            + "frame.",
        example: "PictureID 17, then 19, no packet missing")
    static let forms = [
        FaultForm(.descriptor, "VP8-DESC.short"), FaultForm(.pictureID, "VP8-DESC.pictureID"),
        FaultForm(.frameStart, "VP8-DESC.start"), FaultForm(.frameStartAgain, "VP8-DESC.again"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.vp8) }
}

/// VP9-DESC: the payload descriptor fits and is consistent, B is set only on the first packet of each frame and E on
/// its last, and PictureID is incremented for each picture (RFC 9628 §4.2).
///
/// If packets have layer indices, a middlebox may have removed pictures, so picture IDs may be missing.
struct VP9Descriptor: PacketFaultRule {
    static let info = RuleInfo(
        "VP9-DESC", .error, .must, reference: "RFC 9628 §4.2",
        check: "The payload descriptor is complete; B and E mark frames, and PictureID increases by one per picture.",
        example: "04 …: E without B, after a packet with E")
    static let forms = [
        FaultForm(.descriptor, "VP9-DESC.short"), FaultForm(.descriptorFields, "VP9-DESC.fields"),
        FaultForm(.frameStart, "VP9-DESC.start"), FaultForm(.frameStartAgain, "VP9-DESC.again"),
        FaultForm(.pictureID, "VP9-DESC.pictureID", severity: .warning),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.vp9) }
}

/// AV1-OBU: the payload is filled by the number of OBU elements in W, at least one; Z and Y indicate an OBU continued
/// from the previous packet and in the next; a packet that begins a coded video sequence begins an OBU (RTP Payload
/// Format For AV1 §4.4, §4.5).
struct AV1Aggregation: PacketFaultRule {
    private static let header = "RTP Payload Format For AV1 §4.4"

    static let info = RuleInfo(
        "AV1-OBU", .error, .must, reference: header,
        check: "OBU elements match the payload, and continue as Z and Y indicate; N and Z are not both set.",
        example: "10 …, then 90 …: Z, although no OBU was started")
    static let forms = [
        FaultForm(.descriptor, "AV1-OBU.size", reference: "RTP Payload Format For AV1 §4.5"),
        FaultForm(.fragmentWithoutStart, "AV1-OBU.noStart"), FaultForm(.fragmentWithoutEnd, "AV1-OBU.noEnd"),
        FaultForm(.descriptorFields, "AV1-OBU.sequence"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.av1) }
}
