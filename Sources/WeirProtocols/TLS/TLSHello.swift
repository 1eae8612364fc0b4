package import WeirPackets

/// The contents of a ClientHello or ServerHello after the handshake header: the same in TLS (RFC 8446) and DTLS (RFC
/// 6347, RFC 9147), except for a cookie.
package struct TLSHello: Sendable, Hashable {
    /// The protocol version: the highest offered, or the negotiated one; from `supported_versions`, else from the
    /// message's own field.
    package private(set) var version: UInt16
    /// Whether a client returns the cookie of a HelloVerifyRequest (RFC 6347).
    package private(set) var hasCookie = false
    /// The server name (RFC 6066).
    package private(set) var serverName: String?
    /// The application protocols offered, or the negotiated one (ALPN, RFC 7301).
    package private(set) var applicationProtocols: [String] = []
    /// The cipher suites offered, or the negotiated one.
    package private(set) var cipherSuites: [UInt16] = []
    /// The SRTP protection profiles offered, or the negotiated one (RFC 5764 §4.1.1); nil without `use_srtp`.
    package private(set) var srtpProfiles: [UInt16]?
    /// Whether it is a HelloRetryRequest (RFC 8446).
    package private(set) var asksAgain = false

    /// Whether certificates are encrypted in the negotiated version (RFC 8446, RFC 9147).
    package var hidesCertificates: Bool { version == 0xFEFC || version == 0x0304 }

    /// Whether a client sends early data (RFC 8446 §4.2.10).
    private(set) var offersEarlyData = false
    /// Whether the negotiated MAC covers the encrypted octets (RFC 7366).
    private(set) var encryptsThenMACs = false

    private static let mostListed = 128
    /// The first octets of the `random` of a HelloRetryRequest (RFC 8446).
    private static let retryRandom: UInt64 = 0xCF21_AD74_E59A_6111

    /// Parses a ClientHello.
    package init(client bytes: RawSpan, isDatagram: Bool) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: isDatagram ? "DTLS" : "TLS")
        version = try reader.uint16()
        guard version >> 8 == (isDatagram ? 0xFE : 0x03) else { throw reader.malformed("version") }
        try reader.skip(32)
        try reader.skip(Int(try reader.uint8()))
        if isDatagram {
            let octets = Int(try reader.uint8())
            hasCookie = octets > 0
            try reader.skip(octets)
        }
        let suites = try reader.span(Int(try reader.uint16()))
        cipherSuites = Self.list(suites)
        try reader.skip(Int(try reader.uint8()))
        readExtensions(&reader, isClient: true, isDatagram: isDatagram)
    }

    /// Parses a ServerHello.
    package init(server bytes: RawSpan, isDatagram: Bool) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: isDatagram ? "DTLS" : "TLS")
        version = try reader.uint16()
        guard version >> 8 == (isDatagram ? 0xFE : 0x03) else { throw reader.malformed("version") }
        asksAgain = bytes.uint64(at: reader.offset) == Self.retryRandom
        try reader.skip(32)
        try reader.skip(Int(try reader.uint8()))
        cipherSuites = [try reader.uint16()]
        try reader.skip(1)
        readExtensions(&reader, isClient: false, isDatagram: isDatagram)
    }

    /// The type of the `server_name` extension (RFC 6066).
    static let serverNameType: UInt16 = 0
    /// The type of the extension that lists application protocols (ALPN, RFC 7301).
    static let protocolsType: UInt16 = 16

    /// The type of the `early_data` extension (RFC 8446 §4.2.10).
    private static let earlyDataType: UInt16 = 42

    /// The body of EncryptedExtensions (RFC 8446 §4.3.1).
    struct EncryptedExtensions {
        /// Whether the server accepts early data.
        private(set) var acceptsEarlyData = false
        /// The application protocol that the server selected (RFC 7301).
        private(set) var applicationProtocol: String?

        init(_ body: RawSpan) {
            var offset = 2
            while let type = body.uint16(at: offset), let octets = body.uint16(at: offset &+ 2) {
                let end = offset &+ 4 &+ Int(octets)
                if type == TLSHello.earlyDataType { acceptsEarlyData = true }
                if type == TLSHello.protocolsType {
                    applicationProtocol = TLSHello.protocols(body.clamped(offset &+ 4, end)).first
                }
                offset = end
            }
        }
    }

    private mutating func readExtensions(_ reader: inout ByteReader, isClient: Bool, isDatagram: Bool) {
        guard let total = try? reader.uint16() else { return }
        let all = reader.rest().clamped(0, Int(total))
        var offset = 0
        while let type = all.uint16(at: offset), let octets = all.uint16(at: offset &+ 2) {
            let body = all.clamped(offset &+ 4, offset &+ 4 &+ Int(octets))
            offset &+= 4 &+ Int(octets)
            switch type {
            case Self.serverNameType where isClient: serverName = Self.name(body)
            case 14: srtpProfiles = Self.list(body.clamped(2, 2 &+ Int(body.uint16(at: 0) ?? 0)))
            case Self.protocolsType: applicationProtocols = Self.protocols(body)
            case 22: encryptsThenMACs = true
            case Self.earlyDataType: offersEarlyData = true
            case 43 where isClient: version = Self.highest(body, isDatagram: isDatagram) ?? version
            case 43: version = body.uint16(at: 0) ?? version
            default: break
            }
        }
    }

    private static func list(_ bytes: RawSpan) -> [UInt16] {
        stride(from: 0, to: min(bytes.byteCount, 2 * mostListed), by: 2).compactMap { bytes.uint16(at: $0) }
    }

    /// Returns the first host name of a list.
    private static func name(_ bytes: RawSpan) -> String? {
        guard bytes.byte(at: 2) == 0, let length = bytes.uint16(at: 3), length > 0, length < 256 else { return nil }
        let name = bytes.clamped(5, 5 &+ Int(length))
        return name.byteCount == Int(length) ? name.text() : nil
    }

    private static func protocols(_ bytes: RawSpan) -> [String] {
        var names: [String] = []
        var offset = 2
        while let length = bytes.byte(at: offset), names.count < 16 {
            names.append(bytes.clamped(offset &+ 1, offset &+ 1 &+ Int(length)).text())
            offset &+= 1 &+ Int(length)
        }
        return names
    }

    /// Returns the highest version listed; in DTLS, that is the lowest number. GREASE values are ignored (RFC 8701).
    private static func highest(_ bytes: RawSpan, isDatagram: Bool) -> UInt16? {
        let family: UInt16 = isDatagram ? 0xFE : 0x03
        let versions = list(bytes.clamped(1)).filter { $0 >> 8 == family }
        return isDatagram ? versions.min() : versions.max()
    }
}

