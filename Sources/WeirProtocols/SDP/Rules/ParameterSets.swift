import WeirEngine
import WeirPackets

/// SDP-SPROP: what is handed over outside the stream can be decoded.
///
/// 1. H.264: `sprop-parameter-sets` is a list with commas of NAL units in base64 (RFC 6184 §8.1): sequence or picture
///    parameter sets, without start codes.
/// 2. H.265: `sprop-vps`, `sprop-sps` and `sprop-pps` the same, each of its own kind (RFC 7798 §7.1); H.264's parameter
///    means nothing there.
/// 3. AAC: `config` is an AudioSpecificConfig in hexadecimal (RFC 3640 §4.1), in LATM another value in hexadecimal (RFC 6416).
/// 4. MPEG-4 Visual: `config` is the headers of its bitstream in hexadecimal (RFC 6416).
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
                            "SDP-SPROP.\(departure.key)", index, medium, .integer(Int(type)), .wire(departure.name),
                            .integer(departure.position)),
                        actual: .wire(departure.value), severity: departure.severity, reference: departure.reference,
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
        var severity: Severity?
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
        case "mp4a-latm", "mp4v-es": return headers(parameters, isVideo: encoding == "mp4v-es")
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
        guard let config = MPEG4AudioConfiguration(head: &bits), config.rateIndex != 13, config.rateIndex != 14 else {
            return [Departure(key: "aac", name: "config", value: value, reference: "RFC 3640 §4.1")]
        }
        return []
    }

    /// `config` of RFC 6416, octets in hexadecimal: of video its headers, which begin with a start code; of audio a
    /// StreamMuxConfig, judged where it is one of AAC but for what stands in its middle.
    private static func headers(_ parameters: FormatParameters, isVideo: Bool) -> [Departure]? {
        guard let value = parameters["config"] else { return nil }
        let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(value)) ?? []
        let isWrong =
            isVideo
            ? !octets.starts(with: [0, 0, 1]) : StreamMuxConfiguration(hexadecimal: value)?.isStandard == false
        guard octets.isEmpty || isWrong else { return [] }
        let key = octets.isEmpty ? "hex" : isVideo ? "headers" : "mux"
        // GStreamer writes what is in the middle, and receivers pass over it.
        let severity: Severity? = key == "mux" ? .note : nil
        return [Departure(key: key, name: "config", value: value, reference: "RFC 6416", severity: severity)]
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
