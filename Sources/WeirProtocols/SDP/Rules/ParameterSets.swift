import WeirEngine
import WeirPackets

/// SDP-SPROP: out-of-band parameter sets can be decoded.
///
/// 1. H.264: `sprop-parameter-sets` is a comma-separated list of NAL units in base64 (RFC 6184 §8.1): sequence or
///    picture parameter sets, without start codes.
/// 2. H.265: `sprop-vps`, `sprop-sps` and `sprop-pps` likewise, each of its own kind (RFC 7798 §7.1); H.264's parameter
///    is meaningless there.
/// 3. AAC: `config` is an AudioSpecificConfig in hexadecimal (RFC 3640 §4.1), for LATM another hexadecimal value (RFC
///    6416).
/// 4. MPEG-4 Visual: `config` is the headers of its bitstream in hexadecimal (RFC 6416).
struct SDPParameterSets: DescriptionRule {
    static let info = RuleInfo(
        "SDP-SPROP", .warning, .plain, reference: "RFC 6184 §8.1",
        check: "Parameter sets and decoder configurations have the encoding and type that the codec requires.",
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
        /// The position in the list, from 1.
        var position = 1
        var value: String
        var reference: String?
        var severity: Severity?
    }

    /// Returns the violations in the parameters of an encoding, or nil if it has no such parameters.
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

    /// Checks a list of NAL units, each of which must satisfy `isKind`.
    private static func list(
        _ parameters: FormatParameters, _ name: String, _ reference: String, _ isKind: ([UInt8]) -> Bool
    ) -> [Departure]? {
        guard let value = parameters[name] else { return nil }
        // Harmless if the stream contains the parameter sets.
        guard value.utf8.contains(where: { $0 != ASCII.comma && !TextSyntax.isBlank($0) }) else {
            return [Departure(key: "empty", name: name, value: value, reference: reference, severity: .note)]
        }
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

    /// Checks `config` of AAC: object type, sampling frequency index and so on (ISO/IEC 14496-3 §1.6.2.1). Structured
    /// Audio may leave it empty, in quotation marks.
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

    /// Checks `config` of RFC 6416 in hexadecimal: for video the headers, which start with a start code; for audio a
    /// StreamMuxConfig, checked if it is AAC, except for its middle part.
    private static func headers(_ parameters: FormatParameters, isVideo: Bool) -> [Departure]? {
        guard let value = parameters["config"] else { return nil }
        let octets = TextSyntax.octets(hexadecimal: TextSyntax.unquote(value)) ?? []
        let isWrong =
            isVideo
            ? !octets.starts(with: [0, 0, 1]) : StreamMuxConfiguration(hexadecimal: value)?.isStandard == false
        guard octets.isEmpty || isWrong else { return [] }
        let key = octets.isEmpty ? "hex" : isVideo ? "headers" : "mux"
        // GStreamer sends the middle part like this, and receivers ignore it.
        let severity: Severity? = key == "mux" ? .note : nil
        return [Departure(key: key, name: "config", value: value, reference: "RFC 6416", severity: severity)]
    }
}

extension TextSyntax {
    /// Decodes pairs of hexadecimal digits; returns nil for any other text.
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
