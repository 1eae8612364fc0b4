import WeirEngine
import WeirPackets

/// SDP-MID: groups refer to existing media.
///
/// 1. No two media of a description have the same tag (RFC 5888 §4: MUST).
/// 2. If there are groups, each medium has a tag (§6: MUST).
/// 3. A group with an unknown tag MUST be ignored as a whole (§6).
/// 4. A group MUST NOT include media whose port is 0 (§9.2), except bundle-only ones (RFC 9143 §14.2).
///
/// A rejected medium without a tag is unused, and only a warning. In a server's presentation, port 0 rejects nothing.
struct SDPMediaIdentification: DescriptionRule {
    static let info = RuleInfo(
        "SDP-MID", .error, .must, reference: "RFC 5888 §6",
        check: "a=mid is unique; with a=group, every media section has one, and groups list accepted media sections.",
        example: "a=group:BUNDLE 0 1\nm=audio 9 UDP/TLS/RTP/SAVPF 111\na=mid:0")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let groups = description.groups
        guard !groups.isEmpty || description.media.contains(where: { $0.mid != nil }) else { return nil }
        var faults: [Fault] = []
        var media: [String: MediaDescription] = [:]
        for (index, medium) in description.media.enumerated() {
            guard let mid = medium.mid.map({ TextSyntax.trim($0) }), !mid.isEmpty else {
                guard !groups.isEmpty else { continue }
                faults.append(
                    Fault(
                        Text("SDP-MID.missing", index, medium),
                        severity: description.isRejected(medium) ? .warning : nil, subject: "m\(index)"))
                continue
            }
            if media[mid] != nil {
                faults.append(
                    Fault(
                        Text("SDP-MID.repeated", index, medium, .wire(mid)), actual: .wire("a=mid:\(mid)"),
                        reference: "RFC 5888 §4", subject: "m\(index)"))
            }
            media[mid] = medium
        }
        for group in groups {
            var reported: Set<String> = []
            for member in group.members where reported.insert(member).inserted {
                guard let medium = media[member] else {
                    faults.append(
                        Fault(
                            Text("SDP-MID.unknown", .wire(group.semantics), .wire(member)),
                            actual: .wire(member), subject: group.semantics))
                    continue
                }
                guard description.isRejected(medium) else { continue }
                faults.append(
                    Fault(
                        Text("SDP-MID.rejected", .wire(group.semantics), .wire(member)), actual: .wire(member),
                        reference: "RFC 5888 §9.2", subject: group.semantics))
            }
        }
        return faults
    }
}

