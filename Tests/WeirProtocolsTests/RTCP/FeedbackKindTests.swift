import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

@Suite("Feedback and extended report types")
struct FeedbackKindTests {
    /// A packet, with its summary line.
    struct Kind: Sendable, CustomTestStringConvertible {
        var octets: [UInt8]
        var said: String
        var testDescription: String { said }
    }

    private static func packet(_ first: UInt8, _ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [first, type, 0, UInt8(body.count / 4)] + body
    }

    private static let sources: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2]
    private static let run: [UInt8] = [0, 0, 0, 2, 0x00, 0x64, 0x00, 0x8C]

    static let kinds: [Kind] = [
        // RFC 5104 §4.2.1.1: 2^1 · 65536 bit/s, 40 octets of overhead.
        Kind(
            octets: packet(0x83, 205, sources + [0, 0, 0, 2, 0x06, 0x00, 0x00, 0x28]),
            said: "TMMBR: requests at most 131 kbit/s from SSRC 0x00000002"),
        Kind(
            octets: packet(0x84, 205, sources + [0, 0, 0, 9, 0x06, 0x00, 0x00, 0x28]),
            said: "TMMBN: limited to 131 kbit/s requested by SSRC 0x00000009"),
        Kind(octets: packet(0x84, 205, sources), said: "TMMBN: no limit"),
        // RFC 4585 §6.3.2.2: first 3, number 17, picture 5.
        Kind(
            octets: packet(0x82, 206, sources + [0x00, 0x18, 0x04, 0x45]),
            said: "SLI: slice loss in SSRC 0x00000002: 17 macroblocks from 3 (picture 5)"),
        Kind(
            octets: packet(0x83, 206, sources + [0x08, 0x60, 0xAB, 0x00]),
            said: "RPSI: selects a reference picture of SSRC 0x00000002"),
        // Base 7, ten packets, reference time and count, a run of four received packets, a vector of two-bit symbols,
        // one of one-bit symbols.
        Kind(
            octets: packet(
                0x8F, 205, sources + [0, 7, 0, 10, 0, 0, 1, 0, 0x20, 0x04, 0xC5, 0x14, 0x80, 0x00, 0, 0]),
            said: "transport-wide feedback: 10 packets from number 7, 2 lost"),
        // RFC 3611 §4.1: from 100 to 140; 20 received, a vector with three of 15 missing, and five lost.
        Kind(
            octets: packet(
                0x80, 207, [0, 0, 0, 1, 1, 0, 0, 4] + run + [0x40, 0x14, 0xFF, 0x6D, 0x00, 0x05, 0, 0]),
            said: "extended report: loss RLE: 8 of 40 packets lost"),
        Kind(
            octets: packet(0x80, 207, [0, 0, 0, 1, 2, 0, 0, 3] + run + [0x40, 0x28, 0, 0]),
            said: "extended report: duplicate RLE: 0 of 40 packets duplicated"),
        // With a thinning of 4, every 16th number counts: 112 and 128.
        Kind(
            octets: packet(0x80, 207, [0, 0, 0, 1, 1, 4, 0, 3] + run + [0x00, 0x02, 0, 0]),
            said: "extended report: loss RLE: 2 of 2 packets lost"),
        // RFC 3611 §4.6: only losses are reported.
        Kind(
            octets: packet(
                0x80, 207, [0, 0, 0, 1, 6, 0x80, 0, 9] + run + [0, 0, 0, 12] + [UInt8](repeating: 0, count: 24)),
            said: "extended report: statistics summary: 12 packets lost"),
        Kind(
            octets: packet(
                0x80, 207,
                [0, 0, 0, 1, 7, 0, 0, 8, 0, 0, 0, 2, 64, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 20, 127, 127, 127, 16]
                    + [93, 127, 42, 127, 0, 0, 0, 60, 0, 80, 0, 200]),
            said: "extended report: VoIP metrics: 25.0 % lost"),
    ]

    @Test("are parsed", arguments: kinds)
    func read(_ kind: Kind) throws {
        let compound = RTCPCompound(kind.octets.rawSpan)
        #expect(compound.problem == nil && compound.elements.count == 1)
        let message = try #require(compound.elements.first).packet.message
        #expect(message.summary(.masked) == kind.said)
    }

    @Test("unknown call metrics are left out")
    func metrics() throws {
        let octets = try #require(Self.kinds.last).octets
        let compound = RTCPCompound(octets.rawSpan)
        let message = try #require(compound.elements.first).packet.message
        guard case .array(let blocks)? = message.fields(.masked).first(where: { $0.name == "blocks" })?.value,
            case .object(let members)? = blocks.first
        else {
            Issue.record("no blocks")
            return
        }
        let values = Dictionary(members.map { ($0.name, $0.value) }) { one, _ in one }
        #expect(values["mosListening"] == .double(4.2) && values["rFactor"] == .integer(93))
        #expect(values["roundTripMs"] == .integer(40) && values["bufferNominalMs"] == .integer(60))
        #expect(values["mosConversation"] == nil && values["signalLevelDbm"] == nil)
    }

    @Test("truncated anywhere, they do not trap", arguments: kinds)
    func cut(_ kind: Kind) {
        for length in 0...kind.octets.count {
            let cut = Array(kind.octets.prefix(length))
            let compound = RTCPCompound(cut.rawSpan)
            #expect(compound.elements.count <= 1)
            for value in [UInt8.min, 0x7F, .max] where length < kind.octets.count {
                var octets = kind.octets
                octets[length] = value
                let changed = RTCPCompound(octets.rawSpan)
                #expect(changed.elements.count <= octets.count)
            }
        }
    }
}
