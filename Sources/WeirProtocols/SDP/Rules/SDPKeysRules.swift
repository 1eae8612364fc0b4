import WeirEngine
import WeirPackets

extension MediaDescription {
    /// Whether the medium uses DTLS: `UDP/TLS/RTP/SAVPF`, `UDP/DTLS/SCTP` and similar.
    fileprivate var isDTLS: Bool {
        proto.split(separator: "/").contains { $0 == "TLS" || $0 == "DTLS" }
    }
}

/// SDP-FINGERPRINT: the DTLS peer can be authenticated.
///
/// 1. There MUST be a fingerprint of the certificate (RFC 5763 §5), at media or session level (RFC 8122 §5); with
///    BUNDLE that of the tagged section applies to all (RFC 9143 §7.1.3).
/// 2. A hash function, a space, and octets of two upper-case hexadecimal digits separated by colons, as many as the
///    hash function produces (RFC 8122 §5). Lower case is only a warning.
/// 3. MD2 and MD5 MUST NOT be used (§5).
struct SDPFingerprints: DescriptionRule {
    static let info = RuleInfo(
        "SDP-FINGERPRINT", .error, .must, reference: "RFC 8122 §5",
        check: "Media over DTLS has a fingerprint: a known hash function, with its length, in upper-case hexadecimal.",
        example: "a=fingerprint:sha-256 4a:ad\na=fingerprint:sha-256 4A:AD:B9:…")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = description.attributes.has("fingerprint")
        var faults = Self.judge(description.attributes, "session")
        for (index, medium) in description.wantedMedia {
            let hasOwn = medium.attributes.has("fingerprint")
            guard medium.isDTLS || hasOwn else { continue }
            isJudged = true
            faults += Self.judge(medium.attributes, "m\(index)")
            let isCovered =
                hasOwn || description.attributes.has("fingerprint") || description.isCarriedByBundle(medium)
                || medium.attributes.has("bundle-only")
            if !isCovered {
                faults.append(
                    Fault(
                        Text("SDP-FINGERPRINT.missing", index, medium, .wire(medium.proto)),
                        expected: .wire("a=fingerprint:sha-256 …"), reference: "RFC 5763 §5", subject: "m\(index)"))
            }
        }
        return isJudged ? faults : nil
    }

    private static func judge(_ attributes: [SDPAttribute], _ place: String) -> [Fault] {
        attributes.all("fingerprint").flatMap { value -> [Fault] in
            let actual = Text.wire("a=fingerprint:\(value)")
            let words = TextSyntax.words(value)
            guard words.count == 2 else { return [Fault(Text("SDP-FINGERPRINT.form"), actual: actual, subject: place)] }
            let hash = TextSyntax.lowercased(words[0])
            guard let length = lengths[hash] else {
                return [Fault(Text("SDP-FINGERPRINT.hash", .wire(words[0])), actual: actual, subject: place)]
            }
            var faults: [Fault] = []
            if hash == "md2" || hash == "md5" {
                faults.append(Fault(Text("SDP-FINGERPRINT.weak", .wire(words[0])), actual: actual, subject: place))
            }
            let octets = words[1].utf8.split(separator: ASCII.colon, omittingEmptySubsequences: false)
            guard octets.allSatisfy({ $0.count == 2 && $0.allSatisfy(TextSyntax.isHexDigit) }) else {
                return faults + [Fault(Text("SDP-FINGERPRINT.form"), actual: actual, subject: place)]
            }
            if octets.count != length {
                faults.append(
                    Fault(
                        Text("SDP-FINGERPRINT.length", .integer(octets.count), .wire(words[0]), .integer(length)),
                        actual: actual, subject: place))
            }
            if words[1] != TextSyntax.uppercased(words[1]) {
                faults.append(
                    Fault(Text("SDP-FINGERPRINT.lowerCase"), actual: actual, severity: .warning, subject: place))
            }
            return faults
        }
    }

    /// Digest length, in bytes, of the hash functions of RFC 8122 §5.
    private static let lengths = [
        "sha-1": 20, "sha-224": 28, "sha-256": 32, "sha-384": 48, "sha-512": 64, "md5": 16, "md2": 16,
    ]
}

