import WeirEngine
import WeirPackets

/// SDP-ORDER: lines are in the order of the grammar.
///
/// 1. Lines have a fixed order (RFC 8866 §5), and most occur at most once (§9).
/// 2. `r=` follows a `t=` (§5.10).
///
/// RFC 2326 puts `c=` after `t=` in its own examples (§C.2, §C.3), and cameras put media attributes before other media
/// lines: known habits, reported as such.
struct SDPLineOrder: DescriptionRule {
    static let info = RuleInfo(
        "SDP-ORDER", .warning, .must, reference: "RFC 8866 §5",
        check: "Lines are in the order of the grammar, and repeated only where it allows.",
        example: "t=0 0\nc=IN IP4 0.0.0.0")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var reported: Set<String> = []
        return description.problems.compactMap { line in
            let letter = line.text.first.map(String.init) ?? ""
            guard let key = Self.key(line, letter), reported.insert("\(key) \(line.subject)").inserted else {
                return nil
            }
            let isHabit = line.kind == .order && (line.medium != nil || letter == "c")
            return Fault(Text(key, .wire("\(letter)=")), line: line, quirk: isHabit ? "Q-SDP" : nil)
        }
    }

    /// Returns the text key; `v=`, `s=` and the session's `c=` have their own rules.
    private static func key(_ line: SDPProblem, _ letter: String) -> String? {
        switch line.kind {
        case .order: letter == "v" ? nil : "SDP-ORDER.late"
        case .repeated: letter == "s" || (letter == "c" && line.medium == nil) ? nil : "SDP-ORDER.repeated"
        case .repeatWithoutTime: "SDP-ORDER.repeatWithoutTime"
        default: nil
        }
    }
}

/// SDP-LINE: each line is of the form `<type>=<value>`.
///
/// 1. `<type>=<value>`, the type exactly one letter, without white space on either side of `=` (RFC 8866 §5) unless the
///    value may start with it, as free text may.
/// 2. Fields of a value are separated by one space (§5), so two spaces or trailing white space are invalid.
/// 3. Types not in §9 are unknown to all parsers, which MUST ignore or reject such a description.
/// 4. Without `a=charset`, text is UTF-8 (§5, §5.3).
///
/// Some cameras send trailing spaces in `m=` and `a=rtpmap`, and foreign lines in media sections. Attribute values of
/// arbitrary bytes, such as `fmtp`, may end with a space. A space instead of an address is reported by SDP-O-FIELDS and
/// SDP-C-ADDR.
struct SDPLineForm: DescriptionRule {
    static let info = RuleInfo(
        "SDP-LINE", .error, .must, reference: "RFC 8866 §5",
        check: "Each line is one letter, \"=\" and a value, with single spaces and none around \"=\".",
        example: "a =control:track1\na=control:track1")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let judged = Set(description.problems(.originAddressMissing, .connectionAddressMissing).map(\.line))
        return description.problems.compactMap { Self.fault($0, judged, description) }
    }

    private static func fault(_ line: SDPProblem, _ judged: Set<Int>, _ description: SessionDescription) -> Fault? {
        let letter = line.text.utf8.first ?? 0
        switch line.kind {
        case .notTypeValue: return Fault(Text("SDP-LINE.form"), line: line)
        case .blankBeforeEquals: return Fault(Text("SDP-LINE.blankBefore"), line: line)
        case .blankAfterEquals:
            // The names in `e=` and `p=` may start with a space (§9, `email-safe`).
            return "ep".utf8.contains(letter) ? nil : Fault(Text("SDP-LINE.blankAfter"), line: line)
        case .trailingBlank:
            guard !judged.contains(line.line), endsStrictly(line.text) else { return nil }
            return Fault(Text("SDP-LINE.trailingBlank"), line: line, quirk: "Q-SDP")
        case .doubleBlank: return Fault(Text("SDP-LINE.doubleBlank"), line: line, quirk: "Q-SDP")
        case .emptyLine: return Fault(Text("SDP-LINE.empty", .integer(line.line)), line: line, reference: "RFC 8866 §9")
        case .unknownType:
            return Fault(
                Text("SDP-LINE.unknown", .wire(String(line.text.prefix(1)))), line: line,
                quirk: line.medium == nil ? nil : "Q-SDP")
        case .emptyValue:
            // Other empty lines are reported by the rule for that line type.
            guard "iuepakrz".utf8.contains(letter) else { return nil }
            let isText = "iuep".utf8.contains(letter)
            return Fault(
                Text("SDP-LINE.emptyValue"), line: line, severity: isText ? .warning : nil, reference: "RFC 8866 §9")
        case .attributeName: return Fault(Text("SDP-LINE.attributeName"), line: line, reference: "RFC 8866 §9")
        case .notUTF8:
            guard !description.attributes.has("charset") else { return nil }
            return Fault(Text("SDP-LINE.charset"), line: line, severity: .warning)
        default: return nil
        }
    }

    /// Whether the syntax of the line does not allow trailing white space.
    private static func endsStrictly(_ text: String) -> Bool {
        guard text.hasPrefix("a=") else { return !["k", "e", "p", "u"].contains(text.prefix(1)) }
        let name = TextSyntax.trim(TextSyntax.pair(text.dropFirst(2), at: 0x3A).0)
        return strictAttributes.contains(name)
    }

    private static let strictAttributes: Set<String> = [
        "rtpmap", "mid", "group", "candidate", "fingerprint", "setup", "ice-ufrag", "ice-pwd", "sendrecv", "sendonly",
        "recvonly", "inactive", "rtcp-mux", "rtcp", "ptime", "maxptime", "framerate", "ssrc-group", "extmap",
    ]
}

