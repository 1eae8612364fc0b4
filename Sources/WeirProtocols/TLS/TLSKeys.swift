import Crypto
import CryptoExtras
import WeirPackets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The keys that protect the records of one direction.
struct TLSKeys: Sendable {
    let suite: TLSCipherSuite
    let key: SymmetricKey
    /// The MAC key of a CBC suite.
    let mac: SymmetricKey?
    /// The IV, or its fixed part in TLS 1.2.
    let iv: [UInt8]
    /// Whether the MAC covers the encrypted octets (RFC 7366).
    let encryptsThenMACs: Bool

    /// Derives the keys of both directions from the master secret of TLS 1.2 (RFC 5246 §6.3).
    static func keyBlock(
        _ suite: TLSCipherSuite, master: SymmetricKey, clientRandom: [UInt8], serverRandom: [UInt8],
        encryptsThenMACs: Bool
    ) -> (client: TLSKeys, server: TLSKeys) {
        let (mac, key, iv) = (suite.macOctets, suite.keyOctets, suite.fixedOctets)
        var block = TLSKeyDerivation.prf(
            suite.hash, master, label: "key expansion", seed: serverRandom + clientRandom,
            octets: 2 * (mac + key + iv))
        defer { SecretMemory.overwrite(&block) }
        func keys(_ number: Int) -> TLSKeys {
            let keyStart = 2 * mac + number * key
            let ivStart = 2 * (mac + key) + number * iv
            return TLSKeys(
                suite: suite, key: SymmetricKey(data: block[keyStart..<keyStart + key]),
                mac: mac > 0 ? SymmetricKey(data: block[number * mac..<(number + 1) * mac]) : nil,
                iv: Array(block[ivStart..<ivStart + iv]), encryptsThenMACs: encryptsThenMACs)
        }
        return (keys(0), keys(1))
    }

    /// Derives the keys from a traffic secret of TLS 1.3 (RFC 8446 §7.3).
    static func traffic(_ suite: TLSCipherSuite, _ secret: SymmetricKey, prefix: String = "tls13 ") -> TLSKeys {
        TLSKeys(
            suite: suite,
            key: TLSKeyDerivation.key(suite.hash, secret, label: "key", octets: suite.keyOctets, prefix: prefix),
            mac: nil,
            iv: TLSKeyDerivation.expand(suite.hash, secret, label: "iv", octets: 12, prefix: prefix),
            encryptsThenMACs: false)
    }

    /// Returns the next traffic secret after a key update (RFC 8446 §7.2).
    static func updated(_ suite: TLSCipherSuite, _ secret: SymmetricKey) -> SymmetricKey {
        TLSKeyDerivation.key(suite.hash, secret, label: "traffic upd", octets: suite.hash.octets)
    }
}

// MARK: - Decryption

extension TLSKeys {
    /// Returns the content of a record of TLS 1.2, or nil if it does not verify (RFC 5246 §6.2.3).
    ///
    /// - Parameters:
    ///   - fragment: The octets after the record header.
    ///   - sequence: The sequence number, in DTLS with the epoch in front.
    func open(_ fragment: RawSpan, sequence: UInt64, type: UInt8, version: UInt16) -> [UInt8]? {
        let prefix =
            Self.octets(sequence) + [type, UInt8(truncatingIfNeeded: version >> 8), UInt8(truncatingIfNeeded: version)]
        switch suite.cipher {
        case .gcm: return openExplicit(fragment, prefix, tag: 16)
        case .ccm(let tag): return openExplicit(fragment, prefix, tag: tag)
        case .chaCha20:
            let length = fragment.byteCount &- 16
            guard length >= 0 else { return nil }
            return aead(fragment, nonce: nonce(sequence), prefix + Self.length(length), tag: 16)
        case .cbc(let hash):
            return encryptsThenMACs ? openMAC(fragment, prefix, hash) : openCBC(fragment, prefix, hash)
        case .null(let hash): return verified(fragment.array(), prefix, hash)
        }
    }

    /// Returns the content of a record of TLS 1.3, with the octet of its type and padding, or nil if it does not verify
    /// (RFC 8446 §5.2).
    func open(_ fragment: RawSpan, sequence: UInt64, header: [UInt8]) -> [UInt8]? {
        switch suite.cipher {
        case .gcm, .chaCha20: aead(fragment, nonce: nonce(sequence), header, tag: 16)
        case .ccm(let tag): aead(fragment, nonce: nonce(sequence), header, tag: tag)
        case .cbc, .null: nil
        }
    }

