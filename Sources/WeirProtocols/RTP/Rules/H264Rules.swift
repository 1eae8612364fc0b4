import WeirEngine
import WeirPackets

extension RTPStreamDetails {
    /// Whether most packets are of a format that is read.
    func isMostly(_ format: RTPPayloadFormat) -> Bool { mainPayload == format }
}

/// H264-MODE: the packet type is one that the packetization mode allows (RFC 6184 §5.4); absent, the mode is 0 (§8.1), with
/// single NAL units alone. The types 0, 30 and 31 are of no mode (§5.2).
struct H264Mode: PacketFaultRule {
    static let info = RuleInfo(
        "H264-MODE", .error, .must, reference: "RFC 6184 §5.4",
        check: "Packets have a type that the packetization-mode allows.",
        example: "packetization-mode=0, and FU-A packets")
    static let forms = [
        FaultForm(.packetizationMode, "H264-MODE.structure"),
        FaultForm(.undefinedType, "H264-MODE.undefined", reference: "RFC 6184 §5.2"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-FU: a fragmented NAL unit begins with S, ends with E, and never has both in one fragment (RFC 6184 §5.8).
///
/// A fragment that is missing is a loss, and not judged here.
struct H264Fragments: PacketFaultRule {
    static let info = RuleInfo(
        "H264-FU", .error, .must, reference: "RFC 6184 §5.8",
        check: "A fragmented NAL unit has S on its first fragment alone and E on its last, in a row.",
        example: "7C C5: S and E in one fragment")
    static let forms = [
        FaultForm(.wholeFragment, "H264-FU.whole"), FaultForm(.fragmentWithoutStart, "H264-FU.noStart"),
        FaultForm(.fragmentWithoutEnd, "H264-FU.noEnd"),
        FaultForm(.emptyFragment, "H264-FU.empty", severity: .warning),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-FU-TYPE: all fragments of a NAL unit have its type and NRI (RFC 6184 §5.8).
struct H264FragmentType: PacketFaultRule {
    static let info = RuleInfo(
        "H264-FU-TYPE", .warning, .must, reference: "RFC 6184 §5.8",
        check: "Type and NRI are the same in all fragments of a NAL unit.", example: "7C 85, then 7C 01")
    static let forms = [FaultForm(.changedFragment, "H264-FU-TYPE.changed")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-STAP: the sizes in an aggregation packet add up, nothing in it is a fragment or another aggregation packet (RFC 6184
/// §5.7, §5.7.1), and its NRI is the highest of its NAL units.
struct H264Aggregation: PacketFaultRule {
    static let info = RuleInfo(
        "H264-STAP", .error, .must, reference: "RFC 6184 §5.7.1",
        check: "The NAL units of an aggregation packet fill it, and none is a fragment or an aggregation packet.",
        example: "78 00 40 67 …: 64 octets announced, 20 are there")
    static let forms = [
        FaultForm(.aggregationSize, "H264-STAP.size"),
        FaultForm(.nestedUnit, "H264-STAP.nested", reference: "RFC 6184 §5.7"),
        FaultForm(
            .importance, "H264-STAP.importance", severity: .warning, reference: "RFC 6184 §5.7", quirk: "Q-H264"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-FBIT: the `forbidden_zero_bit` is clear (RFC 6184 §1.3); a gateway may set it on what it knows to be damaged (§5.3).
struct H264ForbiddenBit: PacketFaultRule {
    static let info = RuleInfo(
        "H264-FBIT", .warning, .plain, reference: "RFC 6184 §1.3",
        check: "The forbidden_zero_bit of NAL units is 0.", example: "E5 … in place of 65 …")
    static let forms = [FaultForm(.forbiddenBit, "H264-FBIT.set")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-ANNEXB: the payload is a NAL unit, without the start codes of the byte stream format (RFC 6184 §5.6).
struct H264StartCode: PacketFaultRule {
    static let info = RuleInfo(
        "H264-ANNEXB", .warning, .must, reference: "RFC 6184 §5.6",
        check: "No payload has start codes of the byte stream format.", example: "00 00 00 01 67 …")
    static let forms = [FaultForm(.startCode, "H264-ANNEXB.startCode")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-FIRST-IDR: a player can begin to decode soon after PLAY: parameter sets and a key frame come within 5 seconds.
///
/// Parameter sets are needed before what refers to them (RFC 6184 §8.4); how long to wait is the profile's. Of a stream that begins
/// where another one of the session has ended nobody waits for the first picture.
struct H264FirstIDR: Rule {
    static let info = RuleInfo(
        "H264-FIRST-IDR", .warning, .profile, needsFullCapture: true, reference: "RFC 6184 §8.4",
        check: "Parameter sets and a key frame come within 5 seconds after media was accepted.",
        example: "PLAY … 200 OK\n(8 s of pictures that refer to others)", limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("H264-FIRST-IDR.longest", 5, "s")

    /// From where media comes, and to where. The flow may be another one behind minutes of silence.
    private struct Place: Hashable {
        var source: Endpoint
        var destination: Endpoint
        var channel: Int?
    }

    /// When a stream ended there first.
    private var ended: Recent<Place, Timestamp> = Recent(limit: 64)

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return }
        let place = Place(source: stream.source, destination: stream.destination, channel: media.channel)
        let earlier = ended[place]
        if earlier == nil { ended[place] = media.endTime }
        guard media.isMostly(.h264), let accepted = (session as? any MediaOwner)?.mediaAccepted,
            media.startTime >= accepted.time, earlier.map({ $0 > media.startTime }) ?? true
        else {
            judgement.notApplicable()
            return
        }
        let limit = judgement.limit(Self.longest)
        let wait = (media.keyframes.first ?? media.endTime).seconds(since: accepted.time)
        guard wait > limit else {
            if media.keyframes.first == nil { judgement.notApplicable() } else { judgement.pass() }
            return
        }
        judgement.fail(
            Text(
                media.keyframes.first == nil ? "H264-FIRST-IDR.never" : "H264-FIRST-IDR.late",
                .decimal(wait, places: 1)),
            subject: stream.mediaType ?? "", frame: media.firstFrame, time: media.startTime)
    }
}