/// SDP-EOL: lines end in CRLF.
///
/// CRLF ends a line, though parsers should accept LF alone (RFC 8866 §5); every rule of the grammar ends in CRLF, so
/// the last line has one, too (§9). Some servers send LF, or do not terminate the last line.
struct SDPLineEnds: DescriptionRule {
    static let info = RuleInfo(
        "SDP-EOL", .warning, .must, reference: "RFC 8866 §9", check: "Every line ends in CRLF, including the last.",
        example: "v=0<LF>\nv=0<CRLF>")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        [
            Self.fault(description.problems(.lineFeedOnly), "SDP-EOL.lineFeed", "Q-LF"),
            Self.fault(description.problems(.carriageReturnOnly), "SDP-EOL.carriageReturn", nil),
            Self.fault(description.problems(.noFinalLineEnd), "SDP-EOL.open", "Q-NO-EOL"),
        ].compactMap(\.self)
    }

    /// Returns one fault for all lines of a kind: the first, and their number.
    private static func fault(_ lines: [SDPProblem], _ key: String, _ quirk: String?) -> Fault? {
        guard let first = lines.first else { return nil }
        var fault = Fault(Text(key, .integer(lines.count)), line: first, quirk: quirk)
        fault.subject = ""
        return fault
    }
}

/// SDP-CASE: names have the specified case.
///
/// Values are case-sensitive unless specified otherwise (RFC 8866 §5), and so are attribute names. Encoding names and
/// format parameter names are the exceptions (§5.14). Most parsers are lenient, so this is a note.
struct SDPLetterCase: DescriptionRule {
    static let info = RuleInfo(
        "SDP-CASE", .note, .plain, reference: "RFC 8866 §5",
        check: "Attribute names, media types and protocols have the defined case.",
        example: "a=Control:track1\na=control:track1")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var words: [(String, Set<String>)] = description.attributes.map { ($0.name, Self.attributes) }
        for connection in [description.connection].compactMap(\.self) + description.media.flatMap(\.connections) {
            words += [(connection.netType, Self.networks), (connection.addrType, Self.addressTypes)]
        }
        if let origin = description.origin {
            words += [(origin.netType, Self.networks), (origin.addrType, Self.addressTypes)]
        }
        for medium in description.media {
            words.append((medium.type, Self.types))
            words.append((medium.proto, Self.protocols))
            words += medium.attributes.map { ($0.name, Self.attributes) }
        }
        var reported: Set<String> = []
        return words.compactMap { word, known in
            guard !known.contains(word), let right = known.first(where: { ASCII.equalIgnoringCase($0, word) }),
                reported.insert(word).inserted
            else { return nil }
            return Fault(
                Text("SDP-CASE.word", .wire(word), .wire(right)), expected: .wire(right), actual: .wire(word),
                subject: right)
        }
    }

    private static let networks: Set<String> = ["IN"]
    private static let addressTypes: Set<String> = ["IP4", "IP6"]
    private static let types: Set<String> = ["audio", "video", "text", "application", "message", "image"]
    private static let protocols: Set<String> = [
        "RTP/AVP", "RTP/SAVP", "RTP/AVPF", "RTP/SAVPF", "UDP/TLS/RTP/SAVP", "UDP/TLS/RTP/SAVPF", "TCP/RTP/AVP",
    ]
    private static let attributes: Set<String> = [
        "candidate", "charset", "control", "crypto", "end-of-candidates", "extmap", "extmap-allow-mixed", "fingerprint",
        "fmtp", "framerate", "group", "ice-lite", "ice-options", "ice-pwd", "ice-ufrag", "inactive", "maxptime", "mid",
        "msid", "ptime", "range", "recvonly", "rtcp", "rtcp-fb", "rtcp-mux", "rtcp-rsize", "rtpmap", "sendonly",
        "sendrecv", "setup", "ssrc", "ssrc-group", "tool", "type",
    ]
}
