import Crypto
import Testing
import WeirPackets
import WeirTesting

@testable import WeirProtocols

/// SRTP key derivation from signaled keys.
@Suite("SRTP keys") struct SRTPKeyTests {
    private static let master = hex("e1f97a0d3e018be0d64fa32c06de4139")
    private static let salt = hex("0ec675ad498afeebb6960b3aabe6")
    private static let suite = "AES_CM_128_HMAC_SHA1_80"

    private static func key(
        _ suite: String = suite, _ secret: [UInt8] = master + salt, identifierOctets: Int = 0
    ) -> SRTPKey? {
        SRTPProfile(named: suite).flatMap { SRTPKey($0, secret: secret, identifierOctets: identifierOctets) }
    }

    private static func authenticationKey(_ key: SRTPKey?) -> [UInt8]? {
        key.flatMap { SRTPSessionKeys.derive($0, 1, 0, octets: 20) }
    }

    @Test("the authentication key is that of RFC 3711, appendix B.3")
    func derivation() throws {
        let key = try #require(Self.key())
        #expect(Self.authenticationKey(key) == hex("cebe321f6ff7716b6fd4ab49af256a156d38baa4"))
        #expect(key.profile.tagOctets == 10)
        #expect(Self.key(Self.suite, Self.master) == nil)
        #expect(Self.key("AEAD_AES_128_GCM", Self.master + Self.salt) == nil)
    }

    /// A packet with its authentication tag.
    private static func packet(_ sequence: UInt16, _ key: SRTPKey, rollover: UInt32, identifier: [UInt8] = [])
        -> [UInt8]
    {
        let octets: [UInt8] = [0x80, 96, UInt8(sequence >> 8), UInt8(sequence & 255), 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7]
        let turns = (0..<4).map { UInt8(truncatingIfNeeded: rollover >> UInt32(24 - 8 * $0)) }
        let tag = HMAC<Insecure.SHA1>.authenticationCode(
            for: octets + turns, using: SymmetricKey(data: authenticationKey(key) ?? []))
        return octets + identifier + Array(tag).prefix(key.profile.tagOctets)
    }

    /// Verifies packets, each with its sequence number and the sender's rollover counter.
    private static func judged(
        _ numbers: [(UInt16, UInt32)], key: SRTPKey, known: [SRTPKey], changing: Int? = nil
    ) -> SRTPAuthentication {
        var tags = SRTPAuthentication(most: 8)
        tags.recordObserved(known)
        for (place, (number, rollover)) in numbers.enumerated() {
            var octets = packet(number, key, rollover: rollover)
            if place == changing { octets[13] ^= 1 }
            tags.take(octets.rawSpan, header: 12, sequence: number, frame: place + 1, time: Timestamp(nanoseconds: 0))
        }
        return tags
    }

    @Test("a sender's tags are valid, with rollovers counted", arguments: [10, 4])
    func turns(_ octets: Int) throws {
        let suite = octets == 10 ? Self.suite : "AES_CM_128_HMAC_SHA1_32"
        let key = try #require(Self.key(suite))
        let other = try #require(Self.key(suite, Self.master + [UInt8](1...14)))
        for numbers: [(UInt16, UInt32)] in [
            [(65_534, 0), (65_535, 0), (0, 1), (65_533, 0), (1, 1), (40_000, 1), (65_535, 1), (0, 2)],
            // Started after a rollover, with another one missing from the capture.
            [(65_000, 2), (3, 3), (60_000, 3), (2_000, 4)],
        ] {
            let tags = Self.judged(numbers, key: key, known: [other, key])
            #expect(tags.verified == numbers.count && tags.failed == 0 && tags.firstFailure == nil)
        }
    }

    @Test("a sender that counts rollovers differently from receivers is detected")
    func uncounted() throws {
        let key = try #require(Self.key())
        let numbers = (0..<100).map { (UInt16(truncatingIfNeeded: 65_500 + $0), UInt32(0)) }
        let tags = Self.judged(numbers, key: key, known: [key])
        #expect(tags.verified == 36 && tags.failed == 64 && tags.firstFailure?.sequence == 0)
        let once = Self.judged((0..<60).map { (UInt16(100 + $0), $0 == 30 ? 7 : 0) }, key: key, known: [key])
        #expect(once.verified == 59 && once.failed == 1 && once.firstFailure?.frame == 31)
    }

    @Test("a changed octet, and another key, are detected")
    func changed() throws {
        let key = try #require(Self.key())
        let other = try #require(Self.key(Self.suite, Self.salt + Self.master))
        let numbers = (0..<100).map { (UInt16($0), UInt32(0)) }
        let tags = Self.judged(numbers, key: key, known: [key], changing: 7)
        #expect(tags.verified == 99 && tags.failed == 1 && tags.firstFailure?.frame == 8)
        let none = Self.judged(numbers, key: key, known: [other])
        // A key that never verifies is given up.
        #expect(none.verified == 0 && none.failed == 32 && none.isGivenUp)
    }

