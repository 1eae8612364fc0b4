import WeirEngine
import WeirPackets

/// SDP-FMTP: format parameters belong to a format and are well-formed.
///
/// RFC 8866 §6.15:
/// 1. `a=fmtp:<format> <format specific parameters>`, in a media description.
/// 2. The format is one of those that its `m=` line lists.
/// 3. A format has at most one such line.
/// 4. The syntax is that of the media type: `name=value` pairs for most, a list of events for `telephone-event`,
///    payload types separated by slashes for `red`. For H.264, `packetization-mode` is 0 to 2, and `profile-level-id`
///    has six hexadecimal digits (RFC 6184 §8.1). Requirements of other encodings are not checked.
///
/// Some cameras send nothing after the payload type.
struct SDPFormatParameters: DescriptionRule {
    static let info = RuleInfo(
        "SDP-FMTP", .warning, .plain, reference: "RFC 8866 §6.15",
        check: "a=fmtp has a format of its media section, once, and the parameter syntax of the media type.",
        example: "m=video 0 RTP/AVP 96\na=fmtp:97 packetization-mode=1")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let isSaid = description.attributes.has("fmtp") || description.media.contains { $0.attributes.has("fmtp") }
        guard isSaid else { return nil }
        var faults: [Fault] = description.problems.compactMap { line in
            switch line.kind {
            case .fmtpMalformed: Fault(Text("SDP-FMTP.empty"), line: line, quirk: "Q-SDP")
            case .fmtpFormat: Fault(Text("SDP-FMTP.unlisted"), line: line)
            case .fmtpRepeated: Fault(Text("SDP-FMTP.repeated"), line: line)
            case .attributeLevel where ASCII.contains(line.text, "fmtp"): Fault(Text("SDP-FMTP.session"), line: line)
            default: nil
            }
        }
        for (index, medium) in description.media.enumerated() where medium.isRTP {
            for parameters in medium.formatParameters where !parameters.raw.isEmpty {
                guard let type = TextSyntax.decimal(parameters.format, as: UInt8.self),
                    let encoding = medium.rtpMap(type)?.encoding,
                    let wrong = Self.departure(parameters, encoding: TextSyntax.lowercased(encoding))
                else { continue }
                faults.append(
                    Fault(
                        Text("SDP-FMTP.syntax", index, medium, .integer(Int(type)), .wire(encoding), .wire(wrong)),
                        actual: .wire(wrong), subject: "m\(index) \(type)"))
            }
        }
        return faults
    }

    /// Returns the first part that violates the syntax of the media type.
    private static func departure(_ parameters: FormatParameters, encoding: String) -> String? {
        switch encoding {
        case "telephone-event":
            let list = parameters.raw.hasPrefix("events=") ? String(parameters.raw.dropFirst(7)) : parameters.raw
            return TextSyntax.split(list, at: ASCII.comma).first { part in
                let (first, last) = TextSyntax.pair(TextSyntax.trim(part), at: 0x2D)
                guard let first = UInt8(first) else { return true }
                return last.map { UInt8($0).map { $0 < first } ?? true } ?? false
            }
        case "red":
            return TextSyntax.split(parameters.raw, at: ASCII.slash).first { (UInt8($0) ?? 128) > 127 }
        default:
            guard pairs.contains(encoding) else { return nil }
            let isKnown = encoding == "h264" ? isH264 : { _, _ in true }
            return parameters.parameters.first {
                $0.value == nil || $0.name.isEmpty || !isKnown($0.name, $0.value ?? "")
            }
            .map { $0.name + ($0.value.map { "=" + $0 } ?? "") }
        }
    }

    /// Whether the value of an H.264 parameter is allowed (RFC 6184 §8.1).
    private static func isH264(_ name: String, _ value: String) -> Bool {
        switch TextSyntax.lowercased(name) {
        case "packetization-mode": ["0", "1", "2"].contains(value)
        case "profile-level-id": value.utf8.count == 6 && UInt32(value, radix: 16) != nil
        default: true
        }
    }

    /// Encodings whose parameters are all `name=value`.
    private static let pairs: Set<String> = [
        "h264", "h265", "vp8", "vp9", "av1", "opus", "mpeg4-generic", "mp4a-latm", "mp4v-es", "rtx",
    ]
}
