import WeirEngine
public import WeirProtocols

extension SignalingProfile {
    /// The names of the built-in profiles.
    public static let builtIn = ["article"]

    /// Returns the YAML of a built-in profile, or nil if there is none of that name.
    public static func text(_ name: String) -> String? { name == "article" ? BuiltInSignaling.article : nil }

    /// Parses a profile.
    ///
    /// - Parameters:
    ///   - yaml: The content of the file.
    ///   - file: The file name, for errors.
    public init(yaml: String, file: String) throws(ProfileError) {
        var reader = SignalingProfileReader(file: file)
        self = try reader.read(yaml)
    }
}

/// Parses the YAML of a signaling profile.
struct SignalingProfileReader {
    private static let keys = [
        "name", "port", "framing", "paths", "kinds", "needs-login", "nobody", "heartbeat-timeout",
    ]
    private static let pathKeys = ["type", "from", "to", "call"]
    private static let framingKeys = ["kind", "octets", "order", "before", "after", "counts", "magic"]
    private static let framings = ["newline", "nul", "concatenated", "length"]

    private let source: YAMLSource
    private var result: SignalingProfile

    init(file: String) {
        source = YAMLSource(file: file)
        result = SignalingProfile(name: file)
        result.names.isInferred = false
    }

    mutating func read(_ text: String) throws(ProfileError) -> SignalingProfile {
        guard let root = try source.root(text) else { return result }
        for member in try source.members(root, "a signaling profile", known: Self.keys) {
            let (key, value) = (member.key, member.value)
            switch key {
            case "name": result.name = try source.word(value, key)
            case "port": result.port = UInt16(try number(value, key, 1...65_535))
            case "framing": result.framing = try framing(value)
            case "paths": try readPaths(value)
            case "kinds": try readKinds(value)
            case "needs-login": result.needsLogin = try source.flag(value, key)
            case "nobody":
                for item in source.list(value) { result.nobody.insert(try source.word(item, key)) }
            case "heartbeat-timeout": result.heartbeatTimeout = try seconds(value, key)
            default: break
            }
        }
        return result
    }

    private mutating func readPaths(_ node: YAMLNode) throws(ProfileError) {
        for member in try source.members(node, "paths", known: Self.pathKeys) {
            var names: [String] = []
            for item in source.list(member.value) { names.append(try source.word(item, member.key)) }
            switch member.key {
            case "type": result.names.type = names
            case "from": result.names.from = names
            case "to": result.names.to = names
            default: result.names.call = names
            }
        }
    }

    private mutating func readKinds(_ node: YAMLNode) throws(ProfileError) {
        let kinds = SignalingKind.allCases.map(\.rawValue)
        for member in try source.members(node, "kinds", known: kinds) {
            guard let kind = SignalingKind(rawValue: member.key) else { continue }
            for item in source.list(member.value) { result.names.kinds[try source.word(item, member.key)] = kind }
        }
    }

    // MARK: - Framing

    /// Parses a framing: a word, or a mapping for length-prefixed framing.
    private func framing(_ node: YAMLNode) throws(ProfileError) -> SignalingFraming {
        guard node.mapping != nil else {
            let word = try source.word(node, "framing")
            guard word != "length" else { return .length(try length(octets: 4, members: [])) }
            return try framing(word, node)
        }
        let members = try source.members(node, "framing", known: Self.framingKeys)
        guard let kind = members.first(where: { $0.key == "kind" }) else {
            throw source.error(node, "framing needs a kind: \(Self.framings.joined(separator: ", "))")
        }
        let word = try source.word(kind.value, "kind")
        guard word == "length" else {
            if let other = members.first(where: { $0.key != "kind" }) {
                throw source.error(other.node, "\(other.key) is for framing of kind length")
            }
            return try framing(word, kind.value)
        }
        var octets = 4
        for member in members where member.key == "octets" {
            octets = try number(member.value, "octets", 1...8)
            guard [1, 2, 4, 8].contains(octets) else {
                throw source.error(member.value, "octets takes 1, 2, 4 or 8, not \(octets)")
            }
        }
        return .length(try length(octets: octets, members: members))
    }

