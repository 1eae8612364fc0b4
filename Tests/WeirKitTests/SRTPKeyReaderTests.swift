import Testing
@testable import WeirProtocols

@testable import WeirKit

/// Files with SRTP keys as YAML; lines are tested with `SRTPKeyFile`.
@Suite("Files with SRTP keys as YAML") struct SRTPKeyReaderTests {
    private static let key = "000102030405060708090a0b0c0d0e0f"
    private static let salt = "101112131415161718191a1b1c1d"
    private static let base64 = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd"
    private static let suite = "AES_CM_128_HMAC_SHA1_80"

    private static func parse(_ text: String) -> (file: SRTPKeyFile, faults: [SRTPKeyFile.Fault]) {
        SRTPKeyReader.parse(Array(text.utf8), source: "keys.yaml")
    }

    @Test(
        "have the keys that lines have",
        arguments: [
            ("- {ssrc: '*', profile: \(suite), key: \(base64)}", "* \(suite) \(base64)"),
            (
                "# comment\n\n- ssrc: 0x10\n  profile: \(suite)\n  key: \(key)\n  salt: \(salt)\n",
                "# comment\n\n16 \(suite) \(key) \(salt)"
            ),
            (
                "---\n- ssrc: \"*\"\n  profile: \(suite)\n  key: \(base64)\n  mki: 4\n  kdr: 1024\n",
                "\n* \(suite) \(base64) mki=4 kdr=1024"
            ),
            ("[{ssrc: 1, profile: \(suite), key: \(key)\(salt)}]", "1 \(suite) \(base64)"),
        ])
    func same(yaml: String, lines: String) {
        let (file, faults) = Self.parse(yaml)
        #expect(faults.isEmpty && file.count == 1)
        let (expected, _) = Self.parse(lines)
        #expect(expected.count == 1)
        #expect(file.keys(of: 16) == expected.keys(of: 16) && file.keys(of: 1) == expected.keys(of: 1))
        #expect(file.unused.map(\.description) == expected.unused.map(\.description))
    }

    @Test(
        "that cannot be used are reported, without an octet of a key; the others are used",
        arguments: [
            ("- ssrc: '*'\n  key: \(base64)", 1, "profile is missing"),
            ("- profile: \(suite)\n  key: \(base64)", 1, "ssrc is missing"),
            ("- ssrc: 1\n  profile: \(suite)", 1, "key is missing"),
            (
                "- ssrc: 1\n  profile: \(suite)\n  \(base64): 1", 3,
                "unknown member; known: ssrc, profile, key, salt, mki, kdr"
            ),
            ("- ssrc: 1\n  profile: \(suite)\n  key: [\(base64)]", 3, "key is not a single value"),
            ("- ssrc: x\n  profile: \(suite)\n  key: \(base64)", 1, "the SSRC is neither a number nor *"),
            (
                "- ssrc: 1\n  profile: \(suite)\n  key: \(key)", 1,
                "master key with salt of 16 (or 24 in base64) octets: \(suite) needs 30"
            ),
            ("- \(base64)", 1, "not a mapping"),
            ("{key: \(base64)}", 1, "not a list of keys"),
            (
                "- ssrc: 1\n  \(base64): 1\n  \(base64): 1", 3,
                "not YAML: a member twice, or nested too deeply. An SSRC of * must be in quotation marks"
            ),
        ])
    func faults(yaml: String, line: Int, reason: String) {
        let (file, faults) = Self.parse(yaml)
        #expect(file.count == 0)
        #expect(faults.map(\.description) == ["keys.yaml:\(line): \(reason)"])
        guard yaml.hasPrefix("- "), !reason.hasPrefix("not YAML") else { return }
        let (both, _) = Self.parse(yaml + "\n- {ssrc: 2, profile: \(Self.suite), key: \(Self.base64)}")
        #expect(both.count == 1)
    }

    @Test("an alias in place of a source is reported with its line")
    func alias() {
        let (file, faults) = Self.parse("- ssrc: 1\n  profile: \(Self.suite)\n  key: \(Self.key)\n- ssrc: *\n")
        #expect(file.count == 0 && faults.count == 1)
        #expect(faults.allSatisfy { $0.line >= 4 && $0.reason.contains("quotation marks") })
        #expect(!faults.contains { $0.description.contains(Self.key) })
    }
}