    @Test("the MKI precedes the tag")
    func identifier() throws {
        let key = try #require(Self.key(identifierOctets: 2))
        let octets = Self.packet(5, key, rollover: 0, identifier: [0, 1])
        let bare = Self.packet(5, key, rollover: 0)
        var candidate = SRTPCandidate(key, for: .media)
        func form(_ octets: [UInt8]) -> SRTPPacket.Form? {
            candidate.open(octets.rawSpan, header: 12, sequence: 5, rollover: 0)?.form
        }
        let (right, short, unidentified) = (form(octets), form(Array(octets.prefix(20))), form(bare))
        #expect(right == .declared && short == nil && unidentified == .unidentified)
        let tags = Self.judged((0..<5).map { (UInt16($0), UInt32(0)) }, key: key, known: [key])
        #expect(tags.verified == 5 && tags.unidentified == 5 && tags.firstUnidentified?.frame == 1)
    }

    @Test("keys beyond the limit are reported as missing")
    func room() throws {
        let keys = try (0..<9).map { number in
            try #require(
                Self.key(Self.suite, [UInt8(number)] + Self.master.dropFirst() + Self.salt))
        }
        var tags = SRTPAuthentication(most: 8)
        tags.recordObserved(Array(keys.prefix(8)))
        tags.recordObserved(Array(keys.prefix(8)))
        #expect(!tags.lacksKeys)
        tags.recordObserved([keys[8]])
        #expect(tags.lacksKeys)
        var other = SRTPAuthentication(most: 8)
        other.recordObserved([keys[0]], hasOthers: true)
        #expect(other.lacksKeys && !other.isFull)
    }

    @Test(
        "the lines of a section give the keys, unless they cannot verify anything",
        arguments: [
            ("1 AES_CM_128_HMAC_SHA1_80 inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm", [0]),
            ("1 aes_cm_128_hmac_sha1_80 INLINE:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm|2^20|1:4 KDR=0", [4]),
            ("1 AES_CM_128_HMAC_SHA1_32 inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm|1:2;inline:short", [2]),
            ("1 AES_CM_128_HMAC_SHA1_80 inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm UNAUTHENTICATED_SRTP", []),
            ("1 AES_CM_128_HMAC_SHA1_80 inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm KDR=8", [0]),
            ("1 AES_CM_128_HMAC_SHA1_80 inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm KDR=25", []),
            ("1 AEAD_AES_128_GCM inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOg==", [0]),
            ("1 AEAD_AES_128_GCM inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm", []),
        ] as [(String, [Int])])
    func lines(_ value: String, _ identifiers: [Int]) {
        let text = "v=0\r\nm=audio 5000 RTP/SAVP 0\r\na=crypto:\(value)\r\n"
        let octets = Array(text.utf8)
        let reported = SessionDescription(octets.rawSpan, limits: Limits()).media.first?.srtpKeys(most: 64)
        #expect(reported?.keys.map(\.identifierOctets) == identifiers)
        #expect(reported?.hasMore == false && reported?.hasOthers == (identifiers.isEmpty || value.contains("short")))
        if !identifiers.isEmpty, !value.contains("GCM") {
            #expect(Self.authenticationKey(reported?.keys.first) == hex("cebe321f6ff7716b6fd4ab49af256a156d38baa4"))
        }
    }

    @Test(
        "media is in the clear if every line says so",
        arguments: [
            ("UNENCRYPTED_SRTP", "unencrypted_srtp", true), ("UNENCRYPTED_SRTP", "KDR=0", false),
            ("UNENCRYPTED_SRTCP", "UNENCRYPTED_SRTCP", false),
        ])
    func clear(_ one: String, _ other: String, _ isClear: Bool) throws {
        let line = "a=crypto:1 \(Self.suite) inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm"
        let octets = Array("v=0\r\nm=audio 5000 RTP/SAVP 0\r\n\(line) \(one)\r\n\(line) \(other)\r\n".utf8)
        let medium = try #require(SessionDescription(octets.rawSpan, limits: Limits()).media.first)
        #expect(medium.agreement([], isEncrypted: true, most: 64).hasClearPayload == isClear)
        let fingerprint = SDPAttribute(name: "fingerprint", value: "sha-256 AA", line: 0)
        #expect(!medium.agreement([fingerprint], isEncrypted: true, most: 64).hasClearPayload)
    }

    @Test("some of very many keys are parsed")
    func many() throws {
        let one = "inline:4fl6DT4Bi+DWT6MsBt5BOQ7Gda1Jiv7rtpYLOqvm|1:"
        let parameters = (1...4_000).map { "\(one)\($0 % 100 + 1)" }.joined(separator: ";")
        let octets = Array("v=0\r\nm=audio 5000 RTP/SAVP 0\r\na=crypto:1 \(Self.suite) \(parameters)\r\n".utf8)
        let medium = try #require(SessionDescription(octets.rawSpan, limits: Limits()).media.first)
        let reported = medium.srtpKeys(most: 64)
        #expect(reported.keys.count == 64 && reported.hasMore)
    }
}
