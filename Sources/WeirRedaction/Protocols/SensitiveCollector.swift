import WeirEngine
import WeirKit
import WeirPackets
import WeirProtocols

/// Learns from an analysis what is sensitive: every value that is masked as a secret, and the values of members that name hosts,
/// users, streams and sessions.
package final class SensitiveCollector: ReportSink {
    /// What was found.
    package private(set) var texts: SensitiveTexts
    /// Passwords of ICE by user name fragment.
    package private(set) var passwords: [String: String] = [:]
    /// The protocols of the flows in which any was found.
    package var protocols: [EndpointPair: Set<String>] {
        var protocols = found
        for pair in encryptedFlows.compactMap({ pairs[$0] }) {
            protocols[pair, default: []].insert(DatagramRedactor.encrypted)
        }
        return protocols
    }
    private var found: [EndpointPair: Set<String>] = [:]
    /// The endpoints of these flows by number.
    private var pairs: [Int: EndpointPair] = [:]
    /// The encodings of media streams by SSRC and payload type, and by SSRC alone.
    package private(set) var encodings: [UInt64: String] = [:]
    /// The SSRCs of streams that are encrypted.
    package private(set) var encrypted: Set<UInt32> = []
    private var encryptedFlows: Set<Int> = []
    /// Texts with keys for SRTP.
    private(set) var keyTexts: Set<KeyText> = []
    private let report: any ReportSink
    private let words: WordMapping
    private let key: RedactionKey
    private let kept: Kept
    /// Certificates of DTLS: descriptions contain their fingerprints.
    private(set) var certificates: Set<[UInt8]> = []
    /// How each direction of an RTMP connection begins.
    private(set) var rtmpStarts: [FlowDirection: RTMPStart] = [:]
    private var rtmpHandshakes: Set<Int> = []
    private static let mostKeyTexts = 64
    private static let mostRTMPStarts = 65_536
    private static let mostCertificates = 256
    /// ICE passwords that are tried for each STUN message; with more, the integrity of some is not computed again.
    private static let mostPasswords = 256
    /// The protocol of the message that is looked at; empty for streams and sessions.
    private var protocolName = ""

    /// What is kept on request.
    package struct Kept: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        /// IP and MAC addresses.
        package static let addresses = Self(rawValue: 1)
        /// Names of hosts, users, streams and sessions.
        package static let names = Self(rawValue: 2)
        /// Media content.
        package static let media = Self(rawValue: 4)
    }

    /// Creates a collector, which passes what it gets on to a report.
    package init(limit: Int, words: WordMapping, key: RedactionKey, kept: Kept, report: any ReportSink) {
        self.report = report
        texts = SensitiveTexts(limit: limit)
        self.words = words
        self.key = key
        self.kept = kept
    }

    package var factPolicies: Set<SecretPolicy> { [.masked, .revealed] }
    package var listsFlows: Bool { report.listsFlows }

    package func begin(_ capture: CaptureRecord) { report.begin(capture) }

    package func finding(_ finding: Finding, session: SessionReference?) { report.finding(finding, session: session) }

    package func end(_ summary: SummaryRecord, tallies: [RuleTally], findings: FindingCounts) {
        report.end(summary, tallies: tallies, findings: findings)
    }

    package func event(_ event: Event, session: SessionReference?, findings: [Finding]) {
        report.event(event, session: session, findings: findings)
        protocolName = event.message.protocolName
        if rtmpStarts.count < Self.mostRTMPStarts { addStart(event) }
        if let message = event.message as? DTLSMessage, case .certificate(let octets) = message.content,
            certificates.count < Self.mostCertificates
        {
            certificates.insert(octets)
        }
        compare(event.message.fields(.revealed), event.message.fields(.masked))
    }

    private func addStart(_ event: Event) {
        if event.message is RTMPHandshakePart { rtmpHandshakes.insert(event.flow) }
        guard let message = event.message as? RTMPMessage else { return }
        let direction = FlowDirection(source: event.source, destination: event.destination)
        if rtmpStarts[direction] == nil {
            rtmpStarts[direction] = RTMPStart(
                chunkSize: message.framing.chunkSize, hasHandshake: rtmpHandshakes.contains(event.flow))
        }
    }

    package func flow(_ flow: FlowRecord) {
        report.flow(flow)
        guard !flow.found.isEmpty else { return }
        let pair = EndpointPair(flow.transport, flow.client, flow.server)
        found[pair, default: []].formUnion(flow.found)
        pairs[flow.id] = pair
    }

    package func stream(_ stream: StreamRecord, session: SessionReference?) {
        report.stream(stream, session: session)
        protocolName = ""
        addFormat(of: stream)
        compare(stream.details.fields(.revealed), stream.details.fields(.masked))
    }

    private func addFormat(of stream: StreamRecord) {
        guard case .string(let text)? = stream["ssrc"], let ssrc = UInt32(text.dropFirst(2), radix: 16) else { return }
        if stream["encrypted"] == .bool(true) {
            encrypted.insert(ssrc)
            encryptedFlows.insert(stream.flow)
        }
        guard let encoding = stream.encoding else { return }
        encodings[RTPRedactor.key(ssrc, nil)] = encoding
        if case .integer(let type)? = stream["payloadType"], let number = UInt8(exactly: type) {
            encodings[RTPRedactor.key(ssrc, number)] = encoding
        }
    }

    package func session(_ record: SessionRecord) {
        report.session(record)
        protocolName = ""
        compare(record.facts(.revealed), record.facts(.masked))
    }

    // MARK: - Values

    private func compare(_ revealed: [Field], _ masked: [Field]) {
        if case .string(let fragment)? = revealed.first(where: { $0.name == "iceUfrag" })?.value,
            case .string(let password)? = revealed.first(where: { $0.name == "icePwd" })?.value
        {
            if passwords.count < Self.mostPasswords { passwords[fragment] = password }
        }
        for (index, field) in revealed.enumerated() {
            compare(field.name, field.value, masked.indices.contains(index) ? masked[index].value : .null)
        }
    }

    private func compare(_ name: String, _ revealed: FieldValue, _ masked: FieldValue) {
        switch revealed {
        case .string(let text):
            let shown = if case .string(let shown) = masked { shown } else { "" }
            if let keys = KeyText(name, text) {
                if keyTexts.count < Self.mostKeyTexts { keyTexts.insert(keys) }
                if let message = keys.message { return add(message, keys) }
            }
            if shown != text { add(secretsOf: text, masked: shown, name) }
            if !kept.contains(.names) { add(name, text) }
        case .array(let values):
            guard case .array(let others) = masked else { return values.forEach { compare(name, $0, .null) } }
            // A header, or an attribute of a description: its name and its value.
            if values.count == 2, case .string(let header) = values[0], name == "headers" || name == "attributes" {
                compare("\(name).\(header.lowercased())", values[1], others.count == 2 ? others[1] : .null)
                return
            }
            for (index, value) in values.enumerated() {
                compare(name, value, others.indices.contains(index) ? others[index] : .null)
            }
        case .object(let fields):
            guard case .object(let others) = masked else { return compare(fields, []) }
            if name == "json" || name.hasPrefix("json.") {
                for (index, field) in fields.enumerated() {
                    compare(
                        "json.\(field.name)", field.value, others.indices.contains(index) ? others[index].value : .null)
                }
            } else {
                compare(fields, others)
            }
        default: break
        }
    }

    /// Adds the parts of a text that the masked text does not show.
    private func add(secretsOf text: String, masked: String, _ name: String) {
        let pieces = masked.split(separator: SecretPolicy.mask, omittingEmptySubsequences: false)
        var rest = Array(text.utf8)[...]
        for (index, piece) in pieces.enumerated() {
            let octets = Array(piece.utf8)
            guard
                let found = octets.isEmpty && index == pieces.count - 1
                    ? rest.endIndex : Self.place(of: octets, in: rest)
            else { continue }
            if index > 0 || found > rest.startIndex { add(secret: Array(rest[..<found])) }
            rest = rest[(found + (octets.isEmpty ? 0 : octets.count))...]
        }
        if !rest.isEmpty, masked.hasSuffix(SecretPolicy.mask) || pieces.count == 1 { add(secret: Array(rest)) }
    }

    private func add(secret: [UInt8]) {
        guard !secret.isEmpty else { return }
        texts.add(secret: secret)
        // The credentials of the Basic scheme (RFC 7617 §2).
        if let decoded = Self.decoded(secret), decoded.contains(ASCII.colon),
            decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        {
            texts.add(secret: decoded)
            texts.add(decoded)
            let redactor = CredentialText(words)
            texts.add(phrase: secret, Array(Base64.encode(redactor(decoded)).utf8))
        }
        // A secret number is replaced behind what introduces it.
        if secret.allSatisfy(ASCII.isDigit), (3..<SensitiveTexts.shortestInside).contains(secret.count) {
            for introduction in ["/", "=", ":"].map({ Array($0.utf8) }) {
                texts.add(
                    phrase: introduction + secret + Array("@".utf8), introduction + words(secret) + Array("@".utf8))
            }
            texts.add(phrase: Array("=".utf8) + secret, Array("=".utf8) + words(secret))
        }
    }

    /// Adds a MIKEY message, of which only the keys are secret.
    private func add(_ message: String, _ keys: KeyText) {
        let replaced = keys.replacedMessage { secret in
            let octets = (0...(secret.count / 32)).flatMap {
                key.digest("MIKEY", secret + [UInt8(truncatingIfNeeded: $0)])
            }
            return Array(octets.prefix(secret.count))
        }
        if let replaced { texts.add(phrase: Array(message.utf8), Array(replaced.utf8)) }
    }

    /// Returns the octets of a text that is base64 throughout, or nil.
    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        let octets = Base64.decode(text)
        return !octets.isEmpty && Base64.encode(octets).utf8.elementsEqual(text) ? octets : nil
    }

    private static func place(of piece: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard !piece.isEmpty else { return text.startIndex }
        guard piece.count <= text.count else { return nil }
        return (text.startIndex...(text.endIndex - piece.count)).first {
            text[$0..<$0 + piece.count].elementsEqual(piece)
        }
    }

    // MARK: - Names

    /// Adds a user name where it stands, also one that is a common word: `username="live"`, `//live:…@`.
    private func addUser(_ text: String) {
        let octets = Array(text.utf8)
        for (before, after) in [("username=\"", "\""), ("//", ":"), ("//", "@")] {
            let (opening, closing) = (Array(before.utf8), Array(after.utf8))
            guard let place = Self.place(of: opening, in: octets[...]) else { continue }
            let user = Array(octets[(place + opening.count)...].prefix { WordMapping.isWordOctet($0) })
            let rest = octets[(place + opening.count + user.count)...]
            // Without `@`, a host and its port.
            guard !user.isEmpty, rest.starts(with: closing), after == "\"" || rest.contains(0x40) else { continue }
            texts.add(phrase: opening + user + closing, opening + words(user) + closing)
        }
    }

    /// Adds the value of a member that names something.
    private func add(_ name: String, _ text: String) {
        if name == "uri" || name == "tcUrl" || name.hasSuffix("authorization") { addUser(text) }
        switch name {
        // Of attributes and events, it is no name of anybody.
        case "name" where protocolName.isEmpty || protocolName == "sdp": texts.add(Self.withoutAddresses(text))
        case "uri", "target", "tcUrl", "swfUrl", "pageUrl", "streamName", "app", "username", "realm",
            "serverName", "cname",
            "information", "email", "phone", "text", "relayedBy", "from", "to", "sender", "room", "origin", "label",
            "streamId",
            "host", "control", "address", "certificateName", "arguments", "title", "author", "copyright", "comment",
            "resource", "user":
            texts.add(Self.withoutAddresses(text))
        case "headers.host", "headers.authorization", "headers.proxy-authorization", "headers.www-authenticate",
            "headers.content-base", "headers.content-location", "headers.location", "headers.referer", "headers.origin",
            "headers.rtp-info", "headers.cookie", "headers.set-cookie", "headers.x-sessioncookie", "headers.from",
            "headers.forwarded", "headers.x-forwarded-for", "headers.x-forwarded-host", "headers.link", "headers.etag",
            "headers.if-match", "headers.sec-websocket-key_", "headers.x-real-ip", "headers.via",
            "headers.warning", "headers.proxy-authenticate":
            texts.add(Self.withoutAddresses(text))
        // Comments may say anything; product names do not name anybody.
        case "headers.user-agent", "headers.server":
            for comment in text.split(separator: "(").dropFirst() {
                texts.add(Self.withoutAddresses(String(comment.prefix { $0 != ")" })))
            }
        case "candidates", "attributes.candidate", "json.candidate":
            // The fifth field is the address, which may be a name (RFC 8839 §5.1).
            let fields = text.split(separator: " ")
            if fields.count > 4 { texts.add(Self.withoutAddresses(String(fields[4]))) }
        case "attributes.cname", "attributes.msid", "attributes.label", "attributes.ssrc", "attributes.control":
            texts.add(Self.withoutAddresses(text))
        default:
            if name.hasPrefix("headers.x-") || name.hasPrefix("json."), !Self.isKept(json: name) {
                texts.add(Self.withoutAddresses(text.hasPrefix("v=0") || text.hasPrefix("candidate:") ? "" : text))
            }
        }
    }

    /// Whether the value of a member of a JSON message says what the message is.
    private static func isKept(json name: String) -> Bool {
        [
            "json.type", "json.janus", "json.event", "json.action", "json.method", "json.cmd", "json.command",
            "json.sdpMid",
            "json.request", "json.status", "json.protocol", "json.sdp", "json.candidate", "json.mid", "json.plugin",
            "json.usernameFragment", "json.codec", "json.role", "json.videocodec", "json.audiocodec",
        ].contains(name)
    }

    /// Returns a text without its IP addresses, whose numbers and letters are not words.
    private static func withoutAddresses(_ text: String) -> [UInt8] {
        let parts = text.utf8.split { octet in
            // Escapes of a URI stay, since they separate words.
            !(ASCII.isDigit(octet) || ASCII.isLetter(octet) || octet == ASCII.colon || octet >= 0x80 || octet == 0x25
                || octet == UInt8(ascii: "."))
        }
        return Array(
            parts.filter { part in
                var part = part
                while part.last == ASCII.colon || part.last == UInt8(ascii: ".") { part = part.dropLast() }
                return IPAddress(String(decoding: part, as: UTF8.self)) == nil
            }.joined(separator: [ASCII.space]))
    }
}

/// Replaces the words and numbers of a user name and password.
struct CredentialText {
    private let words: WordMapping

    init(_ words: WordMapping) {
        self.words = words
    }

    /// Returns the replacement; common words, which are kept everywhere else, are kept here too.
    func callAsFunction(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < text.count {
            var end = place
            while end < text.count, WordMapping.isWordOctet(text[end]) { end += 1 }
            let word = Array(text[place..<end])
            result += CommonWords.contains(word.map(ASCII.lowercased)) ? word : words(word)
            if end < text.count { result.append(text[end]) }
            place = end + 1
        }
        return result
    }
}
