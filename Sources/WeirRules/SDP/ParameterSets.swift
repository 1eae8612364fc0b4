import WeirDissectors
import WeirPackets
import WeirSessions

/// SDP-SPROP: what is handed over outside the stream can be decoded.
///
/// 1. H.264: `sprop-parameter-sets` is a list with commas of base64 "representations of parameter set NAL units" (RFC
///    6184 §8.1): sequence or picture parameter sets, without start codes.
/// 2. H.265: `sprop-vps`, `sprop-sps` and `sprop-pps` the same, each of its own kind (RFC 7798 §7.1); H.264's parameter
///    means nothing there.
/// 3. AAC: `config` is an AudioSpecificConfig in hexadecimal (RFC 3640 §4.1).
struct SDPParameterSets: DescriptionRule {
    static let info = RuleInfo(
        "SDP-SPROP", .warning, .plain, reference: "RFC 6184 §8.1",
        check: "Parameter sets and decoder configurations are in the encoding and of the kind that the codec has.",
        example: "a=fmtp:96 sprop-parameter-sets=B`,RAHA8saNA7JAAAAA\na=fmtp:96 sprop-parameter-sets=Z0LAH9o=,aM4PyA==")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = false
        var faults: [Fault] = []
        for (index, medium) in description.media.enumerated() where medium.isRTP {
            for parameters in medium.formatParameters {
                guard let type = TextSyntax.decimal(parameters.format, as: UInt8.self),
                    let encoding = medium.rtpMap(type).map({ TextSyntax.lowercased($0.encoding) }),
                    let wrong = Self.departures(parameters, encoding)
                else { continue }
                isJudged = true
                faults += wrong.map { departure in
                    Fault(
                        Text(
                            "SDP-SPROP.\(departure.key)", index, medium, .integer(Int(type)), .sent(departure.name),
                            .integer(departure.position)),
                        actual: .sent(departure.value), reference: departure.reference,
                        subject: "m\(index) \(type) \(departure.name)")
                }
            }
        }
        return isJudged ? faults : nil
    }

    private struct Departure {
        var key: String
        var name: String
        /// Which part of a list, from 1.
        var position = 1
        var value: String
        var reference: String?
    }

    /// What is wrong with the parameters of an encoding; nil when it has none of these.
    private static func departures(_ parameters: FormatParameters, _ encoding: String) -> [Departure]? {
        switch encoding {
        case "h264":
            return list(parameters, "sprop-parameter-sets", "RFC 6184 §8.1") { [7, 8, 13, 15].contains($0[0] & 0x1F) }
        case "h265":
            let lists = [("sprop-vps", 32), ("sprop-sps", 33), ("sprop-pps", 34)].compactMap { name, type in
                list(parameters, name, "RFC 7798 §7.1") { Int($0[0] >> 1 & 0x3F) == type }
            }
            let foreign = parameters["sprop-parameter-sets"].map {
                [Departure(key: "foreign", name: "sprop-parameter-sets", value: $0, reference: "RFC 7798 §7.1")]
            }
            return lists.isEmpty && foreign == nil ? nil : lists.flatMap(\.self) + (foreign ?? [])
        case "mpeg4-generic": return configuration(parameters)
        default: return nil
        }
    }

    /// A list of NAL units of which each is to satisfy `isKind`; it is given at least one octet.
    private static func list(
        _ parameters: FormatParameters, _ name: String, _ reference: String, _ isKind: ([UInt8]) -> Bool
    ) -> [Departure]? {
        guard let value = parameters[name] else { return nil }
        return ParameterSetList(value).units.enumerated().compactMap { position, unit in
            let key: String
            switch unit {
            case .none: key = "base64"
            case .some(let octets) where octets.rawSpan.startsWithStartCode: key = "startCode"
            case .some(let octets):
                guard octets.isEmpty || !isKind(octets) else { return nil }
                key = "kind"
            }
            return Departure(key: key, name: name, position: position + 1, value: value, reference: reference)
        }
    }

    /// `config` of AAC: object type, sampling rate index and so on (ISO/IEC 14496-3 §1.6.2.1). Structured Audio may
    /// leave it empty, in quotation marks.
    private static func configuration(_ parameters: FormatParameters) -> [Departure]? {
        guard let value = parameters["config"], value != "\"\"" else { return nil }
        let departure = Departure(key: "hex", name: "config", value: value, reference: "RFC 3640 §4.1")
        guard let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(value)), !octets.isEmpty else {
            return [departure]
        }
        guard TextSyntax.lowercased(parameters["mode"] ?? "").hasPrefix("aac") else { return [] }
        var bits = BitReader(octets.rawSpan)
        let type = bits.read(5)
        // 31 says that six bits more hold the type.
        if type == 31 { _ = bits.read(6) }
        let rate = bits.read(4)
        if rate == 15 { _ = bits.read(24) }
        guard let type, type != 0, let rate, rate != 13, rate != 14, bits.read(4) != nil else {
            return [Departure(key: "aac", name: "config", value: value, reference: "RFC 3640 §4.1")]
        }
        return []
    }
}

