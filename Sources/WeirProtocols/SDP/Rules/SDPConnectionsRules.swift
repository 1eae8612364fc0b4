import WeirEngine

/// SDP-C-REQUIRED: every medium has a connection address.
///
/// There MUST be a `c=` line at session level, or one in each media section (RFC 8866 §5.7). A description without
/// media needs none.
struct SDPConnectionRequired: DescriptionRule {
    static let info = RuleInfo(
        "SDP-C-REQUIRED", .error, .must, reference: "RFC 8866 §5.7",
        check: "c= is at session level or in every media section.",
        example: "m=video 0 RTP/AVP 96\nc=IN IP4 0.0.0.0")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard !description.media.isEmpty else { return nil }
        let missing = description.problems(.connectionMissing).compactMap(\.medium)
        guard let index = missing.first, description.media.indices.contains(index) else { return [] }
        let isRefused = missing.allSatisfy {
            description.media.indices.contains($0) && description.isRejected(description.media[$0])
        }
        return [
            Fault(
                Text("SDP-C-REQUIRED.missing", index, description.media[index], .integer(missing.count)),
                expected: .wire("c=<nettype> <addrtype> <connection-address>"),
                severity: isRefused ? .warning : nil, subject: "m\(index)")
        ]
    }
}

/// SDP-C-ADDR: the connection address is valid.
///
/// RFC 8866 §5.7 and the grammar in §9:
/// 1. `c=<nettype> <addrtype> <connection-address>`: three fields, the address one of its type or a full domain name.
/// 2. An IPv4 multicast address MUST have a TTL of 0 to 255; an IPv6 one MUST NOT.
/// 3. A unicast address has no slash.
/// 4. The session level has at most one `c=` line, with one address.
///
/// RTSP servers send `0.0.0.0` (RFC 2326 §C.1.7). Some cameras send a space instead of the address: still an error, as
/// in SDP-O-FIELDS.
struct SDPConnectionAddress: DescriptionRule {
    static let info = RuleInfo(
        "SDP-C-ADDR", .error, .must, reference: "RFC 8866 §5.7",
        check:
            "The address of c= is present and of its type; with a TTL for IPv4 multicast, without a slash for "
            + "unicast.",
        example: "c=IN IP4 \nc=IN IP4 0.0.0.0")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        guard description.connection != nil || description.media.contains(where: { !$0.connections.isEmpty }) else {
            return nil
        }
        var faults = description.problems.compactMap(Self.fault)
        if let count = description.connection?.count, count > 1 {
            faults.append(Fault(Text("SDP-C-ADDR.manyAtSession", .integer(count)), subject: "c"))
        }
        return faults
    }

    private static func fault(_ line: SDPProblem) -> Fault? {
        switch line.kind {
        case .connectionAddressMissing:
            Fault(Text("SDP-C-ADDR.missing"), line: line, expected: .wire("c=IN IP4 0.0.0.0"))
        case .connectionFieldCount: Fault(Text("SDP-C-ADDR.count"), line: line)
        case .connectionAddressInvalid: Fault(Text("SDP-C-ADDR.invalid"), line: line, quirk: placeholder(line))
        case .connectionTTLMissing: Fault(Text("SDP-C-ADDR.noTTL"), line: line)
        case .connectionTTLInvalid: Fault(Text("SDP-C-ADDR.ttl"), line: line)
        case .connectionTTLOnIPv6: Fault(Text("SDP-C-ADDR.ttlOnIPv6"), line: line)
        case .connectionSlashOnUnicast: Fault(Text("SDP-C-ADDR.slash"), line: line)
        case .repeated where line.medium == nil && line.text.hasPrefix("c"):
            Fault(Text("SDP-C-ADDR.repeated"), line: line)
        default: nil
        }
    }

    private static func placeholder(_ line: SDPProblem) -> String? {
        TextSyntax.words(line.text).last.map(SDPAddress.isPlaceholder) == true ? "Q-SDP" : nil
    }
}

/// SDP-BW: bandwidths are numbers and sufficient for the media.
///
/// 1. `b=<bwtype>:<bandwidth>` (RFC 8866 §5.8), the bandwidth in digits (§9).
/// 2. In an offer 0 requests no media, and is allowed, though not recommended (RFC 3264 §5.1). In an RTSP server's
///    presentation it still limits the session to nothing. It is accepted where nothing is sent: with `a=inactive`, or
///    for a rejected medium.
/// 3. `b=AS` is the maximum bandwidth of the RTSP session's media, including IP headers (RFC 8866 §5.8). Reported if
///    the payload alone exceeds it by far, for seconds; bursts are ignored.
///
/// `b=RS:0` and `b=RR:0` only disable RTCP (RFC 3556 §2).
struct SDPBandwidthLimit: DescriptionRule {
    static let info = RuleInfo(
        "SDP-BW", .warning, .plain, reference: "RFC 8866 §5.8",
        check: "b= has a type and a number that the media respects, and is 0 only without media.",
        example: "b=AS:0\nb=AS:500")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let isLimited = !description.bandwidths.isEmpty || description.media.contains { !$0.bandwidths.isEmpty }
        guard isLimited else { return nil }
        let reference = description.isNegotiated ? "RFC 3264 §5.1" : nil
        var faults = description.problems(.bandwidthMalformed).map { Fault(Text("SDP-BW.malformed"), line: $0) }
        if let limit = Self.zero(description.bandwidths) {
            faults.append(
                Fault(
                    Text("SDP-BW.zeroSession", .wire(limit)), actual: .wire("b=\(limit):0"), reference: reference,
                    subject: limit))
        }
        for (index, medium) in description.wantedMedia {
            guard medium.direction ?? description.direction != .inactive, let limit = Self.zero(medium.bandwidths)
            else {
                continue
            }
            faults.append(
                Fault(
                    Text("SDP-BW.zero", index, medium, .wire(limit)), actual: .wire("b=\(limit):0"),
                    reference: reference, subject: "m\(index) \(limit)"))
        }
        return faults
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, !media.isRepair, let limit = media.agreement.bandwidth,
            let rate = media.bitrate,
            media.activeSeconds >= Self.shortest
        else { return judgement.notApplicable() }
        guard rate > Double(limit) * Self.excess else { return judgement.pass() }
        judgement.fail(
            Text("SDP-BW.exceeded", .integer(Int(min(rate, 1e15)) / 1_000), .integer(limit / 1_000)),
            expected: .wire("b=AS:\(Int(min(rate, 1e15)) / 1_000)"), actual: .wire("b=AS:\(limit / 1_000)"),
            subject: "measured")
    }

    /// Minimum duration, in seconds, for a meaningful mean of bursty media.
    private static let shortest = 4.0
    /// The factor above the limit that is reported.
    private static let excess = 1.5

    /// Returns the first media bandwidth limit of zero.
    private static func zero(_ bandwidths: [SDPBandwidth]) -> String? {
        bandwidths.first { ["AS", "CT", "TIAS"].contains($0.type) && $0.value == 0 }?.type
    }
}
