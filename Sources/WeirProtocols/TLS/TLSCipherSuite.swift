/// What a cipher suite means for the protection of records: key lengths, the cipher, and the hash functions.
struct TLSCipherSuite: Sendable, Hashable {
    /// A hash function.
    enum Hash: Sendable, Hashable {
        case sha1, sha256, sha384

        /// Octets of its output.
        var octets: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            case .sha384: 48
            }
        }
    }

    /// The protection of records.
    enum Cipher: Sendable, Hashable {
        /// AES in Galois/Counter Mode (RFC 5288).
        case gcm
        /// ChaCha20 with Poly1305 (RFC 7905).
        case chaCha20
        /// AES in CCM, with the length of the tag (RFC 6655).
        case ccm(tag: Int)
        /// AES in CBC mode with an HMAC (RFC 5246 §6.2.3.2).
        case cbc(mac: Hash)
        /// No encryption, with an HMAC (RFC 5246 §6.2.3.1).
        case null(mac: Hash)
    }

    /// The cipher.
    let cipher: Cipher
    /// Octets of the encryption key.
    let keyOctets: Int
    /// The hash function of the key schedule.
    let hash: Hash

    /// Octets of the MAC key in the key block; none for AEAD.
    var macOctets: Int {
        switch cipher {
        case .cbc(let mac), .null(let mac): mac.octets
        case .gcm, .chaCha20, .ccm: 0
        }
    }
    /// Octets of the IV in the key block of TLS 1.2 (RFC 5288 §3, RFC 6655 §3, RFC 7905 §2); CBC has its IV in records.
    var fixedOctets: Int {
        switch cipher {
        case .gcm, .ccm: 4
        case .chaCha20: 12
        case .cbc, .null: 0
        }
    }

    /// Returns the suite with this number, or nil if Weir cannot decrypt it.
    init?(_ number: UInt16) {
        switch number {
        case 0x1301: self.init(.gcm, 16)
        case 0x1302: self.init(.gcm, 32, .sha384)
        case 0x1303: self.init(.chaCha20, 32)
        case 0x1304: self.init(.ccm(tag: 16), 16)
        case 0x1305: self.init(.ccm(tag: 8), 16)
        case 0x009C, 0x009E, 0x00A8, 0x00AA, 0x00AC, 0xC02B, 0xC02D, 0xC02F, 0xC031, 0xD001: self.init(.gcm, 16)
        case 0x009D, 0x009F, 0x00A9, 0x00AB, 0x00AD, 0xC02C, 0xC02E, 0xC030, 0xC032, 0xD002:
            self.init(.gcm, 32, .sha384)
        case 0xCCA8...0xCCAE: self.init(.chaCha20, 32)
        case 0xC09C, 0xC09E, 0xC0A4, 0xC0A6, 0xC0AC: self.init(.ccm(tag: 16), 16)
        case 0xC09D, 0xC09F, 0xC0A5, 0xC0A7, 0xC0AD: self.init(.ccm(tag: 16), 32)
        case 0xC0A0, 0xC0A2, 0xC0A8, 0xC0AA, 0xC0AE: self.init(.ccm(tag: 8), 16)
        case 0xC0A1, 0xC0A3, 0xC0A9, 0xC0AB, 0xC0AF: self.init(.ccm(tag: 8), 32)
        case 0x002F, 0x0032, 0x0033, 0x0034, 0x008C, 0xC004, 0xC009, 0xC00E, 0xC013, 0xC018, 0xC035:
            self.init(.cbc(mac: .sha1), 16)
        case 0x0035, 0x0038, 0x0039, 0x003A, 0x008D, 0xC005, 0xC00A, 0xC00F, 0xC014, 0xC019, 0xC036:
            self.init(.cbc(mac: .sha1), 32)
        case 0x003C, 0x0040, 0x0067, 0x006C, 0x00AE, 0xC023, 0xC025, 0xC027, 0xC029, 0xC037:
            self.init(.cbc(mac: .sha256), 16)
        case 0x003D, 0x006A, 0x006B, 0x006D: self.init(.cbc(mac: .sha256), 32)
        case 0x00AF, 0xC024, 0xC026, 0xC028, 0xC02A, 0xC038: self.init(.cbc(mac: .sha384), 32, .sha384)
        case 0x0002, 0x002C...0x002E, 0xC001, 0xC006, 0xC00B, 0xC010, 0xC015, 0xC039: self.init(.null(mac: .sha1), 0)
        case 0x003B, 0x00B0, 0x00B4, 0x00B8, 0xC03A: self.init(.null(mac: .sha256), 0)
        case 0x00B1, 0x00B5, 0x00B9, 0xC03B: self.init(.null(mac: .sha384), 0, .sha384)
        default: return nil
        }
    }

    private init(_ cipher: Cipher, _ keyOctets: Int, _ hash: Hash = .sha256) {
        self.cipher = cipher
        self.keyOctets = keyOctets
        self.hash = hash
    }
}
