import WeirEngine

/// SDP-V: the description starts with its version.
///
/// 1. The grammar starts with `v=` (RFC 8866 §9), and a description MUST conform to it (§5).
/// 2. The version is 0, with nothing after it (§5.1).
struct SDPVersion: DescriptionRule {
    static let info = RuleInfo(
        "SDP-V", .error, .must, reference: "RFC 8866 §5.1", check: "The first line is v=0.",
        example: "o=- 1 1 IN IP4 192.0.2.1\nv=0")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let expected = Text.wire("v=0")
        if let line = description.problems(.versionNotZero).first {
            return [Fault(Text("SDP-V.number"), line: line, expected: expected)]
        }
        if description.has(.versionMissing) { return [Fault(Text("SDP-V.missing"), expected: expected)] }
        return description.problems(.order).filter { $0.text.hasPrefix("v") && $0.medium == nil }.prefix(1).map {
            Fault(Text("SDP-V.notFirst"), line: $0, expected: expected, reference: "RFC 8866 §9")
        }
    }
}

/// SDP-O-FIELDS: the origin is complete.
///
/// `o=<username> <sess-id> <sess-version> <nettype> <addrtype> <unicast-address>` (RFC 8866 §5.2): six fields, ID and
/// version in digits (§9), the address one of its type or a full domain name.
///
/// Some cameras omit `o=`, send the placeholder `x.y.z.w` as address, or a space. The space stays an error: the line
/// lacks a field, and strict parsers fail.
struct SDPOriginFields: DescriptionRule {
    static let info = RuleInfo(
        "SDP-O-FIELDS", .error, .must, reference: "RFC 8866 §5.2",
        check: "o= has six fields: numeric id and version, and an address of the given type.",
        example: "o=- 1773926623 1 IN IP4 \no=- 1773926623 1 IN IP4 192.0.2.1")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let expected = Text.wire("o=<username> <sess-id> <sess-version> <nettype> <addrtype> <unicast-address>")
        if description.has(.originMissing) {
            return [Fault(Text("SDP-O-FIELDS.missing"), expected: expected, quirk: "Q-SDP")]
        }
        if let line = description.problems(.originAddressMissing).first {
            return [Fault(Text("SDP-O-FIELDS.noAddress"), line: line, expected: expected)]
        }
        if let line = description.problems(.originFieldCount).first {
            return [Fault(Text("SDP-O-FIELDS.count"), line: line, expected: expected)]
        }
        var faults = description.problems(.originNumber).prefix(1).map {
            Fault(Text("SDP-O-FIELDS.number"), line: $0, reference: "RFC 8866 §9")
        }
        if let line = description.problems(.originAddressInvalid).first, let origin = description.origin {
            let address = origin.address ?? ""
            faults.append(
                Fault(
                    Text("SDP-O-FIELDS.address", .wire(address), .wire(origin.addrType)), line: line,
                    quirk: SDPAddress.isPlaceholder(address) ? "Q-SDP" : nil))
        }
        return faults
    }
}

/// SDP-S: the session has a name.
///
/// A description MUST have exactly one `s=` line, which MUST NOT be empty (RFC 8866 §5.3); `s= ` and `s=-` are
/// recommended for sessions without a name.
struct SDPSessionName: DescriptionRule {
    static let info = RuleInfo(
        "SDP-S", .error, .must, reference: "RFC 8866 §5.3", check: "There is exactly one s= line, and it is not empty.",
        example: "s=\ns=-")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        if description.has(.nameMissing) { return [Fault(Text("SDP-S.missing"), expected: .wire("s=-"))] }
        var faults = description.problems(.nameEmpty).prefix(1).map {
            Fault(Text("SDP-S.empty"), line: $0, expected: .wire("s=-"))
        }
        faults += description.problems(.repeated).filter { $0.medium == nil && $0.text.hasPrefix("s") }.prefix(1).map {
            Fault(Text("SDP-S.repeated"), line: $0)
        }
        return faults
    }
}

/// SDP-T: the description has an active time.
///
/// 1. The grammar has `1*time-description` (RFC 8866 §9): at least one `t=`.
/// 2. It contains a start and a stop, each 0 or the seconds since 1900 in at least ten digits (§5.9, §9). Times with
///    fewer digits are before 1932: probably a duration, or the time of another clock.
struct SDPTimeLine: DescriptionRule {
    static let info = RuleInfo(
        "SDP-T", .error, .must, reference: "RFC 8866 §5.9",
        check: "There is at least one t= line with a start and a stop time.", example: "t=\nt=0 0")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        if description.has(.timeMissing) {
            return [Fault(Text("SDP-T.missing"), expected: .wire("t=0 0"), reference: "RFC 8866 §9")]
        }
        let malformed = description.problems(.timeMalformed)
        if !malformed.isEmpty {
            return malformed.prefix(1).map { Fault(Text("SDP-T.malformed"), line: $0, expected: .wire("t=0 0")) }
        }
        let numbers = description.times.flatMap { [$0.start, $0.stop ?? "0"] }
        return numbers.first { $0 != "0" && ($0.utf8.count < 10 || $0.hasPrefix("0")) }.map {
            [Fault(Text("SDP-T.short", .wire($0)), actual: .wire($0), severity: .warning, reference: "RFC 8866 §9")]
        } ?? []
    }
}

extension SDPAddress {
    /// Whether the address is `x.y.z.w` or similar, left over from an example: four labels of one letter each.
    static func isPlaceholder(_ address: String) -> Bool {
        let labels = address.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count == 4
            && labels.allSatisfy { label in label.utf8.count == 1 && label.utf8.allSatisfy { $0 | 0x20 >= 0x61 } }
    }
}
