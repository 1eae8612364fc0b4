import Testing
import WeirEngine
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// DTLS records and handshake messages: fragments, retransmissions and unreadable data.
@Suite struct DTLSReaderTests {
    private static func record(_ message: [UInt8], epoch: UInt8 = 0, type: UInt8 = 22) -> [UInt8] {
        [type, 0xFE, 0xFD, 0, epoch, 0, 0, 0, 0, 0, 0, UInt8(message.count >> 8), UInt8(message.count & 255)] + message
    }

    private static func message(_ type: UInt8, _ number: UInt8, _ body: [UInt8], _ part: Range<Int>) -> [UInt8] {
        [
            type, 0, UInt8(body.count >> 8), UInt8(body.count & 255), 0, number, 0, 0, UInt8(part.lowerBound), 0, 0,
            UInt8(part.count),
        ]
            + body[part]
    }

    private static let hello: [UInt8] =
        [0xFE, 0xFD] + [UInt8](repeating: 1, count: 32) + [0, 0, 0, 2, 0xC0, 0x2B, 1, 0]
        + [0, 9, 0, 14, 0, 5, 0, 2, 0, 7, 0]
    private static let certificate: [UInt8] = [0, 0, 103, 0, 0, 100] + (0..<100).map { UInt8($0) }

    private static func kinds(_ messages: [DTLSMessage]) -> [String] { messages.map(\.kind) }

    @Test func readsAHello() throws {
        let octets = Self.record(Self.message(1, 0, Self.hello, 0..<Self.hello.count))
        let found = DTLSReader.clientHello(octets.rawSpan)
        let hello = try #require(found)
        #expect(hello.srtpProfiles == [7] && hello.cipherSuites == [0xC02B] && hello.version == 0xFEFD)
        var reader = DTLSReader()
        #expect(Self.kinds(reader.read(octets.rawSpan, isFromClient: true)) == ["clientHello"])
        let again = reader.read(octets.rawSpan, isFromClient: true)
        #expect(again.map(\.isRetransmission) == [true])
    }

    /// Two handshakes on the same ports have the same message numbers.
    @Test func tellsAnotherHandshakeByItsRandom() {
        var reader = DTLSReader()
        var other = Self.hello
        other[10] = 7
        let first = Self.record(Self.message(1, 0, Self.hello, 0..<Self.hello.count))
        let second = Self.record(Self.message(1, 0, other, 0..<other.count))
        let certificate = Self.record(Self.message(11, 1, Self.certificate, 0..<Self.certificate.count))
        let said = [first, certificate, first, certificate, second, certificate, second]
        let again = said.flatMap { octets in
            reader.read(octets.rawSpan, isFromClient: true).map(\.isRetransmission)
        }
        #expect(again == [false, false, true, true, false, false, true])
    }

    @Test func putsFragmentsTogetherInAnyOrder() throws {
        var reader = DTLSReader()
        let parts = [40..<106, 0..<20, 0..<20, 15..<41]
        for (index, part) in parts.enumerated() {
            let octets = Self.record(Self.message(11, 1, Self.certificate, part))
            let messages = reader.read(octets.rawSpan, isFromClient: false)
            #expect(messages.count == (index == 3 ? 1 : 0))
            guard let message = messages.first, case .certificate(let octets) = message.content else { continue }
            #expect(octets == (0..<100).map { UInt8($0) } && message.fragments == 3)
        }
    }

    /// Encrypted records of DTLS 1.3 have no type: the last two bits of the first octet select the keys (RFC 9147).
    @Test func tellsHandshakeFromDataByTheEpoch() {
        let hello = Self.record(Self.message(1, 0, Self.hello, 0..<Self.hello.count))
        let sealed = [UInt8](repeating: 9, count: 40)
        for (first, kinds) in [(0x2E, ["finished"]), (0x2F, ["applicationData"]), (0x2C, ["applicationData"])] {
            var reader = DTLSReader()
            _ = reader.read(hello.rawSpan, isFromClient: true)
            let octets = [UInt8(first)] + sealed
            #expect(Self.kinds(reader.read(octets.rawSpan, isFromClient: true)) == kinds)
        }
    }

    @Test func tellsWhatIsEncryptedOnce() {
        var reader = DTLSReader()
        let sealed = Self.record([UInt8](repeating: 9, count: 40), epoch: 1)
        let data = Self.record([UInt8](repeating: 9, count: 40), epoch: 1, type: 23)
        #expect(
            Self.kinds(reader.read((sealed + data).rawSpan, isFromClient: true)) == ["finished", "applicationData"])
        #expect(reader.read((sealed + data).rawSpan, isFromClient: true).isEmpty)
        #expect(Self.kinds(reader.read(sealed.rawSpan, isFromClient: false)) == ["finished"])
    }

    @Test func anAlertIsToldInTheClearAndAnEncryptedOneNotBeforeOtherRecords() {
        var reader = DTLSReader()
        let alert = Self.record([2, 42], type: 21)
        #expect(
            reader.read(alert.rawSpan, isFromClient: true).map { $0.summary(.masked) } == [
                "fatal alert bad_certificate"
            ])
        #expect(reader.read(Self.record([2, 42], epoch: 1, type: 21).rawSpan, isFromClient: true).isEmpty)
    }

    @Test func behindAHandshakeAnEncryptedAlertIsToldWithoutWhatItSays() {
        var reader = DTLSReader()
        let finished = reader.read(Self.record([UInt8](repeating: 7, count: 24), epoch: 1).rawSpan, isFromClient: true)
        #expect(finished.map(\.kind) == ["finished"])
        let alert = Self.record([2, 42], epoch: 1, type: 21)
        let reported = reader.read(alert.rawSpan, isFromClient: true)
        #expect(reported.map { $0.summary(.masked) } == ["encrypted alert"])
        #expect(reported.first?.fields(.masked) == [Field("encrypted", .bool(true))])
        // Once, and not for the other side, which is not that far yet.
        #expect(reader.read(alert.rawSpan, isFromClient: true).isEmpty)
        #expect(reader.read(alert.rawSpan, isFromClient: false).isEmpty)
    }

    @Test func theFingerprintIsThatOfTheSDP() {
        // SHA-256 of the empty string.
        #expect(
            CertificateFingerprint.text([], "SHA-256")
                == "sha-256 E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55"
        )
        #expect(CertificateFingerprint.text([], "sha-3") == nil)
    }

    @Test func anyOctetsAreRead() {
        var random = SeededGenerator(11)
        let whole =
            Self.record(Self.message(1, 0, Self.hello, 0..<Self.hello.count))
            + Self.record(Self.message(11, 1, Self.certificate, 0..<50)) + Self.record([2, 40], type: 21)
        for round in 0..<2_000 {
            var octets = whole
            for _ in 0..<Int.random(in: 1...10, using: &random) {
                octets[Int.random(in: 0..<octets.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            var reader = DTLSReader()
            for message in reader.read(Array(octets.prefix(whole.count - round % 60)).rawSpan, isFromClient: true) {
                #expect(!message.summary(.masked).isEmpty)
                _ = message.fields(.masked)
            }
        }
    }
}
