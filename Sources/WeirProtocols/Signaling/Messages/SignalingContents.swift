import WeirPackets

/// The session descriptions and ICE candidates in a JSON text, under any names, at any depth, also inside strings that
/// contain JSON themselves.
struct SignalingContents {
    /// A description or a candidate.
    struct Item {
        /// The content.
        enum Content {
            /// A session description, and the type beside it: `offer`, `answer`, `pranswer`.
            case description(SessionDescription, type: String?)
            /// A candidate, as text or as members.
            case candidate(ICECandidate, text: String?)
            /// A malformed candidate.
            case brokenCandidate(String)
            /// An end-of-candidates indication.
            case endOfCandidates
        }

        /// The content.
        var content: Content
        /// The enclosing object.
        var around: JSONNode
        /// The `mid` of its media section (RFC 5888), if present.
        var mid: String?
        /// The index of its `m=` line, from 0.
        var lineIndex: Int?
        /// The username fragment of its generation (RFC 8840 §4.1).
        var ufrag: String?
    }

    /// The items, in order.
    private(set) var items: [Item] = []
    /// Whether a limit prevented a part of the text from being parsed.
    private(set) var isPartial = false
    private let limits: SignalingLimits
    private let json: JSONLimits
    private let all: Limits

    /// Collects the items in a value.
    init(_ node: JSONNode, limits: Limits) {
        all = limits
        self.limits = limits[SignalingLimits.self]
        json = limits[JSONLimits.self]
        walk(node, name: "", around: node, words: [], wrapping: 0)
    }

    private mutating func add(_ item: Item) {
        guard items.count < limits.contents else {
            isPartial = true
            return
        }
        items.append(item)
    }

    private mutating func walk(_ node: JSONNode, name: String, around: JSONNode, words: [String], wrapping: Int) {
        switch node.content {
        case .string(let text): read(text, name, around, words, wrapping)
        case .null where Self.namesCandidate(name): add(Item(content: .endOfCandidates, around: around))
        case .array(let elements):
            for element in elements {
                walk(element, name: name, around: element.isObject ? element : around, words: words, wrapping: wrapping)
            }
        case .object(let members): object(members, node, name, words, wrapping)
        case .null, .bool, .number: break
        }
    }

    private mutating func object(
        _ members: [JSONNode.Member], _ node: JSONNode, _ name: String, _ words: [String], _ wrapping: Int
    ) {
        if let candidate = ICECandidate(members: node) {
            var item = Item(content: .candidate(candidate, text: nil), around: node)
            Self.place(&item, node)
            return add(item)
        }
        if let text = DescriptionObject.text(node) { return description(text, name, node, words) }
        if Self.namesCandidate(name), node["completed"]?.content == .bool(true) {
            return add(Item(content: .endOfCandidates, around: node))
        }
        // The name of an object and its type members indicate the type of a description in it.
        let own = [name] + members.filter { Self.typeNames.contains($0.name) }.compactMap { $0.value.string }
        for member in members {
            walk(member.value, name: member.name, around: node, words: words + own, wrapping: wrapping)
        }
    }

    private static let typeNames: Set<String> = [
        "type", "sdpType", "sdp_type", "janus", "method", "event", "id", "cmd", "action", "kind",
    ]

    private static func namesCandidate(_ name: String) -> Bool {
        TextSyntax.lowercased(name).hasSuffix("candidate")
    }

    // MARK: - Strings

    private mutating func read(_ text: String, _ name: String, _ around: JSONNode, _ words: [String], _ wrapping: Int) {
        let octets = text.utf8
        guard let first = octets.first(where: { !JSONReader.isBlank($0) }) else {
            // RTCIceCandidate represents the end of candidates as an empty candidate (RFC 9429 §4.1.19).
            if octets.isEmpty, name == "candidate", around["sdpMid"] ?? around["sdpMLineIndex"] != nil {
                add(Item(content: .endOfCandidates, around: around))
            }
            return
        }
        switch first {
        case UInt8(ascii: "v"): description(text, name, around, words)
        case UInt8(ascii: "{"), UInt8(ascii: "["): wrapped(Array(octets), name, words, wrapping)
        case UInt8(ascii: "e") where octets.count >= 64: encoded(text, name, words, wrapping)
        default: candidate(text, name, around)
        }
    }

    private mutating func description(_ text: String, _ name: String, _ around: JSONNode, _ words: [String]) {
        guard let whole = Self.description(in: text) else { return candidate(text, name, around) }
        let read = SessionDescription(whole, limits: all)
        guard read.version != nil, read.origin != nil || !read.media.isEmpty else { return }
        let names = [name] + words.reversed()
        let type = Self.type(names) ?? read.typeBySetup
        var description = read
        description.role = type == "answer" || type == "pranswer" ? .answer : .offer
        add(Item(content: .description(description, type: type), around: around))
    }

