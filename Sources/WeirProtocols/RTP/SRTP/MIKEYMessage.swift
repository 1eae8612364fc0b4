import WeirPackets

/// The SRTP keys of a MIKEY message whose keys are in the clear (RFC 3830, NULL encryption), as `a=key-mgmt` and the
/// RTSP header KeyMgmt carry it (RFC 4567).
package struct MIKEYMessage {
    /// Types of payloads (RFC 3830 §6.1).
    private enum Payload {
        static let last: UInt8 = 0
        static let keys: UInt8 = 1
        static let timestamp: UInt8 = 5
        static let identity: UInt8 = 6
        static let verification: UInt8 = 9
        static let policy: UInt8 = 10
        static let random: UInt8 = 11
    }

    /// The parameters of SRTP (RFC 3830 §6.10.1.A, RFC 7714 §15); without a policy, its defaults.
    private struct Policy {
        var cipher = SRTPProfile.Cipher.counter
        var keyOctets = 16
        var hasTag = true
        var tagOctets: Int?
        var rate: UInt64 = 0
        var isEncrypted = true

        var profile: SRTPProfile? {
            guard hasTag || cipher == .gcm else { return nil }
            let profile = SRTPProfile(
                cipher: cipher, keyOctets: keyOctets, tagOctets: tagOctets ?? (cipher == .gcm ? 16 : 10))
            return isEncrypted ? profile : profile?.withoutEncryption
        }
    }

    /// The usable keys.
    package private(set) var keys: [SRTPKey] = []
    /// Where the key data of the message is: keys and salts, also of unusable ones.
    package private(set) var secrets: [Range<Int>] = []
    /// Whether the message contains keys that are unusable: encrypted, or of another form.
    private(set) var hasOthers = false
    private var policy = Policy()

    /// Parses a message, as far as its payloads are known.
    package init(_ octets: [UInt8]) {
        let bytes = octets.rawSpan
        // Common header: version, data type, next payload, CSB ID, and the sources of up to 255 crypto sessions.
        guard bytes.byte(at: 0) == 1, var next = bytes.byte(at: 2), let sessions = bytes.byte(at: 8),
            bytes.byte(at: 9) == 0
        else {
            hasOthers = true
            return
        }
        var start = 10 &+ Int(sessions) &* 9
        while next != Payload.last {
            guard let following = bytes.byte(at: start), let length = Self.length(of: next, bytes.clamped(start)) else {
                hasOthers = true
                return
            }
            let payload = bytes.clamped(start, start &+ length)
            switch next {
            case Payload.policy: read(policy: payload)
            case Payload.keys: read(keys: payload, at: start)
            default: break
            }
            next = following
            start &+= length
        }
    }

    /// Returns the octets of a payload; nil for a type whose end is unknown.
    private static func length(of type: UInt8, _ bytes: RawSpan) -> Int? {
        switch type {
        case Payload.keys:
            guard let octets = bytes.uint16(at: 2), let mac = bytes.byte(at: 4 &+ Int(octets)) else { return nil }
            return 5 &+ Int(octets) &+ (mac == 0 ? 0 : 20)
        case Payload.timestamp: return bytes.byte(at: 1).map { $0 == 2 ? 6 : 10 }
        case Payload.identity: return bytes.uint16(at: 2).map { 4 &+ Int($0) }
        case Payload.verification: return bytes.byte(at: 1).map { $0 == 0 ? 2 : 22 }
        case Payload.policy: return bytes.uint16(at: 3).map { 5 &+ Int($0) }
        case Payload.random: return bytes.byte(at: 1).map { 2 &+ Int($0) }
        default: return nil
        }
    }

    private mutating func read(policy bytes: RawSpan) {
        guard bytes.byte(at: 2) == 0 else { return }
        var offset = 5
        while let type = bytes.byte(at: offset), let length = bytes.byte(at: offset &+ 1) {
            let value = Int(bytes.byte(at: offset &+ 2) ?? 0)
            offset &+= 2 &+ Int(length)
            guard length == 1 else { continue }
            switch type {
            case 0:
                switch value {
                case 0: policy.cipher = .none
                case 1: policy.cipher = .counter
                case 2: policy.cipher = .f8
                case 6: policy.cipher = .gcm
                default: policy.hasTag = false
                }
            case 1: policy.keyOctets = value
            case 2: policy.hasTag = value == 1
            // The exponent of a power of two, as in RFC 4568 §6.3.1.
            case 6: policy.rate = 1...24 ~= value ? 1 << UInt64(value) : 0
            case 7: policy.isEncrypted = value != 0
            case 10: policy.hasTag = policy.hasTag && value != 0
            case 11, 20: policy.tagOctets = value
            default: break
            }
        }
    }

    private mutating func read(keys bytes: RawSpan, at start: Int) {
        guard bytes.byte(at: 1) == 0, let octets = bytes.uint16(at: 2), let profile = policy.profile else {
            hasOthers = true
            return
        }
        let data = bytes.clamped(4, 4 &+ Int(octets))
        var offset = 0
        var hasNext = true
        while hasNext, keys.count < 8, let next = data.byte(at: offset), let types = data.byte(at: offset &+ 1),
            let length = data.uint16(at: offset &+ 2)
        {
            hasNext = next == 20
            var secret = data.clamped(offset &+ 4, offset &+ 4 &+ Int(length)).array()
            // Behind the header of the payload, of four octets.
            let first = start &+ 4 &+ offset &+ 4
            secrets.append(first..<first &+ secret.count)
            offset &+= 4 &+ Int(length)
            // With a salt of its own (RFC 3830 §6.13); GStreamer sends it as a part of the key.
            if types >> 4 == 1 || types >> 4 == 3, let salt = data.uint16(at: offset) {
                let octets = data.clamped(offset &+ 2, offset &+ 2 &+ Int(salt)).array()
                secret += octets
                let first = start &+ 4 &+ offset &+ 2
                secrets.append(first..<first &+ octets.count)
                offset &+= 2 &+ Int(salt)
            }
            var identifier = 0
            switch types & 0x0F {
            case 1:
                identifier = Int(data.byte(at: offset) ?? 0)
                offset &+= 1 &+ identifier
            case 2:
                offset &+= 1 &+ Int(data.byte(at: offset) ?? 0)
                offset &+= 1 &+ Int(data.byte(at: offset) ?? 0)
            default: break
            }
            // A TGK is not used itself, but keys derived from it.
            guard types >> 4 >= 2,
                let key = SRTPKey(
                    profile, secret: secret, identifierOctets: identifier, rate: policy.rate, source: .mikey)
            else {
                hasOthers = true
                continue
            }
            keys.append(key)
        }
    }

    /// Parses the value of `a=key-mgmt`, or the data of KeyMgmt: the protocol, and the message in base64.
    init?(keyManagement value: String) {
        guard let data = Self.data(keyManagement: value) else { return nil }
        self.init(Base64.decode(data.utf8.prefix(Self.mostCharacters)))
    }

    /// Parses the RTSP header KeyMgmt (RFC 4567 §4.2): `prot=mikey;uri="…";data="…"`.
    init?(header value: String) {
        guard let data = Self.data(header: value) else { return nil }
        self.init(Base64.decode(data.utf8.prefix(Self.mostCharacters)))
    }

    /// Returns the message, in base64, of the attribute `a=key-mgmt` (RFC 4567 §3.1).
    package static func data(keyManagement value: String) -> String? {
        let (name, data) = TextSyntax.pair(TextSyntax.trim(value), at: ASCII.space)
        return ASCII.equalIgnoringCase(name, "mikey") ? data.map { String($0) } : nil
    }

    /// Returns the message, in base64, of the RTSP header KeyMgmt.
    package static func data(header value: String) -> String? {
        let parts = TextSyntax.split(value, at: ASCII.semicolon).map { TextSyntax.pair($0) }
        func part(_ name: String) -> String? {
            parts.first { ASCII.equalIgnoringCase(TextSyntax.trim($0.0), name) }?.1.map {
                String(TextSyntax.trim($0).filter { $0 != "\"" })
            }
        }
        // Base64 may end with the sign that separates name and value.
        guard let name = part("prot"), ASCII.equalIgnoringCase(name, "mikey") else { return nil }
        return part("data")
    }

    /// Characters of base64 that are parsed.
    private static let mostCharacters = 8_192
}