/// SDP-SETUP: the DTLS roles are defined.
///
/// 1. `setup` is one of active, passive, actpass, holdconn (RFC 4145 §4), and for DTLS MUST NOT be holdconn (RFC 8842
///    §5.1).
/// 2. An offer MUST have actpass, an answer active or passive (RFC 5763 §5; RFC 8842 §5.2, §5.3).
/// 3. With BUNDLE the tagged section's value applies to all (RFC 9143 §7.1.3).
///
/// An offer with active is a warning: WHIP clients may send it, and answerers MUST accept it (RFC 8842 §5.3).
struct SDPSetup: DescriptionRule {
    static let info = RuleInfo(
        "SDP-SETUP", .error, .must, reference: "RFC 5763 §5",
        check: "For DTLS, an offer has a=setup:actpass, and an answer active or passive.",
        example: "offer:  a=setup:actpass\nanswer: a=setup:actpass")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let media = description.wantedMedia.filter { $0.medium.isDTLS }
        guard !media.isEmpty else { return nil }
        return media.compactMap { index, medium in
            let subject = "m\(index)"
            guard let setup = (medium.setup ?? description.setup).map({ TextSyntax.trim($0) }) else {
                let isCovered = description.isCarriedByBundle(medium) || medium.attributes.has("bundle-only")
                guard description.isNegotiated, !isCovered else { return nil }
                return Fault(
                    Text("SDP-SETUP.missing", index, medium), expected: Self.expected(description), subject: subject)
            }
            let key: String
            var reference: String?
            switch (setup, description.role) {
            case ("holdconn", _):
                key = "holdconn"
                reference = "RFC 8842 §5.1"
            case ("actpass", .answer): key = "answer"
            case ("active", .offer), ("passive", .offer):
                key = "offer"
                reference = "RFC 8842 §5.2"
            case ("active", _), ("passive", _), ("actpass", _): return nil
            default:
                key = "unknown"
                reference = "RFC 4145 §4"
            }
            return Fault(
                Text("SDP-SETUP.\(key)", index, medium, .wire(setup)), expected: Self.expected(description),
                actual: .wire("a=setup:\(setup)"), severity: setup == "active" ? .warning : nil, reference: reference,
                subject: subject)
        }
    }

    private static func expected(_ description: SessionDescription) -> Text? {
        switch description.role {
        case .offer: .wire("a=setup:actpass")
        case .answer: .wire("a=setup:active")
        default: nil
        }
    }
}

