import Testing
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// Files with SRTP keys: which lines are keys, and what is reported about the others.
@Suite("Files with SRTP keys") struct SRTPKeyFileTests {
    private static let key = "000102030405060708090a0b0c0d0e0f"
    private static let salt = "101112131415161718191a1b1c1d"
    private static let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
    private static let suite = "AES_CM_128_HMAC_SHA1_80"

    private static func parse(_ text: String) -> (file: SRTPKeyFile, faults: [SRTPKeyFile.Fault]) {
        SRTPKeyFile.parse(Array(text.utf8), source: "srtp.keys")
    }

    @Test(
        "hexadecimal and base64, in one word or two",
        arguments: [
            "* \(suite) \(key)\(salt)", "* \(suite) \(key) \(salt)", "* aes_cm_128_hmac_sha1_80 \(base64)\r",
            "\t* \(suite) AAECAwQFBgcICQoLDA0ODw== EBESExQVFhcYGRobHB0=", "* SRTP_AES128_CM_SHA1_80 \(key) \(salt)",
        ])
    func forms(_ line: String) throws {
        let (file, faults) = Self.parse("# comment\n\n\(line)\n")
        #expect(faults.isEmpty && file.count == 1)
        let profile = try #require(SRTPProfile(named: Self.suite))
        let key = SRTPKey(profile, secret: hex(Self.key + Self.salt), source: .file("srtp.keys", line: 3))
        #expect(file.keys(of: 7) == [try #require(key)])
    }

    @Test("the keys of a source come before those of any, and options are read")
    func sources() {
        let (file, faults) = Self.parse(
            "* \(Self.suite) \(Self.base64)\n0xdeadbeef \(Self.suite) \(Self.base64) mki=4 kdr=1024\n"
                + "3735928559 AES_CM_128_HMAC_SHA1_32 \(Self.base64)")
        #expect(faults.isEmpty)
        let keys = file.keys(of: 0xDEAD_BEEF)
        #expect(keys.map(\.identifierOctets) == [4, 0, 0] && keys.map(\.rate) == [1_024, 0, 0])
        #expect(file.keys(of: 1).count == 1)
        file.noteUse(.file("srtp.keys", line: 2))
        #expect(
            file.unused.map(\.description) == [
                "srtp.keys:1: the key fits no packet", "srtp.keys:3: the key fits no packet",
            ])
    }

    @Test(
        "other lines are reported, without an octet of a key",
        arguments: [
            ("* \(suite)", "not a key: SSRC, profile, and key with salt"),
            ("* \(suite) a b c", "not a key: SSRC, profile, and key with salt"),
            ("x \(suite) \(base64)", "the SSRC is neither a number nor *"),
            ("4294967296 \(suite) \(base64)", "the SSRC is neither a number nor *"),
            ("* \(suite) \(key)", "master key with salt of 16 (or 24 in base64) octets: \(suite) needs 30"),
            ("* \(suite) \(base64)AA", "master key with salt of 31 octets: \(suite) needs 30"),
            ("* \(suite) \(key) \(base64)", "master salt of 30 octets: \(suite) needs 14"),
            ("* \(suite) \(base64)!", "the master key with salt is neither base64 nor hexadecimal"),
            ("* \(suite) \(base64) mki=x", "mki is not a number"),
            ("* \(suite) \(base64) mki=129", "an MKI has 128 octets at most"),
            ("* \(suite) \(base64) kdr=3", "the key derivation rate is not a power of two up to 2^24"),
            ("* AEAD_AES_128_GCM \(base64)", "master key with salt of 30 octets: AEAD_AES_128_GCM needs 28"),
        ])
    func faults(_ line: String, _ reason: String) {
        let (file, faults) = Self.parse("\(line)\n* \(Self.suite) \(Self.base64)\n")
        #expect(faults.map(\.description) == ["srtp.keys:1: \(reason)"])
        #expect(file.count == 1)
    }
}
