import WeirEngine
import WeirPackets

/// H264-PLID: the announced profile and level are those of the parameter sets.
///
/// 1. `profile-level-id` is three octets in hexadecimal: profile_idc, the constraint flags, level_idc (RFC 6184 §8.1).
/// 2. Each parameter set of `sprop-parameter-sets` MUST have the sub-profile and the level of `profile-level-id`. Table
///    5 lists the octets with the same sub-profile.
/// 3. Without it, Baseline at level 1 MUST be assumed, without further constraints: a note, since receivers use the
///    parameter sets.
///
/// Some cameras send base64 instead of hexadecimal digits.
struct H264ProfileLevel: DescriptionRule {
    static let info = RuleInfo(
        "H264-PLID", .warning, .must, reference: "RFC 6184 §8.1",
        check: "profile-level-id has the profile and level of the sequence parameter sets in the description.",
        example: "a=fmtp:96 profile-level-id=42001E;sprop-parameter-sets=Z2QAHqzZQA==,aO48gA==")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = false
        var faults: [Fault] = []
        for (index, medium, type, parameters) in description.h264 {
            let announced = parameters["profile-level-id"]
            let sets = parameters["sprop-parameter-sets"].map { ParameterSetList($0).sequenceParameterSets } ?? []
            guard announced != nil || !sets.isEmpty else { continue }
            isJudged = true
            let subject = "m\(index) \(type)"
            guard let announced else {
                faults.append(
                    Fault(
                        Text("H264-PLID.missing", index, medium, .integer(Int(type))),
                        expected: sets.first.map { .wire("profile-level-id=\($0.hexadecimal)") }, severity: .note,
                        subject: subject))
                continue
            }
            guard let octets = TextSyntax.octets(hexadecimal: announced), octets.count == 3 else {
                faults.append(
                    Fault(
                        Text("H264-PLID.form", index, medium, .integer(Int(type)), .wire(announced)),
                        actual: .wire("profile-level-id=\(announced)"), quirk: "Q-SDP", subject: subject))
                continue
            }
            let said = ProfileLevel(profile: octets[0], constraints: octets[1], level: octets[2])
            guard let set = sets.first(where: { !$0.isSame(as: said) }) else { continue }
            let key = set.levelTimesTen != said.levelTimesTen ? "level" : "profile"
            faults.append(
                Fault(
                    Text("H264-PLID.\(key)", index, medium, .integer(Int(type))),
                    expected: .wire("profile-level-id=\(set.hexadecimal)"),
                    actual: .wire("profile-level-id=\(announced)"), subject: subject))
        }
        return isJudged ? faults : nil
    }
}

/// H264-SPROP: the parameter sets of a description are complete and stay the same.
///
/// 1. The decoder needs parameter sets before the data that refers to them (RFC 6184 §8.4): a picture parameter set
///    needs its sequence parameter set, and neither suffices to start a decoder.
/// 2. They MAY change, and others MAY be added, during the session (§8.4): another list for the same medium in a later
///    description is reported, but is not an error.
/// 3. The sequence parameter sets in the stream are announced ones, with the announced profile, and picture parameter
///    sets with an announced id are the announced ones: otherwise a decoder configured from the description has to
///    restart.
struct H264ParameterSets: Rule {
    static let info = RuleInfo(
        "H264-SPROP", .warning, .plain, reference: "RFC 6184 §8.4",
        check: "A description has the sequence parameter sets that its picture parameter sets refer to.",
        example: "a=fmtp:96 sprop-parameter-sets=Z0LAH9oBQBboQAAAAwBAAAAMo8YMqA==")
    static let observes = ["sdp"]

    /// The lists in the latest description of each side.
    private var latest: (client: [AnnouncedParameterSets], server: [AnnouncedParameterSets]) = ([], [])

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        let isClients = step.event.direction == .clientToServer
        let earlier = isClients ? latest.client : latest.server
        var faults: [Fault] = []
        let lists = description.parameterSets
        for list in lists {
            let subject = "m\(list.index) \(list.type)"
            let medium = description.media[list.index]
            if let key = list.gap {
                faults.append(
                    Fault(
                        Text("H264-SPROP.\(key)", list.index, medium, .integer(Int(list.type))),
                        actual: .wire(list.value), subject: subject))
            }
            if let former = earlier.first(where: { $0.index == list.index }), former.value != list.value {
                faults.append(
                    Fault(
                        Text("H264-SPROP.changed", list.index, medium, .integer(Int(list.type))),
                        expected: .wire(former.value), actual: .wire(list.value), severity: .note, subject: subject))
            }
        }
        judgement.conclude(lists.isEmpty ? nil : faults, of: description)
        if isClients { latest.client = lists } else { latest.server = lists }
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, case .h264 = media.mainFormat?.payload, let sets = media.content.h264?.sets,
            sets.hasAnnounced
        else { return }
        var isKept = true
        for (type, key) in [(UInt8(7), "stream"), (8, "streamPicture")] {
            guard let place = sets.foreign(type) else { continue }
            isKept = false
            judgement.fail(Text("H264-SPROP.\(key)"), subject: key, frame: place.frame, time: place.time)
            break
        }
        if isKept { judgement.pass() }
    }
}
