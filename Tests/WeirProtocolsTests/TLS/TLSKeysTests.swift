import Crypto
import Testing
import WeirPackets

@testable import WeirProtocols

/// Key derivation and ciphers against values of other implementations.
@Suite struct TLSKeysTests {
    private static func octets(_ hexadecimal: String) -> [UInt8] { TLSDecryptorTests.octets(hexadecimal) }

    /// The vectors that the IETF's TLS working group exchanged for the PRF of TLS 1.2.
    @Test(arguments: [
        (
            TLSCipherSuite.Hash.sha256, "9bbe436ba940f017b17652849a71db35", "a0ba9f936cda311827a6f796ffd5198c",
            "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa022f7"
                + "077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66"
        ),
        (
            .sha384, "b80b733d6ceefcdc71566ea48e5567df", "cd665cf6a8447dd6ff8b27555edb7465",
            "7b0c18e9ced410ed1804f2cfa34a336a1c14dffb4900bb5fd7942107e81c83cde9ca0faa60be9fe34f82b1233c9146a0e534cb40"
                + "0fed2700884f9dc236f80edd8bfa961144c9e8d792eca722a7b32fc3d416d473ebc2c5fd4abfdad05d9184259b5bf8cd4d90"
                + "fa0d31e2dec479e4f1a26066f2eea9a69236a3e52655c9e9aee691c8f3a26854308d5eaa3be85e0990703d73e56f"
        ),
    ])
    func derivesThePRF(_ hash: TLSCipherSuite.Hash, _ secret: String, _ seed: String, _ output: String) {
        let expected = Self.octets(output)
        for count in [0, 1, 31, 32, 33, expected.count] {
            let result = TLSKeyDerivation.prf(
                hash, SymmetricKey(data: Self.octets(secret)), label: "test label", seed: Self.octets(seed),
                octets: count)
            #expect(result == Array(expected.prefix(count)))
        }
    }

    /// RFC 8448 §3: the keys of the server's handshake.
    @Test func derivesTrafficKeys() throws {
        let secret = SymmetricKey(
            data: Self.octets("b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38"))
        #expect(
            TLSKeyDerivation.expand(.sha256, secret, label: "key", octets: 16)
                == Self.octets("3fce516009c21727d0f2e4e86ee403bc"))
        #expect(
            TLSKeyDerivation.expand(.sha256, secret, label: "iv", octets: 12) == Self.octets("5d313eb2671276ee13000b30")
        )
    }

    /// Sealed by another implementation (Python's cryptography), with keys of ascending octets.
    @Test(arguments: [
        (
            16, 16, "DESCRIBE rtsp://camera/",
            "7750a0248ec986f45161bd9372d0aaaf0f377457b96598b4f4e29d4904ebc44ea2b4f74c90b604"
        ),
        (16, 8, "DESCRIBE rtsp://camera/", "7750a0248ec986f45161bd9372d0aaaf0f377457b9659831c837fa0214c5a2"),
        (16, 16, "", "1212e82fe60e57344591269603ee621e"),
        (
            32, 16, String(repeating: "x", count: 40),
            "f2adc06e4657b1efd4b1c95b7548243c450c6e0d410d20c11dddfb2ded605a0bbdb4b20ccaa0b9fc76751cf303ed0de1cc2173057e4ea463"
        ),
    ])
    func opensCCM(_ keyOctets: Int, _ tag: Int, _ text: String, _ sealed: String) {
        let octets = Self.octets(sealed)
        let key = SymmetricKey(data: (0..<keyOctets).map { UInt8($0) })
        func open(_ octets: [UInt8]) -> [UInt8]? {
            AESCCM.open(
                Array(octets.dropLast(tag)), tag: octets.suffix(tag), nonce: (0..<12).map { UInt8($0) },
                authenticating: Self.octets("1703030025"), key)
        }
        #expect(open(octets) == Array(text.utf8))
        for index in octets.indices {
            var changed = octets
            changed[index] ^= 1
            #expect(open(changed) == nil)
        }
    }

    @Test func joinsHandshakeMessages() {
        let octets: [UInt8] =
            [8, 0, 0, 2, 1, 2] + [20, 0, 0, 0] + [11, 0, 1, 0] + [UInt8](repeating: 9, count: 256) + [4, 0, 0, 1, 5]
        for size in [1, 3, 4, 7, 300] {
            var reader = TLSHandshakeReader(mostOctets: 64)
            var messages: [TLSHandshakeReader.Message] = []
            for start in stride(from: 0, to: octets.count, by: size) {
                let part = Array(octets[start..<min(octets.count, start + size)])
                messages += reader.add(part.rawSpan)
            }
            #expect(messages.map(\.type) == [8, 20, 11, 4])
            #expect(messages.map(\.body) == [[1, 2], [], [], [5]])
            #expect(!reader.isWithinMessage)
        }
    }
}
