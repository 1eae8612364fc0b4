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

    /// The list of each medium in the latest description of each side.
    private var latest: [Bool: [Int: String]] = [:]

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        var faults: [Fault] = []
        var lists: [Int: String] = [:]
        for (index, medium, type, parameters) in description.h264 {
            guard let value = parameters["sprop-parameter-sets"], lists[index] == nil else { continue }
            lists[index] = value
            let list = ParameterSetList(value)
            let subject = "m\(index) \(type)"
            if let key = list.gap {
                faults.append(
                    Fault(
                        Text("H264-SPROP.\(key)", index, medium, .integer(Int(type))), actual: .wire(value),
                        subject: subject))
            }
            if let earlier = latest[step.event.direction == .clientToServer]?[index], earlier != value {
                faults.append(
                    Fault(
                        Text("H264-SPROP.changed", index, medium, .integer(Int(type))), expected: .wire(earlier),
                        actual: .wire(value), severity: .note, subject: subject))
            }
        }
        judgement.conclude(lists.isEmpty ? nil : faults, of: description)
        latest[step.event.direction == .clientToServer] = lists
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

extension SessionDescription {
    /// The H.264 formats with parameters: medium, payload type, parameters.
    var h264: [(index: Int, medium: MediaDescription, type: UInt8, parameters: FormatParameters)] {
        media.enumerated().filter(\.element.isRTP).flatMap { index, medium in
            medium.formatParameters.compactMap { parameters in
                guard let type = TextSyntax.decimal(parameters.format, as: UInt8.self),
                    let map = medium.rtpMap(type), ASCII.equalIgnoringCase(map.encoding, "H264")
                else { return nil }
                return (index, medium, type, parameters)
            }
        }
    }
}
