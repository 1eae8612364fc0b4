import Testing
import WeirPackets
import WeirProtocols

@testable import WeirRedaction

/// Names in certificates are replaced, and the fingerprints that descriptions state with them.
struct CertificateTests {
    /// The names of a certificate: a country, an organization, a common name, and two alternatives of which one is an address.
    private static let certificate: [UInt8] =
        name(6, "DE") + name(10, "Kitchen Ltd") + name(3, "door.kitchen.example")
        + [0x06, 0x03, 0x55, 0x1D, 0x11, 0x04, 22 + 2, 0x30, 22]
        + [0x82, 14] + Array("cam.garden.test".utf8.prefix(14)) + [0x87, 4, 192, 0, 2, 1]
        + [UInt8](repeating: 0x86, count: 40)

    private static func name(_ type: UInt8, _ text: String) -> [UInt8] {
        [0x06, 0x03, 0x55, 0x04, type, 0x0C, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private static func redactor(keepsNames: Bool = false) -> HandshakeRedactor {
        let key = RedactionKey()
        return HandshakeRedactor(
            text: TextRedactor(
                SensitiveTexts(limit: 10), WordMapping(key), AddressMapping(key, isKept: keepsNames),
                keepsNames: keepsNames)
        )
    }

    @Test func `unknown names are replaced at their length, common words stay`() {
        var octets = Self.certificate
        Self.redactor().certificate(&octets, 0..<octets.count)
        let text = String(decoding: octets, as: UTF8.self)
        #expect(octets.count == Self.certificate.count)
        for name in ["Kitchen", "kitchen", "door", "garden"] { #expect(!text.contains(name)) }
        #expect(text.contains(".example"))
        #expect(!octets.elementsEqual(Self.certificate))
        #expect(Array(octets.suffix(44).prefix(4)) != [192, 0, 2, 1])
        var kept = Self.certificate
        Self.redactor(keepsNames: true).certificate(&kept, 0..<kept.count)
        #expect(kept == Self.certificate)
    }

    @Test func `fingerprints change with the names`() {
        let redactor = Self.redactor()
        var octets = Self.certificate
        redactor.certificate(&octets, 0..<octets.count)
        let phrases = redactor.fingerprints(of: Self.certificate)
        let old = String((CertificateFingerprint.text(Self.certificate, "sha-256") ?? "").dropFirst(8))
        let new = String((CertificateFingerprint.text(octets, "sha-256") ?? "").dropFirst(8))
        #expect(phrases.contains { $0.old == old && $0.new == new })
        #expect(phrases.contains { $0.old == old.lowercased() && $0.new == new.lowercased() })
        #expect(redactor.fingerprints(of: [UInt8](repeating: 0x30, count: 90)).isEmpty)
    }
}
