import WeirEngine
import WeirPackets

/// VP8-DESC: the payload descriptor fits, S is on the first packet of each frame and of each partition alone, and PictureID goes up
/// by one with each frame (RFC 7741 §4.2).
struct VP8Descriptor: PacketFaultRule {
    static let info = RuleInfo(
        "VP8-DESC", .error, .must, reference: "RFC 7741 §4.2",
        check: "The payload descriptor fits the payload; S begins each frame, and PictureID counts frames.",
        example: "PictureID 17, then 19, no packet missing")
    static let forms = [
        FaultForm(.descriptor, "VP8-DESC.short"), FaultForm(.pictureID, "VP8-DESC.pictureID"),
        FaultForm(.frameStart, "VP8-DESC.start"), FaultForm(.frameStartAgain, "VP8-DESC.again"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.vp8) }
}

/// VP9-DESC: the payload descriptor fits and does not contradict itself, B is on the first packet of each frame alone and E on its
/// last, and PictureID goes up by one with each picture (RFC 9628 §4.2).
///
/// Where packets have layer indices, a middlebox may have left out pictures: then numbers may be missing.
struct VP9Descriptor: PacketFaultRule {
    static let info = RuleInfo(
        "VP9-DESC", .error, .must, reference: "RFC 9628 §4.2",
        check: "The payload descriptor fits the payload; B begins each frame, E ends it; PictureID counts pictures.",
        example: "04 …: E without B, behind a packet with E")
    static let forms = [
        FaultForm(.descriptor, "VP9-DESC.short"), FaultForm(.descriptorFields, "VP9-DESC.fields"),
        FaultForm(.frameStart, "VP9-DESC.start"), FaultForm(.frameStartAgain, "VP9-DESC.again"),
        FaultForm(.pictureID, "VP9-DESC.pictureID", severity: .warning),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.vp9) }
}

/// AV1-OBU: the OBU elements fill the payload, as many as W says, one at least; Z and Y say where an OBU goes on from the packet
/// before and in the next; a packet that begins a coded video sequence begins an OBU (RTP Payload Format For AV1 §4.4, §4.5).
struct AV1Aggregation: PacketFaultRule {
    private static let header = "RTP Payload Format For AV1 §4.4"

    static let info = RuleInfo(
        "AV1-OBU", .error, .must, reference: header,
        check: "The OBU elements fill the payload; Z and Y say which of them go on; N and Z are not both set.",
        example: "10 …, then 90 …: Z, though no OBU was left unfinished")
    static let forms = [
        FaultForm(.descriptor, "AV1-OBU.size", reference: "RTP Payload Format For AV1 §4.5"),
        FaultForm(.fragmentWithoutStart, "AV1-OBU.noStart"), FaultForm(.fragmentWithoutEnd, "AV1-OBU.noEnd"),
        FaultForm(.descriptorFields, "AV1-OBU.sequence"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.av1) }
}
