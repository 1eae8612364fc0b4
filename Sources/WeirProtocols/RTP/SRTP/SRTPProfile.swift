import WeirPackets

/// A protection profile of SRTP: the cipher, and the lengths of keys and tags (RFC 3711 §8.2, RFC 4568 §6.2, RFC 6188,
/// RFC 7714 §12).
package struct SRTPProfile: Sendable, Hashable {
    /// The transforms of RTP and RTCP payloads.
    enum Cipher: Sendable, Hashable {
        /// None: payloads are in the clear, with a tag.
        case none
        /// AES in counter mode (RFC 3711 §4.1.1, RFC 6188 §2), with HMAC-SHA1 tags.
        case counter
        /// AES in f8 mode (RFC 3711 §4.1.2), which is verified but not decrypted.
        case f8
        /// AES-GCM, whose tag is part of the ciphertext (RFC 7714).
        case gcm
    }

    /// The name in session descriptions and key files.
    package let name: String
    let cipher: Cipher
    /// Octets of the master key.
    package let keyOctets: Int
    /// Octets of the master salt: 14, or 12 for AES-GCM (RFC 7714 §12).
    package var saltOctets: Int { cipher == .gcm ? 12 : 14 }
    /// Octets of the authentication tag of RTP.
    let tagOctets: Int
    /// Octets of the authentication tag of RTCP, never shortened (RFC 4568 §6.2.2, RFC 5764 §4.1.2).
    let reportTagOctets: Int

    private init(_ name: String, _ cipher: Cipher, key: Int, tag: Int, reportTag: Int = 10) {
        self.name = name
        self.cipher = cipher
        keyOctets = key
        tagOctets = tag
        reportTagOctets = cipher == .gcm ? tag : reportTag
    }

    /// Creates the profile of a crypto suite (RFC 4568 §6.2), by its case-insensitive name; nil for unknown ones.
    ///
    /// Names of DTLS-SRTP profiles (RFC 5764 §4.1.2, with OpenSSL's variants) and of libsrtp are accepted, too.
    package init?(named name: String) {
        let wanted = TextSyntax.uppercased(name)
        let canonical = Self.aliases[wanted] ?? wanted
        guard let known = Self.all.first(where: { $0.name == canonical }) else { return nil }
        self = known
    }

    /// Creates the profile that DTLS negotiated, by its number (RFC 5764 §4.1.2, RFC 7714 §14.2); nil for profiles
    /// without encryption and unknown ones.
    package init?(number: UInt16) {
        let name: String
        switch number {
        case 1: name = "AES_CM_128_HMAC_SHA1_80"
        case 2: name = "AES_CM_128_HMAC_SHA1_32"
        case 7: name = "AEAD_AES_128_GCM"
        case 8: name = "AEAD_AES_256_GCM"
        default: return nil
        }
        self.init(named: name)
    }

    /// Creates a profile whose transforms are given one by one, as in MIKEY (RFC 3830 §6.10.1).
    init?(cipher: Cipher, keyOctets: Int, tagOctets: Int) {
        guard [16, 24, 32].contains(keyOctets), cipher == .gcm ? tagOctets == 16 : 4...20 ~= tagOctets else {
            return nil
        }
        self.init("", cipher, key: keyOctets, tag: tagOctets, reportTag: tagOctets)
    }

    /// The same profile for payloads in the clear (RFC 4568 §6.3.2).
    var withoutEncryption: SRTPProfile {
        cipher == .gcm ? self : SRTPProfile(name, .none, key: keyOctets, tag: tagOctets, reportTag: reportTagOctets)
    }

    /// The known profiles.
    package static let all: [SRTPProfile] = [
        SRTPProfile("AES_CM_128_HMAC_SHA1_80", .counter, key: 16, tag: 10),
        SRTPProfile("AES_CM_128_HMAC_SHA1_32", .counter, key: 16, tag: 4),
        SRTPProfile("AES_192_CM_HMAC_SHA1_80", .counter, key: 24, tag: 10),
        SRTPProfile("AES_192_CM_HMAC_SHA1_32", .counter, key: 24, tag: 4),
        SRTPProfile("AES_256_CM_HMAC_SHA1_80", .counter, key: 32, tag: 10),
        SRTPProfile("AES_256_CM_HMAC_SHA1_32", .counter, key: 32, tag: 4),
        SRTPProfile("AEAD_AES_128_GCM", .gcm, key: 16, tag: 16),
        SRTPProfile("AEAD_AES_256_GCM", .gcm, key: 32, tag: 16),
        SRTPProfile("F8_128_HMAC_SHA1_80", .f8, key: 16, tag: 10),
        SRTPProfile("NULL_HMAC_SHA1_80", .none, key: 16, tag: 10),
        SRTPProfile("NULL_HMAC_SHA1_32", .none, key: 16, tag: 4),
    ]

    private static let aliases: [String: String] = [
        "SRTP_AES128_CM_HMAC_SHA1_80": "AES_CM_128_HMAC_SHA1_80",
        "SRTP_AES128_CM_HMAC_SHA1_32": "AES_CM_128_HMAC_SHA1_32",
        "SRTP_AES128_CM_SHA1_80": "AES_CM_128_HMAC_SHA1_80", "SRTP_AES128_CM_SHA1_32": "AES_CM_128_HMAC_SHA1_32",
        "AES_CM_192_HMAC_SHA1_80": "AES_192_CM_HMAC_SHA1_80", "AES_CM_192_HMAC_SHA1_32": "AES_192_CM_HMAC_SHA1_32",
        "AES_CM_256_HMAC_SHA1_80": "AES_256_CM_HMAC_SHA1_80", "AES_CM_256_HMAC_SHA1_32": "AES_256_CM_HMAC_SHA1_32",
        "SRTP_AEAD_AES_128_GCM": "AEAD_AES_128_GCM", "SRTP_AEAD_AES_256_GCM": "AEAD_AES_256_GCM",
        "SRTP_NULL_HMAC_SHA1_80": "NULL_HMAC_SHA1_80", "SRTP_NULL_HMAC_SHA1_32": "NULL_HMAC_SHA1_32",
    ]
}