    /// Returns the description in a text that starts with `v=`; its line ends may be escaped twice.
    static func description(in text: String) -> String? {
        let start = text.utf8.drop { JSONReader.isBlank($0) }
        guard start.starts(with: "v=0".utf8) else { return nil }
        let rest = start.dropFirst(3)
        guard let next = rest.first else { return nil }
        if next == ASCII.carriageReturn || next == ASCII.lineFeed { return String(Substring(start)) }
        guard next == 0x5C else { return nil }
        var octets: [UInt8] = []
        var isEscaped = false
        for octet in start {
            if isEscaped {
                isEscaped = false
                switch octet {
                case UInt8(ascii: "r"): octets.append(ASCII.carriageReturn)
                case UInt8(ascii: "n"): octets.append(ASCII.lineFeed)
                default: octets += [0x5C, octet]
                }
            } else if octet == 0x5C {
                isEscaped = true
            } else {
                octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The types of descriptions; one is a substring of another.
    private static let types = ["pranswer", "answer", "offer"].map { (name: $0, word: Array($0.utf8)) }

    /// Returns the type of a description by the innermost name that contains one.
    private static func type(_ names: [String]) -> String? {
        for name in names {
            let plain = name.utf8.map(ASCII.lowercased)[...]
            if let type = types.first(where: { ASCII.range(of: $0.word, in: plain) != nil }) { return type.name }
        }
        return nil
    }

    /// The maximum length in characters of a malformed line that is shown.
    private static let longestBroken = 256

    private mutating func candidate(_ text: String, _ name: String, _ around: JSONNode) {
        let line = TextSyntax.trim(text)
        let isNamed = line.hasPrefix("candidate:") || line.hasPrefix("a=candidate:")
        guard isNamed || Self.namesCandidate(name) else { return }
        let candidate = ICECandidate(line)
        guard isNamed || candidate != nil else { return }
        let broken = Item.Content.brokenCandidate(String(line.prefix(Self.longestBroken)))
        var item = Item(content: candidate.map { .candidate($0, text: line) } ?? broken, around: around)
        Self.place(&item, around)
        add(item)
    }

    /// Sets the media section of a candidate from the members beside it.
    private static func place(_ item: inout Item, _ object: JSONNode) {
        item.mid = (object["sdpMid"] ?? object["mid"])?.word
        if item.mid == nil, let id = object["id"]?.string, id.utf8.count <= 16 { item.mid = id }
        item.lineIndex =
            (object["sdpMLineIndex"] ?? object["sdpMlineIndex"] ?? object["sdpMLineindex"] ?? object["label"])?.integer
        item.ufrag = (object["usernameFragment"] ?? object["ufrag"])?.string
    }

    /// Collects the items in JSON inside a string.
    private mutating func wrapped(_ octets: [UInt8], _ name: String, _ words: [String], _ wrapping: Int) {
        guard Self.mayHoldContents(octets.rawSpan) else { return }
        guard wrapping < limits.wrappings else {
            isPartial = true
            return
        }
        let inner = JSONText(octets.rawSpan, limits: json)
        if inner.isPartial { isPartial = true }
        guard inner.isWhole, let value = inner.value else { return }
        walk(value, name: name, around: value, words: words, wrapping: wrapping + 1)
    }

    /// Collects the items in base64-encoded JSON (RFC 4648 §4), as used for manual exchange.
    private mutating func encoded(_ text: String, _ name: String, _ words: [String], _ wrapping: Int) {
        guard let octets = Self.decoded(text) else { return candidate(text, name, JSONNode(.null)) }
        wrapped(octets, name, words, wrapping)
    }

    /// Returns the JSON encoded in a base64 text, or nil if there is none.
    static func decoded(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("eyJ"), text.utf8.allSatisfy({ Base64.isLetter($0) || $0 == ASCII.equals }) else {
            return nil
        }
        return Base64.decode(text.utf8)
    }

    // MARK: - Prefilter

    /// Whether the octets may contain a description or a candidate at all; used to skip parsing.
    static func mayHoldContents(_ bytes: RawSpan) -> Bool {
        var offset = 0
        while let word = bytes.uint32(at: offset) {
            // `v=0\`, `andi` or `foun` of a candidate and its foundation, `iceU` of a description as an object, `eyJ`
            // of JSON in base64.
            if word == 0x763D_305C || word == 0x763D_300D || word == 0x763D_300A { return true }
            if word | 0x2020_2020 == 0x616E_6469 || word == 0x666F_756E || word == 0x6963_6555 || word >> 8 == 0x65794A
            {
                return true
            }
            offset &+= 1
        }
        return false
    }
}

extension SessionDescription {
    /// The type of a description without any other indication, by its DTLS roles: an offerer lets the answerer choose
    /// (RFC 5763 §5).
    fileprivate var typeBySetup: String? {
        let setups = ([setup] + media.map(\.setup)).compactMap { $0 }
        guard let first = setups.first else { return nil }
        return first == "actpass" ? "offer" : "answer"
    }
}

extension ICECandidate {
    /// Parses a candidate whose fields are members of an object, as in mediasoup, Jitsi and ORTC.
    init?(members node: JSONNode) {
        guard let line = Self.line(members: node) else { return nil }
        self.init(line)
    }

    /// Returns the candidate as a line of SDP.
    static func line(members node: JSONNode) -> String? {
        guard let foundation = node["foundation"]?.word, let priority = node["priority"]?.integer,
            let port = node["port"]?.integer, let type = node["type"]?.string,
            let address = (node["address"] ?? node["ip"])?.string,
            let transport = (node["protocol"] ?? node["transport"])?.string, (0...65_535).contains(port)
        else { return nil }
        let component = node["component"]?.integer ?? 1
        var line = "\(foundation) \(component) \(transport) \(priority) \(address) \(port) typ \(type)"
        let related = (node["relatedAddress"] ?? node["raddr"] ?? node["rel-addr"])?.string
        let relatedPort = (node["relatedPort"] ?? node["rport"] ?? node["rel-port"])?.integer
        if let related, let relatedPort { line += " raddr \(related) rport \(relatedPort)" }
        if let tcpType = (node["tcpType"] ?? node["tcptype"])?.string { line += " tcptype \(tcpType)" }
        return line
    }
}