/// H264-PLID: the profile and level that are announced are those of the parameter sets.
///
/// 1. `profile-level-id` is three octets in hexadecimal: profile_idc, the constraint flags, level_idc (RFC 6184 §8.1).
/// 2. "The sprop-parameter-sets parameter MUST only contain parameter sets that are conforming to the profile-level-id,
///    i.e., the subset of coding tools indicated by any of the parameter sets MUST be equal to the default sub-profile,
///    and the level indicated by any of the parameter sets MUST be equal to the default level." Table 5 has the octets
///    that mean the same sub-profile.
/// 3. Without it, "the Baseline profile, without additional constraints at Level 1, MUST be inferred": a note, since
///    readers take what the parameter sets say.
///
/// Cameras that write base64 in place of hexadecimal digits are known.
struct H264ProfileLevel: DescriptionRule {
    static let info = RuleInfo(
        "H264-PLID", .warning, .must, reference: "RFC 6184 §8.1",
        check: "profile-level-id has the profile and the level of the sequence parameter sets in the description.",
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
                        expected: sets.first.map { .sent("profile-level-id=\($0.hexadecimal)") }, severity: .note,
                        subject: subject))
                continue
            }
            guard let octets = TextSyntax.octets(hexadecimal: announced), octets.count == 3 else {
                faults.append(
                    Fault(
                        Text("H264-PLID.form", index, medium, .integer(Int(type)), .sent(announced)),
                        actual: .sent("profile-level-id=\(announced)"), quirk: "Q-SDP", subject: subject))
                continue
            }
            let said = ProfileLevel(profile: octets[0], constraints: octets[1], level: octets[2])
            guard let set = sets.first(where: { !$0.isSame(as: said) }) else { continue }
            let key = set.levelTimesTen != said.levelTimesTen ? "level" : "profile"
            faults.append(
                Fault(
                    Text("H264-PLID.\(key)", index, medium, .integer(Int(type))),
                    expected: .sent("profile-level-id=\(set.hexadecimal)"),
                    actual: .sent("profile-level-id=\(announced)"), subject: subject))
        }
        return isJudged ? faults : nil
    }
}

/// H264-SPROP: the parameter sets of a description are a whole, and stay as they are.
///
/// 1. "It is required that parameter sets be present at the decoder prior to the NAL units that refer to them" (RFC
///    6184 §8.4): a picture parameter set comes with its sequence parameter set, and one kind without the other starts
///    no decoder.
/// 2. Parameter sets "MAY be added or updated during the lifetime of a session" (§8.4): another list for the same medium
///    in a later description is reported, and is no fault.
///
/// Whether the stream itself repeats them is not judged here: the payload's parameter sets are not part of the timeline.
struct H264ParameterSets: Rule {
    static let info = RuleInfo(
        "H264-SPROP", .warning, .plain, reference: "RFC 6184 §8.4",
        check: "A description's picture parameter sets come with the sequence parameter sets that they refer to.",
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
                        Text("H264-SPROP.\(key)", index, medium, .integer(Int(type))), actual: .sent(value),
                        subject: subject))
            }
            if let earlier = latest[step.event.direction == .clientToServer]?[index], earlier != value {
                faults.append(
                    Fault(
                        Text("H264-SPROP.changed", index, medium, .integer(Int(type))), expected: .sent(earlier),
                        actual: .sent(value), severity: .note, subject: subject))
            }
        }
        judgement.conclude(lists.isEmpty ? nil : faults, of: description)
        latest[step.event.direction == .clientToServer] = lists
    }
}

/// Three octets that name a profile and a level of H.264.
struct ProfileLevel: Hashable {
    var profile: UInt8
    var constraints: UInt8
    var level: UInt8