    private func framing(_ word: String, _ node: YAMLNode) throws(ProfileError) -> SignalingFraming {
        switch word {
        case "newline": return .newline
        case "nul": return .nul
        case "concatenated": return .concatenated
        default:
            throw source.error(
                node,
                "there is no framing '\(word)'.\(Nearest.hint(word, among: Self.framings)) "
                    + "There are \(Self.framings.joined(separator: ", ")).")
        }
    }

    private func length(
        octets: Int, members: [(key: String, node: YAMLNode, value: YAMLNode)]
    ) throws(ProfileError) -> LengthHeader {
        var header = LengthHeader(before: 0, width: octets, isLittleEndian: false, after: 0, counted: 0)
        for member in members {
            switch member.key {
            case "order":
                let order = try source.word(member.value, "order")
                guard ["big", "little"].contains(order) else {
                    throw source.error(
                        member.value,
                        "order takes big or little, not '\(order)'.\(Nearest.hint(order, among: ["big", "little"]))")
                }
                header.isLittleEndian = order == "little"
            case "before": header.before = try number(member.value, "before", 0...64)
            case "after": header.after = try number(member.value, "after", 0...64)
            case "magic":
                header.magic = try octetsOf(member.value)
                header.before = max(header.before, header.magic.count)
            default: break
            }
        }
        for member in members where member.key == "counts" {
            let words = ["text", "itself", "header"]
            switch try source.word(member.value, "counts") {
            case "text": header.counted = 0
            case "itself": header.counted = octets
            case "header": header.counted = header.octets
            case let word:
                throw source.error(
                    member.value,
                    "counts takes text, itself or header, not '\(word)'.\(Nearest.hint(word, among: words))")
            }
        }
        return header
    }

    /// Parses hexadecimal octets, with or without blanks.
    private func octetsOf(_ node: YAMLNode) throws(ProfileError) -> [UInt8] {
        let digits = Array(try source.word(node, "magic").filter { $0 != " " })
        var octets: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard index + 1 < digits.count, let octet = UInt8(String(digits[index...index + 1]), radix: 16),
                octets.count < 64
            else { throw source.error(node, "magic takes octets in hexadecimal, such as 52 54 43 01") }
            octets.append(octet)
        }
        return octets
    }

    private func number(_ node: YAMLNode, _ what: String, _ range: ClosedRange<Int>) throws(ProfileError) -> Int {
        let word = try source.word(node, what)
        guard let number = Int(word), range.contains(number) else {
            throw source.error(
                node, "\(what) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(word)'")
        }
        return number
    }

    private func seconds(_ node: YAMLNode, _ what: String) throws(ProfileError) -> Double {
        let word = try source.word(node, what)
        let number = word.hasSuffix("s") ? String(word.dropLast()) : word
        guard let value = Double(number.filter { $0 != " " }), value.isFinite, value > 0 else {
            throw source.error(node, "\(what) takes a time in seconds, not '\(word)'")
        }
        return value
    }
}

/// The built-in signaling profiles, as YAML.
enum BuiltInSignaling {
    static let article = """
        # The signaling of an article of 2020 on WebRTC for iOS: JSON on a TCP socket, port 6868.
        # Descriptions and candidates are found wherever they stand in a message; what else there is, is named here.
        name: article
        port: 6868

        # newline, nul, concatenated, or length: then with octets (1, 2, 4, 8), order (big, little), counts (text, itself,
        # header), magic (octets in hexadecimal), before and after (octets before and behind the length).
        # Left out, it is inferred from the first message, as here: the article does not show how it packs messages.
        # framing: {kind: length, octets: 4, order: big, counts: text}

        # Where messages say what; the steps of a path are parted by points.
        paths:
          type: type
          from: source
          to: destination

        # What the peers call their messages; those with a description or a candidate need no name.
        kinds:
          login: login
          heartbeat: heartbeat

        # A peer logs in before it says anything else, and until then its id is 0.
        needs-login: true
        nobody: 0

        # A peer that says nothing for so long is believed to be gone.
        heartbeat-timeout: 10 s

        """
}
