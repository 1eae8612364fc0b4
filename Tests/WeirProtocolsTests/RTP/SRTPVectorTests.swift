import Crypto
import Testing
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// The derivation and the transforms of SRTP, by the vectors of the RFCs.
@Suite("SRTP by the vectors of the RFCs") struct SRTPVectorTests {
    private static func hexadecimal(_ text: String) -> [UInt8] {
        hex(text.filter { !$0.isWhitespace })
    }

    @Test(
        "session keys are those of RFC 3711 §B.3 and RFC 6188 §7",
        arguments: [
            (
                "AES_CM_128_HMAC_SHA1_80", "e1f97a0d3e018be0d64fa32c06de4139", "0ec675ad498afeebb6960b3aabe6",
                "c61e7a93744f39ee10734afe3ff7a087", "cebe321f6ff7716b6fd4ab49af256a156d38baa4",
                "30cbbc08863d8c85d49db34a9ae1"
            ),
            (
                "AES_256_CM_HMAC_SHA1_80", "f0f04914b513f2763a1b1fa130f10e2998f6f6e43e4309d1e622a0e332b9f1b6",
                "3b04803de51ee7c96423ab5b78d2", "5ba1064e30ec51613cad926c5a28ef731ec7fb397f70a960653caf06554cd8c4",
                "fd9c32d39ed5fbb5a9dc96b30818454d1313dc05", "fa31791685ca444a9e07c6c64e93"
            ),
        ])
    func derivation(
        _ name: String, _ master: String, _ salt: String, _ cipher: String, _ authentication: String, _ own: String
    ) throws {
        let profile = try #require(SRTPProfile(named: name))
        let key = try #require(SRTPKey(profile, secret: hex(master) + hex(salt)))
        let keys = try #require(SRTPSessionKeys(key, for: .media, period: 0))
        #expect(keys.cipherKey == SymmetricKey(data: hex(cipher)))
        let message = hex("80600001")
        #expect(
            keys.authenticationCode(message.rawSpan, rollover: nil)
                == Array(
                    HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: hex(authentication)))
                ))
        #expect(keys.salt == hex(own))
        // Other labels give other keys.
        let reports = try #require(SRTPSessionKeys(key, for: .reports, period: 0))
        #expect(reports.salt != keys.salt && reports.cipherKey != keys.cipherKey)
    }

    @Test("the key stream is that of RFC 3711 §B.2")
    func counter() throws {
        let salt = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfd")
        let keys = try Self.keys("AES_CM_128_HMAC_SHA1_80", "2b7e151628aed2a6abf7158809cf4f3c", salt)
        let zeros = [UInt8](repeating: 0, count: 48)
        #expect(
            keys.decrypt(zeros.rawSpan, ssrc: 0, index: 0)
                == hex(
                    "e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0"))
    }

    private static let packet = hexadecimal(
        "8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976 69736120 696e2070 61727465 73207472"
            + "6573")
    private static let report = hexadecimal(
        "81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef deadbeef"
            + "deadbeef")
    private static let salt = hex("517569642070726f2071756f")

    /// Session keys given directly, as the vectors do.
    private static func keys(_ name: String, _ cipher: String, _ salt: [UInt8]) throws -> SRTPSessionKeys {
        let profile = try #require(SRTPProfile(named: name))
        return SRTPSessionKeys(
            profile: profile, cipherKey: SymmetricKey(data: hex(cipher)),
            authenticationKey: SymmetricKey(size: .bits128),
            salt: salt)
    }

    private static func candidate(
        _ name: String, _ cipher: String, for use: SRTPSessionKeys.Use
    ) throws -> SRTPCandidate {
        let keys = try keys(name, cipher, salt)
        let key = try #require(
            SRTPKey(keys.profile, secret: [UInt8](repeating: 0, count: keys.profile.keyOctets + 12)))
        return SRTPCandidate(key, for: use, with: keys)
    }

    @Test(
        "packets of RFC 7714 §16 are opened",
        arguments: [
            (
                "AEAD_AES_128_GCM", "000102030405060708090a0b0c0d0e0f",
                "f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a 51c7d19b 36de3adf 8833899d 7f27beb1"
                    + "6a9152cf 765ee439 0cce"
            ),
            (
                "AEAD_AES_256_GCM", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "32b1de78 a822fe12 ef9f78fa 332e33aa b1801238 9a58e2f3 b50b2a02 76ffae0f 1ba63799 b87b7aa3 db36dfff"
                    + "d6b0f9bb 7878d7a7 6c13"
            ),
        ])
    func packets(_ name: String, _ cipher: String, _ sealed: String) throws {
        var candidate = try Self.candidate(name, cipher, for: .media)
        var octets = Array(Self.packet.prefix(12)) + Self.hexadecimal(sealed)
        let opened = candidate.open(octets.rawSpan, header: 12, sequence: 0xF17B, rollover: 0)
        #expect(opened?.clear == Self.packet)
        let sealed = candidate.seal(
            Self.packet, header: 12, sequence: 0xF17B, rollover: 0, like: octets.rawSpan, .declared)
        #expect(sealed == octets)
        #expect(candidate.open(octets.rawSpan, header: 12, sequence: 0xF17B, rollover: 1) == nil)
        octets[1] ^= 1
        #expect(candidate.open(octets.rawSpan, header: 12, sequence: 0xF17B, rollover: 0) == nil)
        for count in 0..<30 {
            #expect(
                candidate.open(Array(octets.prefix(count)).rawSpan, header: 12, sequence: 0xF17B, rollover: 0) == nil)
        }
    }

    @Test(
        "reports of RFC 7714 §17 are opened, encrypted or not",
        arguments: [
            (
                "AEAD_AES_128_GCM", "000102030405060708090a0b0c0d0e0f",
                "81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda 4ce09b46"
                    + "86303ded 0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4"
            ),
            (
                "AEAD_AES_256_GCM", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "81c8000d 4d617273 d50ae4d1 f5ce5d30 4ba297e4 7d470c28 2c3ece5d bffe0a50 a2eaa5c1 110555be 8415f658"
                    + "c61de047 6f1b6fad 1d1eb30c 4446839f 57ff6f6c b26ac3be 800005d4"
            ),
            (
                "AEAD_AES_128_GCM", "000102030405060708090a0b0c0d0e0f",
                "81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef deadbeef"
                    + "deadbeef deadbeef 841dd968 3dd78ec9 2ae58790 125f62b3 000005d4"
            ),
        ])
    func reports(_ name: String, _ cipher: String, _ sealed: String) throws {
        var candidate = try Self.candidate(name, cipher, for: .reports)
        var octets = Self.hexadecimal(sealed)
        #expect(candidate.openReports(octets.rawSpan) == Self.report)
        #expect(candidate.sealReports(Self.report, like: octets.rawSpan) == octets)
        octets[20] ^= 1
        #expect(candidate.openReports(octets.rawSpan) == nil)
        for count in 0..<30 { #expect(candidate.openReports(Array(octets.prefix(count)).rawSpan) == nil) }
    }
}
