import WeirEngine

/// SDP-EXTMAP: header extension IDs are valid.
///
/// RFC 8285:
/// 1. `a=extmap:<value>[/<direction>] <URI> <extensionattributes>` (§5), the direction one of four words (§7).
/// 2. The valid range is 1 to 14 for the one-byte header (§4.2) and 1 to 256 for the two-byte header, where 256 stands
///    for the appbits (§4.3); 0 is padding. 15 is reserved in the one-byte form only.
/// 3. 4096 to 4351 offer alternatives, which an answer may repeat to indicate support (§7); without an answer they have
///    no effect.
/// 4. IDs in the valid range are unique in a section (§5, §7); the others may be offered twice.
/// 5. All are at session level, or all at media level (§5).
/// 6. The direction of an extension is compatible with that of its stream: no sending in a recvonly stream (§7).
///
/// IDs above 14 need the two-byte form, which only the stream shows.
struct SDPHeaderExtensions: DescriptionRule {
    static let info = RuleInfo(
        "SDP-EXTMAP", .error, .must, reference: "RFC 8285 §5",
        check:
            "Each a=extmap has a valid id, unique in its section; all are at session level, or all in media sections.",
        example: "a=extmap:1 urn:ietf:params:rtp-hdrext:toffset\na=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let atSession = description.attributes.all("extmap")
        let inMedia = description.media.contains { $0.attributes.has("extmap") }
        guard !atSession.isEmpty || inMedia else { return nil }
        var faults: [Fault] = []
        if !atSession.isEmpty, inMedia { faults.append(Fault(Text("SDP-EXTMAP.levels"), subject: "session")) }
        faults += Self.judge(atSession, "session", description, nil)
        for (index, medium) in description.media.enumerated() {
            faults += Self.judge(
                medium.attributes.all("extmap"), "m\(index)", description, medium.direction ?? description.direction)
        }
        return faults
    }

    private static func judge(
        _ values: [String], _ place: String, _ description: SessionDescription, _ direction: MediaDirection?
    ) -> [Fault] {
        var seen: Set<Int> = []
        return values.flatMap { value -> [Fault] in
            let actual = Text.wire("a=extmap:\(value)")
            guard let map = ExtensionMap(value) else {
                return [Fault(Text("SDP-EXTMAP.form"), actual: actual, subject: place)]
            }
            var faults: [Fault] = []
            let subject = "\(place) \(map.id)"
            switch map.id {
            case 1...256:
                guard !seen.insert(map.id).inserted else { break }
                faults.append(Fault(Text("SDP-EXTMAP.repeated", .integer(map.id)), actual: actual, subject: subject))
            case 4_096...4_351:
                guard !description.isNegotiated else { break }
                faults.append(
                    Fault(
                        Text("SDP-EXTMAP.offered", .integer(map.id)), actual: actual, severity: .warning,
                        reference: "RFC 8285 §7", subject: subject))
            default:
                faults.append(
                    Fault(
                        Text("SDP-EXTMAP.range", .integer(map.id)), actual: actual, reference: "RFC 8285 §4.3",
                        subject: subject))
            }
            if let way = map.direction {
                let isAgainst =
                    (way == "sendonly" && direction == .recvonly) || (way == "recvonly" && direction == .sendonly)
                if MediaDirection(rawValue: way) == nil || isAgainst {
                    faults.append(
                        Fault(
                            Text(isAgainst ? "SDP-EXTMAP.against" : "SDP-EXTMAP.direction", .wire(way)),
                            actual: actual, reference: "RFC 8285 §7", subject: subject))
                }
            }
            return faults
        }
    }
}
