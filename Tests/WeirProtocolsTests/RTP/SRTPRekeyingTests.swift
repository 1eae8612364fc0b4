import Testing
import WeirPackets

@testable import WeirProtocols

/// Packets that are protected again with another key are opened by it, and with the first key they are as before.
@Suite("Packets protected with another key") struct SRTPRekeyingTests {
    private static let packet: [UInt8] =
        [0x80, 0x60, 0xFF, 0xFE, 0, 0, 0x10, 0, 0x5E, 0xC0, 0xDE, 0x01] + (0..<40).map { UInt8($0) }
    private static let report: [UInt8] =
        [0x80, 0xC9, 0, 1, 0x5E, 0xC0, 0xDE, 0x01] + [0x81, 0xCA, 0, 2, 0x5E, 0xC0, 0xDE, 0x01, 1, 2, 0x61, 0x62]

    private static func key(_ profile: String, _ seed: UInt8, identifier: Int) throws -> SRTPKey {
        let profile = try #require(SRTPProfile(named: profile))
        let secret = (0..<profile.keyOctets + profile.saltOctets).map { UInt8($0) &* 7 &+ seed }
        return try #require(SRTPKey(profile, secret: secret, identifierOctets: identifier))
    }

    @Test(arguments: SRTPProfile.all.map(\.name), [0, 4])
    func `a stream over a rollover`(profile: String, identifier: Int) throws {
        let old = try Self.key(profile, 1, identifier: identifier)
        let new = try Self.key(profile, 99, identifier: identifier)
        var (there, back) = (SRTPRekeying(), SRTPRekeying())
        there.replace(old, by: new)
        back.replace(new, by: old)
        var sender = SRTPCandidate(old, for: .media)
        for index in 0..<6 {
            var clear = Self.packet
            let sequence = UInt16(0xFFFD) &+ UInt16(index)
            clear[2] = UInt8(sequence >> 8)
            clear[3] = UInt8(sequence & 0xFF)
            let rollover: UInt32 = sequence < 0x8000 ? 1 : 0
            // What the tag and the MKI are made like: only the length, and the octets of the MKI, matter.
            let form = clear + [UInt8](repeating: 0xAB, count: old.profile.tagOctets + identifier)
            guard
                let sent = sender.seal(
                    clear, header: 12, sequence: sequence, rollover: rollover, like: form.rawSpan, .declared)
            else {
                #expect(profile.hasPrefix("F8"))
                return
            }
            let changed = try #require(
                there.media(sent, header: 12) { octets in
                    #expect(octets == clear)
                    octets[20] = 0xEE
                })
            #expect(changed.count == sent.count && changed != sent)
            let restored = back.media(changed, header: 12) { octets in
                #expect(octets[20] == 0xEE)
                octets[20] = clear[20]
            }
            #expect(restored == sent)
            var damaged = sent
            damaged[12] ^= 1
            #expect(there.media(damaged, header: 12) { _ in } == nil)
        }
    }

    @Test(arguments: SRTPProfile.all.map(\.name), [0, 4])
    func reports(profile: String, identifier: Int) throws {
        let old = try Self.key(profile, 1, identifier: identifier)
        let new = try Self.key(profile, 99, identifier: identifier)
        var (there, back) = (SRTPRekeying(), SRTPRekeying())
        there.replace(old, by: new)
        back.replace(new, by: old)
        var sender = SRTPCandidate(old, for: .reports)
        let tag = [UInt8](repeating: 0xAB, count: old.profile.reportTagOctets)
        let index: [UInt8] = [0x80, 0, 0, 5]
        let mark = [UInt8](repeating: 0xCD, count: identifier)
        let form = Self.report + (profile.contains("GCM") ? tag + index + mark : index + mark + tag)
        guard let sent = sender.sealReports(Self.report, like: form.rawSpan) else {
            #expect(profile.hasPrefix("F8"))
            return
        }
        let changed = try #require(
            there.reports(sent) { octets in
                #expect(octets == Self.report)
                octets[19] = 0x7A
            })
        #expect(changed.count == sent.count && changed != sent)
        #expect(back.reports(changed) { $0[19] = Self.report[19] } == sent)
        #expect(there.reports(changed) { _ in } == nil)
    }
}