    /// As in `profile-level-id`.
    var hexadecimal: String {
        [profile, constraints, level].map { octet in
            let digits = TextSyntax.uppercased(String(octet, radix: 16))
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }

    /// The level times ten, so that 1b can stand between 1 and 1.1 (RFC 6184 §8.1, §8.2.2).
    var levelTimesTen: Double {
        let isOld = [66, 77, 88].contains(profile)
        if isOld ? level == 11 && constraints & 0x10 != 0 : level == 9 { return 10.5 }
        return Double(level)
    }

    /// The sub-profile, one name for all octets that mean the same (RFC 6184 §8.1, table 5).
    private var subProfile: (UInt8, UInt8) {
        let flags = constraints & 0xE0
        switch (profile, flags & 0x80 != 0, flags & 0x40 != 0) {
        case (0x42, _, true), (0x4D, true, _), (0x58, true, true): return (0x42, 0x40)
        case (0x42, _, false), (0x58, true, false): return (0x42, 0)
        case (0x4D, false, _): return (0x4D, constraints & 0x20)
        case (0x58, false, _): return (0x58, flags)
        default: return (profile, constraints)
        }
    }

    /// Whether both mean the same sub-profile and level.
    func isSame(as other: ProfileLevel) -> Bool {
        subProfile == other.subProfile && levelTimesTen == other.levelTimesTen
    }
}

/// `sprop-parameter-sets` and its like: NAL units in base64 with commas between them.
struct ParameterSetList {
    /// The units; nil for one that is not base64.
    let units: [[UInt8]?]

    init(_ value: String) {
        units = TextSyntax.split(value, at: ASCII.comma).map { part in
            let text = TextSyntax.trim(part).utf8
            let letters = text.prefix { $0 != ASCII.equals }
            let padding = text.dropFirst(letters.count)
            // The letters of base64url are not of this alphabet (RFC 4648 §4), and one letter alone makes no octet.
            let isWhole =
                !letters.isEmpty && letters.count % 4 != 1 && padding.count <= 2
                && letters.allSatisfy { Base64.isLetter($0) && $0 != 0x2D && $0 != 0x5F }
                && padding.allSatisfy { $0 == ASCII.equals }
            return isWhole ? Base64.decode(letters) : nil
        }
    }

    /// What the sequence parameter sets begin with.
    var sequenceParameterSets: [ProfileLevel] {
        units.compactMap { unit in
            guard let unit, unit.count >= 4, unit[0] & 0x1F == 7 else { return nil }
            return ProfileLevel(profile: unit[1], constraints: unit[2], level: unit[3])
        }
    }

    /// What is missing: the sentence's last word; nil when the sets are a whole, or cannot be read.
    var gap: String? {
        guard !units.contains(nil) else { return nil }
        let sets = units.compactMap(\.self).filter { !$0.isEmpty }
        let sequences = sets.filter { $0[0] & 0x1F == 7 || $0[0] & 0x1F == 15 }.map { Self.numbers($0, after: 4).first }
        let pictures = sets.filter { $0[0] & 0x1F == 8 }.map { Self.numbers($0, after: 1).last }
        if pictures.isEmpty { return sequences.isEmpty ? nil : "noPicture" }
        if sequences.isEmpty { return "noSequence" }
        guard !sequences.contains(nil), !pictures.contains(nil) else { return nil }
        return pictures.allSatisfy { sequences.contains($0) } ? nil : "unknownSequence"
    }

    /// The first two numbers of a set, `pic_parameter_set_id` and `seq_parameter_set_id` for a picture parameter set
    /// (H.264 §7.3.2.2); the first is `seq_parameter_set_id` of a sequence parameter set (§7.3.2.1.1).
    private static func numbers(_ unit: [UInt8], after header: Int) -> [UInt32] {
        let octets = Array(unit.dropFirst(header).prefix(16))
        var bits = BitReader(octets.rawSpan)
        guard let first = bits.unsignedExpGolomb() else { return [] }
        guard let second = bits.unsignedExpGolomb() else { return [first] }
        return [first, second]
    }
}

extension SessionDescription {
    /// The H.264 formats that have parameters: medium, payload type, parameters.
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

extension TextSyntax {
    /// The octets that pairs of hexadecimal digits stand for; nil when there is anything else.
    static func octets(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0, digits.allSatisfy(isHexDigit) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { index in
            hexValue(digits[index]) << 4 | hexValue(digits[index + 1])
        }
    }

    private static func hexValue(_ digit: UInt8) -> UInt8 {
        ASCII.isDigit(digit) ? digit &- 0x30 : ((digit | 0x20) &- 0x57) & 0x0F
    }
}
