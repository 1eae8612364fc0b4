import WeirEngine
import WeirPackets

/// H265-FU: a fragmented NAL unit begins with S, ends with E, and never has both in one fragment (RFC 7798 §4.4.3).
struct H265Fragments: PacketFaultRule {
    static let info = RuleInfo(
        "H265-FU", .error, .must, reference: "RFC 7798 §4.4.3",
        check: "A fragmented NAL unit has S only on its first fragment, E only on its last, and nothing in between.",
        example: "62 01 D3: S and E in one fragment")
    static let forms = [
        FaultForm(.wholeFragment, "H265-FU.whole"), FaultForm(.fragmentWithoutStart, "H265-FU.noStart"),
        FaultForm(.fragmentWithoutEnd, "H265-FU.noEnd"), FaultForm(.changedFragment, "H265-FU.changed"),
        FaultForm(.emptyFragment, "H265-FU.empty"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h265) }
}

/// H265-AP: an aggregation packet is filled by at least two units, none of them a fragment or an aggregation packet
/// (RFC 7798 §4.4.2).
struct H265Aggregation: PacketFaultRule {
    static let info = RuleInfo(
        "H265-AP", .error, .must, reference: "RFC 7798 §4.4.2",
        check: "An aggregation packet consists of two or more NAL units, without fragments.",
        example: "60 01 00 40 40 01 …: 64 octets announced, 20 present")
    static let forms = [
        FaultForm(.aggregationSize, "H265-AP.size"), FaultForm(.nestedUnit, "H265-AP.nested"),
        FaultForm(.loneUnit, "H265-AP.lone"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h265) }
}

/// H265-SPROP: the parameter sets in the description are those in the stream (RFC 7798 §7.1), and all three kinds are in
/// the description, or in the stream before the first picture.
struct H265ParameterSets: Rule {
    static let info = RuleInfo(
        "H265-SPROP", .warning, .plain, reference: "RFC 7798 §7.1",
        check: "sprop-vps, sprop-sps and sprop-pps are the parameter sets of the stream.",
        example: "sprop-sps of 1280×720, and a sequence parameter set of 1920×1080 in the stream")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard media.isMostly(.h265), let sets = media.content.h265?.sets else {
            judgement.notApplicable()
            return
        }
        let kinds: [(type: UInt8, name: String)] = [(32, "sprop-vps"), (33, "sprop-sps"), (34, "sprop-pps")]
        if let (type, name) = kinds.first(where: { sets.foreign($0.type) != nil }) {
            judgement.fail(
                Text("H265-SPROP.differs", .string(name)), subject: name, frame: sets.foreign(type)?.frame,
                time: sets.foreign(type)?.time)
            return
        }
        let missing = media.seesParameterSets(session) ? Set(sets.missing(kinds.map(\.type))) : []
        guard missing.isEmpty else {
            let names = kinds.filter { missing.contains($0.type) }.map(\.name)
            let message = Text("H265-SPROP.missing", .string(names.joined(separator: ", ")))
            let place = sets.keyframe?.place
            guard session?.completeness.lacksMessages != true else {
                return judgement.inconclusive(message, subject: "missing", frame: place?.frame, time: place?.time)
            }
            return judgement.fail(message, subject: "missing", frame: place?.frame, time: place?.time)
        }
        if sets.hasAnnounced { judgement.pass() } else { judgement.notApplicable() }
    }
}

/// H265-FBIT: the `forbidden_zero_bit` is clear; it may be set for a known syntax violation (RFC 7798 §1.1.4).
struct H265ForbiddenBit: PacketFaultRule {
    static let info = RuleInfo(
        "H265-FBIT", .warning, .plain, reference: "RFC 7798 §1.1.4",
        check: "The forbidden_zero_bit of NAL units is 0.", example: "A6 01 … instead of 26 01 …")
    static let forms = [FaultForm(.forbiddenBit, "H265-FBIT.set")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h265) }
}

/// H265-ANNEXB: the payload is a NAL unit, whose header is the payload header (RFC 7798 §4.4.1), without the start
/// codes of the byte stream format.
struct H265StartCode: PacketFaultRule {
    static let info = RuleInfo(
        "H265-ANNEXB", .warning, .plain, reference: "RFC 7798 §4.4.1",
        check: "Payloads have no start codes of the byte stream format.", example: "00 00 00 01 40 01 …")
    static let forms = [FaultForm(.startCode, "H265-ANNEXB.startCode")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h265) }
}

/// H265-HDR: the temporal ID plus 1 in the header is not 0 (RFC 7798 §1.1.4); the type is that of a NAL unit, an
/// aggregation packet, a fragment or PACI (§4.4). NAL units of types from 48 on are not passed to the decoder (§6).
struct H265PayloadHeader: PacketFaultRule {
    static let info = RuleInfo(
        "H265-HDR", .error, .plain, reference: "RFC 7798 §1.1.4",
        check: "Payload headers have a TID of 1 or more, and a type up to 50.",
        example: "26 00 …: TID 0")
    static let forms = [
        FaultForm(.temporalIdentifier, "H265-HDR.temporal"),
        FaultForm(.undefinedType, "H265-HDR.undefined", severity: .warning, reference: "RFC 7798 §4.4"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h265) }
}
