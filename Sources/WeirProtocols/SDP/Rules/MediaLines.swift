import WeirEngine

/// SDP-M: the media line is complete.
///
/// `m=<media> <port> <proto> <fmt> ...` (RFC 8866 §5.14): at least four fields, the port a number, and under an RTP
/// profile the formats are payload type numbers of seven bits.
struct SDPMediaLine: DescriptionRule {
    static let info = RuleInfo(
        "SDP-M", .error, .must, reference: "RFC 8866 §5.14",
        check: "m= has a media type, a port, a protocol and at least one format.",
        example: "m=video 0 RTP/AVP\nm=video 0 RTP/AVP 96")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard !description.media.isEmpty else { return nil }
        return description.problems.compactMap { line in
            switch line.kind {
            case .mediaFieldCount:
                Fault(Text("SDP-M.count"), line: line, expected: .wire("m=<media> <port> <proto> <fmt> ..."))
            case .mediaPort: Fault(Text("SDP-M.port"), line: line)
            case .mediaFormat: Fault(Text("SDP-M.format"), line: line)
            default: nil
            }
        }
    }
}

/// SDP-M-PROTO: the protocol of a medium matches its attributes.
///
/// 1. `a=rtcp-fb` MUST be used only in media with a feedback profile (AVPF), and not at session level (RFC 4585 §4.2).
/// 2. RTP over TCP is `TCP/RTP/AVP` (RFC 4571 §4). SDP defines no protocol with the transport after the profile, as in
///    RTSP's Transport header.
/// 3. Media with a fingerprint uses DTLS keys, indicated by `UDP/TLS/…` (RFC 5764 §8). Some endpoints send another
///    protocol, and receivers accept it (RFC 8829 §5.1.2).
struct SDPMediaProtocol: DescriptionRule {
    static let info = RuleInfo(
        "SDP-M-PROTO", .warning, .must, reference: "RFC 4585 §4.2",
        check: "The protocol of m= is an SDP protocol, and a=rtcp-fb is used only with a feedback profile.",
        example: "m=video 9 RTP/AVP 96\na=rtcp-fb:96 nack pli")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard description.media.contains(where: \.isRTP) else { return nil }
        var faults: [Fault] = []
        if description.attributes.has("rtcp-fb") {
            faults.append(Fault(Text("SDP-M-PROTO.session"), subject: "session"))
        }
        for (index, medium) in description.media.enumerated() where medium.isRTP {
            let parts = medium.proto.split(separator: "/")
            let profile = parts.drop { $0 != "RTP" }.dropFirst().first ?? ""
            if medium.attributes.has("rtcp-fb"), !profile.hasSuffix("F") {
                faults.append(
                    Fault(
                        Text("SDP-M-PROTO.feedback", index, medium, .wire(medium.proto)),
                        expected: .wire("\(medium.proto)F"), actual: .wire(medium.proto), subject: "m\(index)"))
            }
            let isByTLS = parts.contains("TLS") || parts.contains("DTLS")
            let hasHash = medium.attributes.has("fingerprint") || description.attributes.has("fingerprint")
            // Capability negotiation (RFC 5939) may offer another protocol.
            let isFinal = !medium.attributes.has("tcap") && !description.attributes.has("tcap")
            if hasHash, !isByTLS, isFinal, !description.isRejected(medium) {
                faults.append(
                    Fault(
                        Text("SDP-M-PROTO.keys", index, medium, .wire(medium.proto)),
                        expected: .wire("UDP/TLS/RTP/SAVP\(profile.hasSuffix("F") ? "F" : "")"),
                        actual: .wire(medium.proto), severity: profile.hasPrefix("S") ? .note : nil,
                        reference: "RFC 5764 §8", subject: "m\(index)"))
            }
            if let carrier = parts.last, carrier == "TCP" || carrier == "UDP" {
                faults.append(
                    Fault(
                        Text("SDP-M-PROTO.carrier", index, medium, .wire(medium.proto)),
                        expected: .wire(carrier == "TCP" ? "TCP/RTP/\(profile)" : "RTP/\(profile)"),
                        actual: .wire(medium.proto), reference: "RFC 4571 §4", subject: "m\(index)"))
            }
        }
        return faults
    }
}

/// SDP-CONTROL: each of several streams has its own control URL.
///
/// With several streams, each MUST have `a=control` in its section (RFC 2326 §C.3; §C.2 requires the same without
/// aggregate control). SETUP cannot distinguish two media with the same URL. Only descriptions carried by RTSP are
/// checked.
struct SDPControl: DescriptionRule {
    static let info = RuleInfo(
        "SDP-CONTROL", .warning, .must, reference: "RFC 2326 §C.3",
        check: "With RTSP, each of several media sections has its own a=control.",
        example: "m=video 0 RTP/AVP 96\nm=audio 0 RTP/AVP 0\na=control:track2")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard step.session?.kind == "rtsp", description.media.count > 1 else { return nil }
        let reference = description.control == nil ? "RFC 2326 §C.2" : nil
        var urls: Set<String> = []
        return description.media.enumerated().compactMap { index, medium in
            guard let control = medium.control.map({ TextSyntax.trim($0) }), !control.isEmpty else {
                return Fault(Text("SDP-CONTROL.missing", index, medium), reference: reference, subject: "m\(index)")
            }
            guard !urls.insert(control).inserted else { return nil }
            return Fault(
                Text("SDP-CONTROL.same", index, medium), actual: .wire(uri: control), reference: reference,
                subject: "m\(index)")
        }
    }
}

/// SDP-DIR: a medium has one direction.
///
/// At most one of `recvonly`, `sendrecv`, `sendonly` and `inactive` occurs at session level, and at most one in each
/// media section (RFC 8866 §6.7).
struct SDPDirection: DescriptionRule {
    static let info = RuleInfo(
        "SDP-DIR", .warning, .plain, reference: "RFC 8866 §6.7",
        check: "There is at most one direction at session level, and at most one per media section.",
        example: "a=sendrecv\na=recvonly")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var faults: [Fault] = []
        let session = Self.directions(description.attributes)
        var isSaid = !session.isEmpty
        if session.count > 1 {
            faults.append(
                Fault(
                    Text("SDP-DIR.session", .integer(session.count)), actual: .wire(session.joined(separator: ", ")),
                    subject: "session"))
        }
        for (index, medium) in description.media.enumerated() {
            let directions = Self.directions(medium.attributes)
            isSaid = isSaid || !directions.isEmpty
            guard directions.count > 1 else { continue }
            faults.append(
                Fault(
                    Text("SDP-DIR.medium", index, medium, .integer(directions.count)),
                    actual: .wire(directions.joined(separator: ", ")), subject: "m\(index)"))
        }
        return isSaid ? faults : nil
    }

    private static func directions(_ attributes: [SDPAttribute]) -> [String] {
        attributes.map(\.name).filter { MediaDirection(rawValue: $0) != nil }
    }
}
