import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// AES in CCM mode (RFC 3610), with nonces of 12 octets as in TLS (RFC 6655), out of CBC and counter mode.
enum AESCCM {
    private static let block = 16
    /// Octets of the length field: 15 without those of the nonce.
    private static let lengthOctets = 3

    /// Returns the plaintext, or nil if the tag does not verify.
    static func open(
        _ text: [UInt8], tag: [UInt8], nonce: [UInt8], authenticating additional: [UInt8], _ key: SymmetricKey
    ) -> [UInt8]? {
        guard nonce.count == 12, text.count < 1 << 24, additional.count < 0xFF00,
            let counter = try? AES._CTR.Nonce(nonceBytes: [UInt8(lengthOctets - 1)] + nonce + [0, 0, 0]),
            // The first block of the key stream masks the tag, the others the text.
            let all = try? AES._CTR.decrypt(padded(tag) + text, using: key, nonce: counter)
        else { return nil }
        let plain = Array(all.dropFirst(block))
        let flags = UInt8(0x40 | ((tag.count - 2) / 2) << 3 | (lengthOctets - 1))
        let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: plain.count >> $0) }
        let prefix = [UInt8(truncatingIfNeeded: additional.count >> 8), UInt8(truncatingIfNeeded: additional.count)]
        let input = [flags] + nonce + length + padded(prefix + additional) + padded(plain)
        guard let zero = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: block)),
            let chain = try? AES._CBC.encrypt(input, using: key, iv: zero, noPadding: true)
        else { return nil }
        return chain.suffix(block).prefix(tag.count).elementsEqual(all.prefix(tag.count)) ? plain : nil
    }

    private static func padded(_ octets: [UInt8]) -> [UInt8] {
        octets + [UInt8](repeating: 0, count: (block - octets.count % block) % block)
    }
}