/// SDP-BUNDLE: media that share a transport are compatible.
///
/// Checks of RFC 9143 possible on one offer or answer:
/// 1. A medium is in at most one `BUNDLE` group (§5).
/// 2. The offer's tagged section MUST NOT be a bundle-only one (§7.2.1).
/// 3. `rtcp-mux` is on the tagged section and applies to all (§7.1.3, §9.3.1.2, §9.3.1.4). Exceptions: the first RTP
///    section may have it instead, since browsers omit it on data channels; and it is not required on every section of
///    a first offer (§9.3.1.1), since a single offer does not show whether it is the first.
/// 4. Sections with RTP MUST have the same protocol in their `m=` lines (§9.1).
/// 5. The MID header extension MUST be in each of them (§9.1): a warning, since SSRCs and payload types also
///    distinguish media.
/// 6. One payload type, one codec configuration (§9.1.1); one extension ID, one extension (§12).
///
/// Whether both sides then use one transport is checked by rules for answers and media.
struct SDPBundle: DescriptionRule {
    static let info = RuleInfo(
        "SDP-BUNDLE", .error, .must, reference: "RFC 9143 §9.1",
        check: "Bundled media sections have one protocol, rtcp-mux, the MID extension, and no id with two meanings.",
        example: "a=group:BUNDLE 0 1\nm=audio 9 UDP/TLS/RTP/SAVPF 111\nm=video 9 RTP/AVP 96")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard description.isNegotiated, !description.bundles.isEmpty else { return nil }
        var faults: [Fault] = []
        var seen: Set<String> = []
        let tags = description.media.enumerated().compactMap { index, medium in medium.mid.map { ($0, index) } }
        let places = Dictionary(tags, uniquingKeysWith: min)
        for members in description.bundles {
            // Besides the tagged section, sections that no earlier group includes are checked.
            var judged = Array(members.prefix(1))
            for (place, member) in members.enumerated() {
                guard seen.insert(member).inserted else {
                    faults.append(
                        Fault(
                            Text("SDP-BUNDLE.twice", .wire(member)), actual: .wire(member), reference: "RFC 9143 §5",
                            subject: "BUNDLE"))
                    continue
                }
                if place > 0 { judged.append(member) }
            }
            let media = judged.compactMap { places[$0] }.map { ($0, description.media[$0]) }
            if let (index, tagged) = media.first, tagged.mid == members.first, description.role == .offer,
                tagged.attributes.has("bundle-only")
            {
                faults.append(
                    Fault(
                        Text("SDP-BUNDLE.taggedBundleOnly", index, tagged), reference: "RFC 9143 §7.2.1",
                        subject: "m\(index)"))
            }
            let streams = media.filter { $0.1.isRTP && !description.isRejected($0.1) }
            faults += Self.judge(streams, isMultiplexed: media.first?.1.rtcpMux == true) + Self.judgeNumbers(streams)
        }
        return faults
    }

    private static func judge(_ streams: [(Int, MediaDescription)], isMultiplexed: Bool) -> [Fault] {
        guard let (firstIndex, first) = streams.first else { return [] }
        var faults: [Fault] = []
        if !isMultiplexed, !first.rtcpMux, !first.attributes.has("bundle-only") {
            faults.append(
                Fault(
                    Text("SDP-BUNDLE.rtcpMux", firstIndex, first), expected: .wire("a=rtcp-mux"),
                    reference: "RFC 9143 §9.3", subject: "m\(firstIndex)"))
        }
        for (index, medium) in streams {
            if medium.proto != first.proto {
                faults.append(
                    Fault(
                        Text("SDP-BUNDLE.proto", index, medium, .wire(medium.proto), .wire(first.proto)),
                        expected: .wire(first.proto), actual: .wire(medium.proto), subject: "m\(index)"))
            }
            if streams.count > 1, !medium.extensionMaps.contains(where: { $0.uri == midExtension }) {
                faults.append(
                    Fault(
                        Text("SDP-BUNDLE.midExtension", index, medium), expected: .wire(midExtension),
                        severity: .warning, subject: "m\(index)"))
            }
        }
        return faults
    }

    private static let midExtension = "urn:ietf:params:rtp-hdrext:sdes:mid"

    /// Returns faults for numbers with a different meaning in another section.
    private static func judgeNumbers(_ streams: [(Int, MediaDescription)]) -> [Fault] {
        var faults: [Fault] = []
        var formats: [UInt8: String] = [:]
        var extensions: [Int: String] = [:]
        for (index, medium) in streams {
            for type in Set(medium.payloadTypes).sorted() {
                guard let map = medium.rtpMap(type) else { continue }
                let meaning = TextSyntax.lowercased(
                    "\(medium.type) \(map.shown) \(medium.formatParameters(type)?.raw ?? "")")
                if let other = formats[type], other != meaning {
                    faults.append(
                        Fault(
                            Text("SDP-BUNDLE.payloadType", index, medium, .integer(Int(type))),
                            expected: .wire(other), actual: .wire(meaning), reference: "RFC 9143 §9.1.1",
                            subject: "m\(index) \(type)"))
                }
                formats[type] = formats[type] ?? meaning
            }
            for map in medium.extensionMaps where map.id < 4_096 {
                if let other = extensions[map.id], other != map.uri {
                    faults.append(
                        Fault(
                            Text("SDP-BUNDLE.extension", index, medium, .integer(map.id)), expected: .wire(other),
                            actual: .wire(map.uri), reference: "RFC 9143 §12", subject: "m\(index) \(map.id)"))
                }
                extensions[map.id] = extensions[map.id] ?? map.uri
            }
        }
        return faults
    }
}

/// SDP-RTCPMUX: RTP and RTCP share a port only if both sides agree.
///
/// 1. An offer MUST signal it in each medium, and an answerer that agrees signals it as well (RFC 5761 §5.1.1): in an
///    answer it is meaningful only if offered.
/// 2. It is not a session-level attribute.
///
/// Answers without a captured offer are not checked. Bundled media inherit it from their tagged section.
struct SDPRTCPMultiplexing: Rule {
    static let info = RuleInfo(
        "SDP-RTCPMUX", .error, .must, reference: "RFC 5761 §5.1.1",
        check: "a=rtcp-mux is in media sections, and in an answer only if the offer has it.",
        example: "offer:  m=audio 5004 RTP/AVP 0\nanswer: m=audio 6004 RTP/AVP 0 a=rtcp-mux")
    static let observes = ["sdp"]

    /// For each medium of the latest offer, whether multiplexing was offered; and the direction of the offer.
    private var offered: (media: [Bool], isFromClient: Bool)?

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        judgement.conclude(faults(description, step), of: description)
        if description.role == .offer {
            offered = (
                description.media.map { $0.rtcpMux || description.isCarriedByBundle($0) },
                step.event.direction == .clientToServer
            )
        }
    }

    private func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var faults: [Fault] = []
        if description.attributes.has("rtcp-mux") {
            faults.append(Fault(Text("SDP-RTCPMUX.session"), subject: "session"))
        }
        guard let offered, description.role == .answer,
            offered.isFromClient != (step.event.direction == .clientToServer)
        else { return faults.isEmpty ? nil : faults }
        for (index, medium) in description.media.enumerated() where medium.rtcpMux && index < offered.media.count {
            guard !offered.media[index] else { continue }
            faults.append(Fault(Text("SDP-RTCPMUX.notOffered", index, medium), subject: "m\(index)"))
        }
        return faults
    }
}
