import WeirEngine
import WeirPackets

extension RTPStreamDetails {
    /// Returns whether most packets have this payload format.
    func isMostly(_ format: RTPPayloadFormat) -> Bool { mainPayload == format }

    /// Whether all parameter sets are in the captured description or in the stream: both were captured from the start.
    func seesParameterSets(_ session: Session?) -> Bool {
        guard stream.agreement.isDescribed, let accepted = session?.mediaOwner?.mediaAccepted else {
            return false
        }
        return stream.startTime >= accepted.time && session?.completeness.isCut != true
    }
}

/// H264-MODE: the packet type is allowed by the packetization mode (RFC 6184 §5.4). Without a signaled mode it is 0
/// (§8.1): single NAL units only. Types 0, 30 and 31 are not allowed in any mode (§5.2).
struct H264Mode: PacketFaultRule {
    static let info = RuleInfo(
        "H264-MODE", .error, .must, reference: "RFC 6184 §5.4",
        check: "Packets have a type that the packetization-mode allows.",
        example: "packetization-mode=0, and FU-A packets")
    static let forms = [
        FaultForm(.packetizationMode, "H264-MODE.structure"),
        FaultForm(.undefinedType, "H264-MODE.undefined", reference: "RFC 6184 §5.2"),
    ]
    /// A payload type that collides with RTCP was renumbered in part, and has no parameters.
    static func judges(_ stream: RTPStreamDetails) -> Bool {
        stream.isMostly(.h264) && stream.faults[.payloadTypeOfRTCP] == nil
    }
}

/// H264-FU: a fragmented NAL unit begins with S, ends with E, and never has both in one fragment (RFC 6184 §5.8).
///
/// A missing fragment is a loss and not checked here.
struct H264Fragments: PacketFaultRule {
    static let info = RuleInfo(
        "H264-FU", .error, .must, reference: "RFC 6184 §5.8",
        check: "A fragmented NAL unit has S only on its first fragment, E only on its last, and nothing in between.",
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

/// H264-STAP: the sizes in an aggregation packet add up, it contains no fragments or aggregation packets (RFC 6184
/// §5.7, §5.7.1), and its NRI is the highest of its NAL units.
struct H264Aggregation: PacketFaultRule {
    static let info = RuleInfo(
        "H264-STAP", .error, .must, reference: "RFC 6184 §5.7.1",
        check: "An aggregation packet consists of NAL units that are neither fragments nor aggregation packets.",
        example: "78 00 40 67 …: 64 octets announced, 20 present")
    static let forms = [
        FaultForm(.aggregationSize, "H264-STAP.size"),
        FaultForm(.nestedUnit, "H264-STAP.nested", reference: "RFC 6184 §5.7"),
        FaultForm(
            .importance, "H264-STAP.importance", severity: .warning, reference: "RFC 6184 §5.7", quirk: "Q-H264"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-FBIT: the `forbidden_zero_bit` is clear (RFC 6184 §1.3); a gateway may set it on NAL units known to be damaged
/// (§5.3).
struct H264ForbiddenBit: PacketFaultRule {
    static let info = RuleInfo(
        "H264-FBIT", .warning, .plain, reference: "RFC 6184 §1.3",
        check: "The forbidden_zero_bit of NAL units is 0.", example: "E5 … instead of 65 …")
    static let forms = [FaultForm(.forbiddenBit, "H264-FBIT.set")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-ANNEXB: the payload is a NAL unit, without the start codes of the byte stream format (RFC 6184 §5.6).
struct H264StartCode: PacketFaultRule {
    static let info = RuleInfo(
        "H264-ANNEXB", .warning, .must, reference: "RFC 6184 §5.6",
        check: "Payloads have no start codes of the byte stream format.", example: "00 00 00 01 67 …")
    static let forms = [FaultForm(.startCode, "H264-ANNEXB.startCode")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.h264) }
}

/// H264-FIRST-IDR: decoding can start soon after PLAY: parameter sets and a key frame arrive within 5 seconds.
///
/// Parameter sets must precede the NAL units that refer to them (RFC 6184 §8.4); the time limit is set by the profile.
/// A stream that replaces an ended one of the session is not checked.
struct H264FirstIDR: Rule {
    static let info = RuleInfo(
        "H264-FIRST-IDR", .warning, .profile, needsFullCapture: true, reference: "RFC 6184 §8.4",
        check: "Parameter sets and a key frame are sent within 5 seconds after media was accepted.",
        example: "PLAY … 200 OK\n(8 s of video without a key frame)", limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("H264-FIRST-IDR.longest", 5, "s")

    /// The endpoints of media. The flow may be a new one after minutes of silence.
    private struct Place: Hashable {
        var source: Endpoint
        var destination: Endpoint
        var channel: Int?
    }

    /// When a stream between these endpoints first ended.
    private var ended: Recent<Place, Timestamp> = Recent(limit: 64)

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        let place = Place(source: stream.source, destination: stream.destination, channel: media.channel)
        let earlier = ended[place]
        if earlier == nil { ended[place] = media.endTime }
        guard media.isMostly(.h264), let accepted = session?.mediaOwner?.mediaAccepted,
            media.startTime >= accepted.time, earlier.map({ $0 > media.startTime }) ?? true
        else {
            judgement.notApplicable()
            return
        }
        let limit = judgement.limit(Self.longest)
        let wait = (media.keyframes.first ?? media.endTime).seconds(since: accepted.time)
        guard wait > limit else {
            if media.keyframes.first == nil { judgement.notApplicable() } else { judgeSets(media, session, &judgement) }
            return
        }
        judgement.fail(
            Text(
                media.keyframes.first == nil ? "H264-FIRST-IDR.never" : "H264-FIRST-IDR.late",
                .decimal(wait, places: 1)),
            subject: stream.mediaType ?? "", frame: media.firstFrame, time: media.startTime)
    }

    /// Judges a key frame that arrived in time: it cannot be decoded if neither the description nor the stream has the
    /// parameter sets.
    private func judgeSets(_ media: RTPStreamDetails, _ session: Session?, _ judgement: inout Judgement) {
        guard media.seesParameterSets(session), let sets = media.content.h264?.sets, let keyframe = sets.keyframe else {
            return judgement.pass()
        }
        let missing = sets.missing([7, 8]).filter { !sets.wasReceived($0) }
        guard !missing.isEmpty else { return judgement.pass() }
        let names = missing.map { $0 == 7 ? "SPS" : "PPS" }
        judgement.fail(
            Text("H264-FIRST-IDR.sets", .string(names.joined(separator: ", "))), subject: "sets",
            frame: keyframe.place.frame, time: keyframe.place.time)
    }
}
