import WeirEngine
import WeirPackets

/// SDP-RTPMAP-DYN: dynamic payload types are mapped.
///
/// For dynamic payload types, `a=rtpmap` should specify the encoding (RFC 8866 §5.14); an answer MUST do so (RFC 3264
/// §6.1). 96 to 127 are dynamic (RFC 3551 §3); other numbers without static assignment (§6) may be bound as well, and
/// are undefined otherwise.
///
/// An error although mostly a SHOULD: a receiver cannot decode an unknown encoding. Numbers below 96 are a warning,
/// since a few, such as 2, were formerly assigned.
struct SDPDynamicPayloadTypes: DescriptionRule {
    static let info = RuleInfo(
        "SDP-RTPMAP-DYN", .error, .should, reference: "RFC 8866 §5.14",
        check: "Every dynamic payload type has an a=rtpmap.",
        example: "m=video 0 RTP/AVP 96\na=rtpmap:96 H264/90000")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = false
        var faults: [Fault] = []
        for (index, medium) in description.wantedMedia where medium.isRTP {
            let mapped = Set(medium.rtpMaps.map(\.payloadType))
            for type in Set(medium.payloadTypes).sorted() where StaticPayloadTypes.all[type] == nil {
                isJudged = true
                guard !mapped.contains(type) else { continue }
                faults.append(
                    Fault(
                        Text("SDP-RTPMAP-DYN.missing", index, medium, .integer(Int(type))),
                        expected: .wire("a=rtpmap:\(type) <encoding>/<clock rate>"),
                        severity: type < 96 ? .warning : nil,
                        reference: description.role == .answer ? "RFC 3264 §6.1" : nil, subject: "m\(index) \(type)"))
            }
        }
        return isJudged ? faults : nil
    }
}

/// SDP-RTPMAP-STATIC: a static payload type keeps its assignment.
///
/// It may be rebound, but a receiver that knows only the static table then decodes it wrongly (RFC 3551 §3). Therefore
/// only a note.
struct SDPStaticPayloadTypes: DescriptionRule {
    static let info = RuleInfo(
        "SDP-RTPMAP-STATIC", .note, .plain, reference: "RFC 3551 §6",
        check: "An a=rtpmap of a static payload type matches RFC 3551.",
        example: "a=rtpmap:0 PCMA/8000\na=rtpmap:0 PCMU/8000")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = false
        var faults: [Fault] = []
        for (index, medium) in description.media.enumerated() where medium.isRTP {
            for map in medium.rtpMaps {
                guard let assigned = StaticPayloadTypes.all[map.payloadType] else { continue }
                isJudged = true
                let isSame =
                    ASCII.equalIgnoringCase(map.encoding, assigned.encoding) && map.clockRate == assigned.clockRate
                // MPA signals its channels in the stream (RFC 3551 §6, table 4).
                guard !isSame || (map.channels != assigned.channels && map.payloadType != 14) else { continue }
                let channels = assigned.channels > 1 ? "/\(assigned.channels)" : ""
                faults.append(
                    Fault(
                        Text("SDP-RTPMAP-STATIC.rebound", index, medium, .integer(Int(map.payloadType))),
                        expected: .wire("\(assigned.encoding)/\(assigned.clockRate)\(channels)"),
                        actual: .wire(map.shown), subject: "m\(index) \(map.payloadType)"))
            }
        }
        return isJudged ? faults : nil
    }
}