/// Display names of negotiated parameters.
package enum TLSNames {
    /// Returns the display name of a version.
    package static func version(_ version: UInt16) -> String {
        switch version {
        case 0x0300: "SSL 3.0"
        case 0x0301...0x0304: "TLS 1.\(version & 0xFF - 1)"
        case 0xFEFF: "DTLS 1.0"
        case 0xFEFD: "DTLS 1.2"
        case 0xFEFC: "DTLS 1.3"
        default: "0x" + String(version, radix: 16)
        }
    }

    /// Returns the IANA name of a cipher suite that media servers use, or its number.
    package static func cipherSuite(_ suite: UInt16) -> String {
        suites[suite] ?? "0x" + String(repeating: "0", count: 4 - String(suite, radix: 16).count)
            + String(suite, radix: 16)
    }

    private static let suites: [UInt16: String] = [
        0x0002: "TLS_RSA_WITH_NULL_SHA", 0x003B: "TLS_RSA_WITH_NULL_SHA256",
        0xC006: "TLS_ECDHE_ECDSA_WITH_NULL_SHA", 0xC010: "TLS_ECDHE_RSA_WITH_NULL_SHA",
        0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA", 0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA",
        0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256", 0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384",
        0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0x1304: "TLS_AES_128_CCM_SHA256", 0xC09C: "TLS_RSA_WITH_AES_128_CCM", 0xC09D: "TLS_RSA_WITH_AES_256_CCM",
        0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC023: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", 0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", 0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    ]

    /// Returns the name of an SRTP protection profile (RFC 5764 §4.1.2, RFC 7714).
    package static func srtpProfile(_ profile: UInt16) -> String {
        switch profile {
        case 1: "SRTP_AES128_CM_HMAC_SHA1_80"
        case 2: "SRTP_AES128_CM_HMAC_SHA1_32"
        case 5: "SRTP_NULL_HMAC_SHA1_80"
        case 6: "SRTP_NULL_HMAC_SHA1_32"
        case 7: "SRTP_AEAD_AES_128_GCM"
        case 8: "SRTP_AEAD_AES_256_GCM"
        default: "0x" + String(profile, radix: 16)
        }
    }

    /// The alert that announces the end of a connection (RFC 8446 §6.1).
    static let closeNotify: UInt8 = 0

    /// Returns the description of an alert (RFC 8446).
    package static func alert(_ code: UInt8) -> String {
        alerts[code] ?? "alert \(code)"
    }

    private static let alerts: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow",
        40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
        45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
        49: "access_denied", 50: "decode_error", 51: "decrypt_error", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
        116: "certificate_required", 120: "no_application_protocol",
    ]
}
