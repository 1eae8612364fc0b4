import Testing
import WeirPackets
import WeirTesting

@testable import WeirRedaction

/// Replacements keep what a reader and a protocol need: lengths, classes, prefixes.
struct MappingTests {
    private static let key = RedactionKey([UInt8](1...32)) ?? RedactionKey()

    @Test(arguments: [
        "192.168.1.20", "10.0.0.1", "172.16.254.3", "203.0.113.77", "8.8.8.8", "100.64.1.2", "169.254.7.9",
        "2001:db8::1", "fe80::1:2ff:fe03:4", "fd00:1:2:3::abcd", "::ffff:192.0.2.33",
    ])
    func `an address keeps its length and kind`(text: String) throws {
        let mapping = AddressMapping(Self.key, isKept: false)
        let address = try #require(IPAddress(text))
        let other = mapping(address)
        #expect(other != address)
        #expect(other.description.utf8.count == text.utf8.count)
        #expect(other.isPrivate == address.isPrivate)
        #expect(mapping(address) == other)
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0", "224.0.0.251", "255.255.255.255", "::1", "::", "ff02::fb"])
    func `an address that names no host is kept`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressMapping(Self.key, isKept: false)(address) == address)
    }

    @Test func `a prefix stays a prefix, and no two addresses become one`() {
        let mapping = AddressMapping(Self.key, isKept: false)
        let addresses = (0..<2_000).map { IPAddress(ipv4: 0xC0A8_0000 + UInt32($0)) }
        let others = addresses.map { mapping($0) }
        #expect(Set(others).count == addresses.count)
        for (one, other) in zip(addresses, others).dropFirst() {
            #expect((one.low ^ addresses[0].low) >> 8 == 0 ? (other.low ^ others[0].low) >> 8 == 0 : true)
        }
    }

    @Test(arguments: ["kitchen", "Kitchen", "cam-17", "0042", "9", "dGVzdDp0ZXN0", "deadbeef01", "küche", "厨房", "🎥cam"])
    func `a word keeps its length and classes`(word: String) {
        let mapping = WordMapping(Self.key)
        let other = String(decoding: mapping.text(Array(word.utf8)), as: UTF8.self)
        #expect(other.utf8.count == word.utf8.count)
        #expect(other.count == word.count)
        for (one, new) in zip(word, other) {
            #expect(one.isNumber == new.isNumber && one.isUppercase == new.isUppercase)
        }
        #expect(mapping.text(Array(word.lowercased().utf8)) == Array(other.lowercased().utf8))
    }

    /// What is replaced in a text with the words `kitchen` and `secretpassword`, and what is not.
    @Test(arguments: [
        ("rtsp://10.1.2.3:554/kitchen", ["10.1.2.3", "kitchen"], ["rtsp://", ":554/"]),
        ("kitchens and kitchenette", [], ["kitchens and kitchenette"]),
        (#"{"room":"kitchen","n":1}"#, ["kitchen"], [#"{"room":""#, #"","n":1}"#]),
        ("name=my%20kitchen%2f", ["kitchen"], ["name=my%20", "%2f"]),
        (#"a\nkitchen\r\n"#, ["kitchen"], [#"a\n"#, #"\r\n"#]),
        ("\u{e}secretpassword", ["secretpassword"], []),
        ("0secretpasswordX", ["secretpassword"], ["0", "X"]),
        ("a=fingerprint:sha-256 AA:BB:CC:DD:EE:FF:00:11:22:33", [], ["AA:BB:CC:DD:EE:FF:00:11:22:33"]),
        ("c=IN IP6 2001:db8::7", ["2001:db8::7"], ["c=IN IP6 "]),
        ("version 1.2.3 and 300.1.1.1", [], ["version 1.2.3 and 300.1.1.1"]),
        ("[fe80::1]:5004", ["fe80::1"], ["[", "]:5004"]),
        ("on 2001:db8:41:59:0:19:: there", ["2001:db8:41"], ["on 2001:", "::", " there"]),
    ])
    func `texts are replaced as words`(text: String, gone: [String], kept: [String]) {
        var texts = SensitiveTexts(limit: 10)
        texts.add("kitchen secretpassword".utf8)
        let addresses = AddressMapping(Self.key, isKept: false)
        let redactor = TextRedactor(texts, WordMapping(Self.key), addresses)
        let other = String(decoding: redactor.redacted(text.utf8), as: UTF8.self)
        #expect(other.utf8.count == text.utf8.count)
        for word in gone { #expect(!other.contains(word), "\(other)") }
        for word in kept { #expect(other.contains(word), "\(other)") }
        if gone.isEmpty { #expect(other == text) }
    }

    /// Most octets are passed over without a look at them: none of these may hide a word.
    @Test(arguments: ["kitchen", "KiTCHen", "dé", "secretpassword", "ab"])
    func `a word is found among any octets`(word: String) {
        var random = SeededGenerator(31)
        var texts = SensitiveTexts(limit: 10)
        texts.add("kitchen secretpassword dé ab".utf8)
        let redactor = TextRedactor(texts, WordMapping(Self.key), AddressMapping(Self.key, isKept: false))
        for _ in 0..<3_000 {
            var octets: [UInt8] = (0..<Int.random(in: 0..<24, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            octets.append([0x00, 0x0A, 0x20, 0x22, 0x2F, 0x3D, 0x7F].randomElement(using: &random) ?? 0)
            let range = octets.count..<octets.count + word.utf8.count
            octets += word.utf8
            if Bool.random(using: &random) { octets += [0x20, UInt8.random(in: .min ... .max, using: &random)] }
            let other = redactor.redacted(octets)
            #expect(other.count == octets.count)
            #expect(other[range] != octets[range], "\(octets)")
        }
    }

    @Test func `a mapping file gives the same replacements`() throws {
        let addresses = AddressMapping(Self.key, isKept: false)
        let words = WordMapping(Self.key)
        var texts = SensitiveTexts(limit: 10)
        texts.add("kitchen".utf8)
        let address = IPAddress(ipv4: 0xC0A8_0114)
        let other = addresses(address)
        let file = try MappingFile(MappingFile.text(Self.key, addresses, texts, words))
        #expect(file.words.map(\.word) == [Array("kitchen".utf8)])
        #expect(AddressMapping(file.key, isKept: false)(address) == other)
        #expect(WordMapping(file.key)(Array("kitchen".utf8)) == words(Array("kitchen".utf8)))
    }

    @Test(arguments: [
        ("", 1), ("weir redaction map 2\n", 1), ("weir redaction map 1\nkey 12\n", 2), ("weir redaction map 1\n", 1),
        ("weir redaction map 1\nkey 00112233445566778899aabbccddeeff\naddress x y\n", 3),
        ("weir redaction map 1\nkey 00112233445566778899aabbccddeeff\nword a\n", 3),
    ])
    func `a line that cannot be read is named`(text: String, line: Int) {
        let fault = #expect(throws: MappingFile.Fault.self) { try MappingFile(text) }
        #expect(fault?.line == line)
    }
}