/// SDP-RTPMAP-CLOCK: the clock rate is specified and is that of the codec.
///
/// 1. `a=rtpmap:<payload type> <encoding name>/<clock rate>[/<encoding parameters>]`, the clock rate a positive integer
///    (RFC 8866 §6.6).
/// 2. Fixed rates: 90000 for H264 (RFC 6184 §8.2.1), H265 (RFC 7798 §7.2.1), VP8 (RFC 7741 §6.2.1), JPEG (RFC 2435 §3)
///    and the video of RFC 3551 §6, 48000 for opus, with two channels (RFC 7587 §7), 8000 for G722 (RFC 3551 §4.5.2).
/// 3. `rtx` has the rate of the original stream (RFC 4588 §8.6).
///
/// Some cameras send lines with an extra space, which can still be parsed.
struct SDPClockRates: DescriptionRule {
    static let info = RuleInfo(
        "SDP-RTPMAP-CLOCK", .error, .must, reference: "RFC 8866 §6.6",
        check: "a=rtpmap has a clock rate above 0, the one that its codec requires.",
        example: "a=rtpmap:96 H264/8000\na=rtpmap:96 H264/90000")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard description.media.contains(where: { $0.attributes.has("rtpmap") }) else { return nil }
        var reported: Set<Int> = []
        var faults: [Fault] = description.problems(.rtpmapMalformed, .rtpmapClockRate).compactMap { line -> Fault? in
            guard reported.insert(line.line).inserted else { return nil }
            let value = TextSyntax.pair(line.text, at: ASCII.colon).1 ?? ""
            guard let map = RTPMap(value) else { return Fault(Text("SDP-RTPMAP-CLOCK.form"), line: line) }
            guard map.clockRate != nil else {
                // AirPlay signals the rate in a=fmtp.
                let isAirPlay = ASCII.equalIgnoringCase(map.encoding, "AppleLossless")
                return Fault(
                    Text("SDP-RTPMAP-CLOCK.none"), line: line, quirk: isAirPlay ? "Q-AIRPLAY" : nil,
                    severity: isAirPlay ? .note : nil)
            }
            return Fault(Text("SDP-RTPMAP-CLOCK.blank"), line: line, quirk: "Q-SDP")
        }
        for (index, medium) in description.media.enumerated() where medium.isRTP {
            for attribute in medium.attributes where attribute.name == "rtpmap" && !reported.contains(attribute.line) {
                guard let value = attribute.value, let map = RTPMap(value), let rate = map.clockRate else { continue }
                if value.utf8.first.map(TextSyntax.isBlank) == true {
                    faults.append(
                        Fault(
                            Text("SDP-RTPMAP-CLOCK.blank"), actual: .wire("a=rtpmap:\(value)"), quirk: "Q-SDP",
                            subject: "m\(index) a"))
                }
                if let required = Self.required(map, medium), required.rate != rate {
                    faults.append(
                        Fault(
                            Text(
                                "SDP-RTPMAP-CLOCK.rate", index, medium, .wire(map.encoding), .integer(rate),
                                .integer(required.rate)),
                            expected: .wire("\(map.encoding)/\(required.rate)"), actual: .wire(map.shown),
                            reference: required.reference, subject: "m\(index) \(map.payloadType)"))
                }
                if ASCII.equalIgnoringCase(map.encoding, "opus"), map.channels != 2 {
                    faults.append(
                        Fault(
                            Text("SDP-RTPMAP-CLOCK.opusChannels", index, medium, .integer(map.channels)),
                            expected: .wire("opus/48000/2"), actual: .wire(map.shown), reference: "RFC 7587 §7",
                            subject: "m\(index) \(map.payloadType)"))
                }
            }
        }
        return faults
    }

    private static func required(_ map: RTPMap, _ medium: MediaDescription) -> (rate: Int, reference: String)? {
        let encoding = TextSyntax.lowercased(map.encoding)
        guard encoding == "rtx" else { return rates[encoding] }
        // The original may be described in another section (RFC 4588 §8.7); its rate is then not checked.
        guard let repeated = medium.formatParameters(map.payloadType)?["apt"].flatMap({ UInt8($0) }),
            medium.payloadTypes.contains(repeated), let rate = medium.rtpMap(repeated)?.clockRate
        else { return nil }
        return (rate, "RFC 4588 §8.6")
    }

    private static let rates: [String: (rate: Int, reference: String)] = [
        "h264": (90_000, "RFC 6184 §8.2.1"), "h265": (90_000, "RFC 7798 §7.2.1"), "vp8": (90_000, "RFC 7741 §6.2.1"),
        "jpeg": (90_000, "RFC 2435 §3"), "opus": (48_000, "RFC 7587 §7"), "g722": (8_000, "RFC 3551 §4.5.2"),
        "celb": (90_000, "RFC 3551 §6"), "nv": (90_000, "RFC 3551 §6"), "h261": (90_000, "RFC 3551 §6"),
        "h263": (90_000, "RFC 3551 §6"), "h263-1998": (90_000, "RFC 3551 §6"), "mpv": (90_000, "RFC 3551 §6"),
        "mp2t": (90_000, "RFC 3551 §6"), "mpa": (90_000, "RFC 3551 §6"), "gsm": (8_000, "RFC 3551 §6"),
        "g723": (8_000, "RFC 3551 §6"), "g728": (8_000, "RFC 3551 §6"), "g729": (8_000, "RFC 3551 §6"),
        "qcelp": (8_000, "RFC 3551 §6"), "g726-16": (8_000, "RFC 3551 §6"), "g726-24": (8_000, "RFC 3551 §6"),
        "g726-32": (8_000, "RFC 3551 §6"), "g726-40": (8_000, "RFC 3551 §6"),
    ]
}

/// SDP-RTPMAP-ONCE: a payload type is mapped once, in the section that uses it.
///
/// 1. A format has at most one `a=rtpmap` (RFC 8866 §6.6).
/// 2. It is at media level and refers to a payload type of its `m=` line.
struct SDPOneMapping: DescriptionRule {
    static let info = RuleInfo(
        "SDP-RTPMAP-ONCE", .warning, .plain, reference: "RFC 8866 §6.6",
        check: "Each payload type has at most one a=rtpmap, in the media section that lists it.",
        example: "m=audio 0 RTP/AVP 96\na=rtpmap:96 L16/8000\na=rtpmap:96 L16/16000")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let isSaid =
            description.attributes.has("rtpmap") || description.media.contains { $0.attributes.has("rtpmap") }
        guard isSaid else { return nil }
        return description.problems.compactMap { line in
            switch line.kind {
            case .rtpmapRepeated: Fault(Text("SDP-RTPMAP-ONCE.repeated"), line: line)
            case .rtpmapPayloadType: Fault(Text("SDP-RTPMAP-ONCE.unlisted"), line: line)
            case .attributeLevel where ASCII.contains(line.text, "rtpmap"):
                Fault(Text("SDP-RTPMAP-ONCE.session"), line: line)
            default: nil
            }
        }
    }
}

extension RTPMap {
    /// Encoding, clock rate and parameters, as in the line.
    var shown: String {
        ([encoding] + [clockRate.map(String.init), parameters].compactMap(\.self)).joined(separator: "/")
    }
}