    /// Returns the IV combined with the sequence number (RFC 8446 §5.3, RFC 7905 §2).
    private func nonce(_ sequence: UInt64) -> [UInt8] {
        var nonce = iv
        for (index, octet) in Self.octets(sequence).enumerated() where nonce.indices.contains(index &+ 4) {
            nonce[index &+ 4] ^= octet
        }
        return nonce
    }

    /// Opens a record with the second part of its nonce at its start (RFC 5288 §3, RFC 6655 §3).
    private func openExplicit(_ fragment: RawSpan, _ prefix: [UInt8], tag: Int) -> [UInt8]? {
        let length = fragment.byteCount &- 8 &- tag
        guard length >= 0 else { return nil }
        return aead(
            fragment.clamped(8), nonce: iv + fragment.clamped(0, 8).array(), prefix + Self.length(length), tag: tag)
    }

    private func aead(_ sealed: RawSpan, nonce: [UInt8], _ additional: [UInt8], tag: Int) -> [UInt8]? {
        let end = sealed.byteCount &- tag
        guard end >= 0, nonce.count == 12 else { return nil }
        switch suite.cipher {
        case .gcm:
            guard let box = try? AES.GCM.SealedBox(combined: nonce + sealed.array()),
                let plain = try? AES.GCM.open(box, using: key, authenticating: additional)
            else { return nil }
            return Array(plain)
        case .chaCha20:
            guard let box = try? ChaChaPoly.SealedBox(combined: nonce + sealed.array()),
                let plain = try? ChaChaPoly.open(box, using: key, authenticating: additional)
            else { return nil }
            return Array(plain)
        case .ccm:
            let (text, code) = (sealed.clamped(0, end).array(), sealed.clamped(end).array())
            return AESCCM.open(text, tag: code, nonce: nonce, authenticating: additional, key)
        case .cbc, .null: return nil
        }
    }

    // MARK: - CBC

    /// Octets of an AES block, and of the IV at the start of a record.
    private static let block = 16

    private func decryptCBC(_ fragment: RawSpan) -> [UInt8]? {
        let text = fragment.clamped(Self.block).array()
        guard !text.isEmpty, text.count.isMultiple(of: Self.block),
            let iv = try? AES._CBC.IV(ivBytes: fragment.clamped(0, Self.block).array()),
            let plain = try? AES._CBC.decrypt(text, using: key, iv: iv, noPadding: true)
        else { return nil }
        // Each octet of the padding has its length, which does not count itself (RFC 5246 §6.2.3.2).
        guard let last = plain.last, plain.count > Int(last),
            plain.suffix(Int(last) &+ 1).allSatisfy({ $0 == last })
        else { return nil }
        return Array(plain.dropLast(Int(last) &+ 1))
    }

    /// Opens a record whose MAC is encrypted, after the content.
    private func openCBC(_ fragment: RawSpan, _ prefix: [UInt8], _ hash: TLSCipherSuite.Hash) -> [UInt8]? {
        decryptCBC(fragment).flatMap { verified($0, prefix, hash) }
    }

    /// Returns the content before a MAC, or nil if that does not verify.
    private func verified(_ plain: [UInt8], _ prefix: [UInt8], _ hash: TLSCipherSuite.Hash) -> [UInt8]? {
        guard let mac, plain.count >= hash.octets else { return nil }
        let content = Array(plain.dropLast(hash.octets))
        let code = TLSKeyDerivation.hmac(hash, mac, prefix + Self.length(content.count) + content)
        return plain.suffix(hash.octets).elementsEqual(code) ? content : nil
    }

    /// Opens a record whose MAC follows the encrypted octets (RFC 7366 §3).
    private func openMAC(_ fragment: RawSpan, _ prefix: [UInt8], _ hash: TLSCipherSuite.Hash) -> [UInt8]? {
        let end = fragment.byteCount &- hash.octets
        guard let mac, end > 0 else { return nil }
        let sealed = fragment.clamped(0, end)
        let code = TLSKeyDerivation.hmac(hash, mac, prefix + Self.length(end) + sealed.array())
        guard fragment.clamped(end).array() == code else { return nil }
        return decryptCBC(sealed)
    }

    private static func length(_ count: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }

    private static func octets(_ number: UInt64) -> [UInt8] {
        stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
