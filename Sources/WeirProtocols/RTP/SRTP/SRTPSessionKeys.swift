import Crypto
import CryptoExtras
import WeirPackets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The keys that protect packets, derived from a master key (RFC 3711 §4.3, RFC 6188 §2, RFC 7714 §11).
struct SRTPSessionKeys: Sendable {
    /// What session keys protect; each has labels of its own (RFC 3711 §4.3.1, §4.3.2).
    enum Use: UInt8 {
        case media = 0x00
        case reports = 0x03
    }

    /// Octets of an HMAC-SHA1 key (RFC 3711 §5.2).
    private static let authenticationOctets = 20

    let profile: SRTPProfile
    let cipherKey: SymmetricKey
    /// With its key, so that the key is not prepared for each packet.
    private let authentication: HMAC<Insecure.SHA1>
    let salt: [UInt8]

    /// Creates session keys that are known.
    init(profile: SRTPProfile, cipherKey: SymmetricKey, authenticationKey: SymmetricKey, salt: [UInt8]) {
        self.profile = profile
        self.cipherKey = cipherKey
        authentication = HMAC(key: authenticationKey)
        self.salt = salt
    }

    /// Derives the session keys of a period: the index of a packet divided by the key derivation rate, or 0.
    init?(_ key: SRTPKey, for use: Use, period: UInt64) {
        profile = key.profile
        let label = use.rawValue
        guard let cipher = Self.derive(key, label, period, octets: key.profile.keyOctets),
            let authentication = Self.derive(key, label &+ 1, period, octets: Self.authenticationOctets),
            let salt = Self.derive(key, label &+ 2, period, octets: key.profile.saltOctets)
        else { return nil }
        cipherKey = SymmetricKey(data: cipher)
        self.authentication = HMAC(key: SymmetricKey(data: authentication))
        self.salt = salt
    }

    /// The pseudorandom function: the key stream of AES in counter mode, from the salt, label and period (RFC 3711
    /// §4.3.3). A salt of 12 octets is padded with zeros (RFC 7714 §11).
    static func derive(_ key: SRTPKey, _ label: UInt8, _ period: UInt64, octets: Int) -> [UInt8]? {
        var input = block(key.salt)
        combine(&input, UInt64(label) << 48 | period & 0xFFFF_FFFF_FFFF, octets: 7, at: 7)
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: input),
            // The key stream is the encryption of zeros.
            let stream = try? AES._CTR.encrypt([UInt8](repeating: 0, count: octets), using: key.master, nonce: nonce)
        else { return nil }
        return Array(stream)
    }

    /// Returns a salt as a block of AES, padded with zeros.
    private static func block(_ salt: [UInt8]) -> [UInt8] {
        Array((salt + [UInt8](repeating: 0, count: 16)).prefix(16))
    }

    /// Combines the low octets of a number with octets of a block, by exclusive or.
    private static func combine(_ block: inout [UInt8], _ number: UInt64, octets: Int, at start: Int) {
        for index in 0..<octets where block.indices.contains(start &+ index) {
            block[start &+ index] ^= UInt8(truncatingIfNeeded: number >> UInt64(8 &* (octets &- 1 &- index)))
        }
    }

    // MARK: - Counter mode and HMAC

    /// Whether a tag is that of some octets, with a rollover counter after them for RTP (RFC 3711 §4.2).
    func authenticates(_ octets: RawSpan, rollover: UInt32?, tag: RawSpan) -> Bool {
        authenticationCode(octets, rollover: rollover).starts(with: tag.array())
    }

    /// Returns the code of which a tag is the start.
    func authenticationCode(_ octets: RawSpan, rollover: UInt32?) -> [UInt8] {
        var code = authentication
        code.update(data: octets.array())
        if let rollover { code.update(data: Self.octets(rollover)) }
        return Array(code.finalize())
    }

    /// Decrypts in counter mode (RFC 3711 §4.1.1): `index` is that of the packet, of 48 bits.
    func decrypt(_ octets: RawSpan, ssrc: UInt32, index: UInt64) -> [UInt8]? {
        var input = Self.block(salt)
        Self.combine(&input, UInt64(ssrc), octets: 4, at: 4)
        Self.combine(&input, index, octets: 6, at: 8)
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: input) else { return nil }
        return (try? AES._CTR.encrypt(octets.array(), using: cipherKey, nonce: nonce)).map(Array.init)
    }

    // MARK: - AES-GCM

    /// Decrypts and verifies a packet with AES-GCM; nil if the tag is wrong.
    ///
    /// - Parameters:
    ///   - sealed: ciphertext and tag.
    ///   - clear: what is authenticated but not encrypted.
    ///   - number: the octets of the nonce after the SSRC: rollover counter and sequence number (RFC 7714 §8.1), or the
    ///     index (§9.1).
    func openGCM(_ sealed: RawSpan, clear: [UInt8], ssrc: UInt32, number: UInt64) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: nonceGCM(ssrc: ssrc, number: number) + sealed.array()) else {
            return nil
        }
        return (try? AES.GCM.open(box, using: cipherKey, authenticating: clear)).map(Array.init)
    }

    /// Encrypts a packet with AES-GCM: the inverse of `openGCM`. Returns ciphertext and tag.
    func sealGCM(_ plain: [UInt8], clear: [UInt8], ssrc: UInt32, number: UInt64) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonceGCM(ssrc: ssrc, number: number)),
            let box = try? AES.GCM.seal(plain, using: cipherKey, nonce: nonce, authenticating: clear)
        else { return nil }
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// The nonce of a packet (RFC 7714 §8.1).
    private func nonceGCM(ssrc: UInt32, number: UInt64) -> [UInt8] {
        var input = salt
        Self.combine(&input, UInt64(ssrc), octets: 4, at: 2)
        Self.combine(&input, number, octets: 6, at: 6)
        return input
    }

    private static func octets(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
}