/// SDP-CRYPTO: SRTP keys in the description are usable.
///
/// RFC 4568:
/// 1. `crypto` MUST be at media level (§4).
/// 2. `<tag> <crypto-suite> <key-params>`; the tag has up to nine digits, without leading zeros, and is unique in the
///    medium (§4.1, §9.1).
/// 3. Key and salt MUST have the length of the suite, otherwise the line is invalid (§6.1, §6.2): 30 octets for
///    AES_CM_128 and F8_128. Suites registered later with IANA have other lengths; an unknown suite is a warning.
///
/// Keys are never shown.
struct SDPCrypto: DescriptionRule {
    static let info = RuleInfo(
        "SDP-CRYPTO", .error, .must, reference: "RFC 4568 §6.1",
        check: "a=crypto has a unique tag, a known suite, and a key and salt of that suite's length.",
        example: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:… (16 octets)")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        let isAtSession = description.attributes.has("crypto")
        guard isAtSession || description.media.contains(where: { $0.attributes.has("crypto") }) else { return nil }
        var faults: [Fault] = []
        if isAtSession {
            faults.append(Fault(Text("SDP-CRYPTO.session"), reference: "RFC 4568 §4", subject: "session"))
        }
        for (index, medium) in description.media.enumerated() {
            var tags: Set<String> = []
            for value in medium.attributes.all("crypto") {
                let subject = "m\(index)"
                guard let crypto = CryptoAttribute(value) else {
                    faults.append(
                        Fault(Text("SDP-CRYPTO.form", index, medium), reference: "RFC 4568 §9.1", subject: subject))
                    continue
                }
                let isTag = TextSyntax.isDigits(crypto.tag) && crypto.tag.utf8.count <= 9
                if !isTag || (crypto.tag.hasPrefix("0") && crypto.tag != "0") {
                    faults.append(
                        Fault(
                            Text("SDP-CRYPTO.tag", index, medium, .wire(crypto.tag)), actual: .wire(crypto.tag),
                            reference: "RFC 4568 §4.1", subject: subject))
                }
                if !tags.insert(crypto.tag).inserted {
                    faults.append(
                        Fault(
                            Text("SDP-CRYPTO.repeated", index, medium, .wire(crypto.tag)), actual: .wire(crypto.tag),
                            reference: "RFC 4568 §4.1", subject: subject))
                }
                faults += Self.judgeKeys(crypto, index, medium)
            }
        }
        return faults
    }

    private static func judgeKeys(_ crypto: CryptoAttribute, _ index: Int, _ medium: MediaDescription) -> [Fault] {
        let subject = "m\(index) \(crypto.suite)"
        // Fields are case-insensitive unless noted otherwise (§4).
        guard let length = lengths[TextSyntax.uppercased(crypto.suite)] else {
            return [
                Fault(
                    Text("SDP-CRYPTO.suite", index, medium, .wire(crypto.suite)), actual: .wire(crypto.suite),
                    severity: .warning, reference: "RFC 4568 §6.2", subject: subject)
            ]
        }
        return TextSyntax.split(crypto.keyParameters, at: ASCII.semicolon).compactMap { parameter in
            let (method, info) = TextSyntax.pair(parameter, at: ASCII.colon)
            guard ASCII.equalIgnoringCase(method, "inline"), let info else {
                // If the key method is missing, the key may be in its place.
                let shown = info == nil || method.utf8.count > longestMethod ? SecretPolicy.mask : method
                return Fault(
                    Text("SDP-CRYPTO.method", index, medium, .wire(shown)), actual: .wire(shown), subject: subject)
            }
            let letters = TextSyntax.pair(info, at: 0x7C).0.utf8.prefix { $0 != ASCII.equals }
            guard letters.allSatisfy(Base64.isLetter) else {
                return Fault(Text("SDP-CRYPTO.base64", index, medium), subject: subject)
            }
            let octets = letters.count / 4 * 3 + max(0, letters.count % 4 - 1)
            guard octets != length else { return nil }
            return Fault(
                Text(
                    "SDP-CRYPTO.length", index, medium, .wire(crypto.suite), .integer(octets), .integer(length)),
                subject: subject)
        }
    }

    /// Maximum length of text shown as a key method.
    private static let longestMethod = 12

    /// Length of key and salt, in bytes: RFC 4568 §6.2; then RFC 6188 and RFC 7714 in IANA's registry of SRTP crypto
    /// suites.
    private static let lengths = [
        "AES_CM_128_HMAC_SHA1_80": 30, "AES_CM_128_HMAC_SHA1_32": 30, "F8_128_HMAC_SHA1_80": 30,
        "F8_128_HMAC_SHA1_32": 30, "AES_192_CM_HMAC_SHA1_80": 38, "AES_192_CM_HMAC_SHA1_32": 38,
        "AES_256_CM_HMAC_SHA1_80": 46, "AES_256_CM_HMAC_SHA1_32": 46, "AEAD_AES_128_GCM": 28, "AEAD_AES_256_GCM": 44,
    ]
}
