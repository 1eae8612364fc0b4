import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// An audio or video message, with its summary. Those marked `gortmplib` are from that project's tests
/// (bluenviron/gortmplib, pkg/message/reader_test.go).
struct FLVSample: Sendable, CustomTestStringConvertible {
    var typeID: UInt8
    var octets: [UInt8]
    var summary: String
    var testDescription: String { summary }

    init(_ typeID: UInt8, _ digits: String, _ summary: String) {
        self.typeID = typeID
        octets = hex(digits)
        self.summary = summary
    }

    static let audio = [
        // gortmplib
        FLVSample(8, "2F01020304", "audio: MP3, 5 octets"),
        FLVSample(8, "AF015AC07740", "audio: AAC, 6 octets"),
        FLVSample(8, "AF001210", "audio: AAC sequence header: LC, 44.1 kHz, stereo"),
        FLVSample(8, "AF00", "audio: AAC sequence header"),
        FLVSample(8, "904F7075734F7075734865616401023801C05D0000000000", "audio: Opus sequence header: 48 kHz, stereo"),
        FLVSample(8, "906D7034611190", "audio: AAC sequence header: LC, 48 kHz, stereo"),
        FLVSample(8, "9061632D33", "audio: AC-3 sequence header"),
        FLVSample(
            8, "90664C61430010FFFF0000000000000AC442F00000000000000000000000000000000000000000",
            "audio: FLAC sequence header: 44.1 kHz, stereo"),
        FLVSample(8, "924F707573", "audio: Opus end of sequence"),
        FLVSample(8, "914F707573010203", "audio: Opus, 8 octets"),
        FLVSample(8, "944F707573010200000003", "audio: Opus, layout of 2 channels"),
        FLVSample(8, "950061632D3301", "audio: AC-3 (track 1) sequence header"),
        // A modifier of three octets with 500 ns, then frames; a channel mapping; two tracks of two codecs.
        FLVSample(8, "97 02 0001F4 01 4F707573 FF", "audio: Opus, 11 octets"),
        FLVSample(8, "94 6D703461 02 03 00 FE FF", "audio: AAC, layout of 3 channels"),
        FLVSample(
            8, "95 20 6D703461 00 000002 1210 4F707573 01 000000",
            "audio: several codecs (2 tracks) sequence header: track 0 LC, 44.1 kHz, stereo"),
        FLVSample(8, "99 6D703461", "audio: AAC, packet type 9"),
        FLVSample(8, "91 61626364 00", "audio: abcd, 6 octets"),
        FLVSample(8, "00", "audio: PCM, 1 octet"),
        FLVSample(8, "C0", "audio: format 12, 1 octet"),
        FLVSample(8, "AF02", "audio: AAC, packet type 2"),
    ]

    private static let avc =
        "014D401EFFE10023674D401E965605017FCB80B5010101400000FA00003A983800007A10000F425BBCB82801000468EE3C80"
    private static let hevc =
        "0101400000009000000000007BF000FCFDF8F800000F03A00001001740010C01FFFF01400000030090000003000003007BAC09"
        + "A10001003D42010101400000030090000003000003007BA003C0801107CB96B4A42592E3016A02020208000003000800000301E3"
        + "002EF2880002625A00001312D020A20001000744C401C0F7C0CC90"

    static let video = [
        // gortmplib
        FLVSample(9, "170100000A010203", "video: H.264 key frame, 8 octets"),
        FLVSample(9, "1701FFFFDE010203", "video: H.264 key frame, 8 octets"),
        FLVSample(9, "1700000000" + avc, "video: H.264 sequence header: Main 3, 640×360"),
        FLVSample(
            9, "1C000000000101400000009000000000007BF000FCFDF8F800000F01A00001000740010C01FFFF01",
            "video: H.265 sequence header: Main 4.1"),
        FLVSample(9, "2702000000", "video: H.264 end of sequence"),
        FLVSample(
            9, "806176303181080C000A0B00000042ABBFC3700BE001", "video: AV1 sequence header: Main 4.0, 1920×1080"),
        FLVSample(9, "8068766331" + hevc, "video: H.265 sequence header: Main 4.1, 1920×1080"),
        FLVSample(9, "8076703039010000000028820202020000", "video: VP9 sequence header: profile 0 4.0"),
        FLVSample(9, "8061766331" + avc, "video: H.264 sequence header: Main 3, 640×360"),
        FLVSample(9, "8261763031", "video: AV1 end of sequence"),
        FLVSample(9, "816876633100001E010203", "video: H.265 type 0 frame, 11 octets"),
        FLVSample(9, "8161766331FFFFDE010203", "video: H.264 type 0 frame, 11 octets"),
        FLVSample(9, "8368766331010203", "video: H.265 type 0 frame, 8 octets"),
        FLVSample(
            9, "8468766331020009636F6C6F72496E666F03000B636F6C6F72436F6E66696703000009000009",
            "video: H.265 metadata colorInfo"),
        FLVSample(9, "86007670303901010000000028820202020000", "video: VP9 (track 1) sequence header: profile 0 4.0"),
        // The VP9 record without the version of its box; commands; legacy codecs.
        FLVSample(9, "90 76703039 0028820202020000", "video: VP9 sequence header: profile 0 4.0"),
        FLVSample(9, "57 00", "video: start of a client-side seek"),
        FLVSample(9, "D1 01", "video: end of a client-side seek"),
        FLVSample(9, "22 00", "video: Sorenson H.263 inter frame, 2 octets"),
        FLVSample(9, "32 00", "video: Sorenson H.263 disposableInter frame, 2 octets"),
        FLVSample(9, "19 00", "video: codec 9 key frame, 2 octets"),
        FLVSample(9, "27 03 000000", "video: H.264, packet type 3"),
        FLVSample(9, "9E 68766331", "video: H.265, packet type 14"),
        // Two tracks of one codec.
        FLVSample(9, "96 13 61766331 00 000001 AA 01 000001 BB", "video: H.264 (2 tracks) key frame, 16 octets"),
        FLVSample(9, "97 02 0F423F 01 68766331 000000", "video: H.265 key frame, 13 octets"),
    ]
}

@Suite struct FLVTagTests {
    private func payload(_ sample: FLVSample, _ part: [UInt8]? = nil) -> RTMPPayload {
        let octets = part ?? sample.octets
        return RTMPPayload(
            typeID: sample.typeID, octets.rawSpan, length: sample.octets.count, limits: Limits())
    }

    private func summary(_ payload: RTMPPayload, _ length: Int) -> String {
        switch payload {
        case .audio(let tag?): tag.wording(length).english
        case .video(let tag?): tag.wording(length).english
        default: "\(payload)"
        }
    }

    @Test(arguments: FLVSample.audio + FLVSample.video) func says(_ sample: FLVSample) {
        #expect(summary(payload(sample), sample.octets.count) == sample.summary)
    }

    @Test(arguments: FLVSample.audio + FLVSample.video) func cutAnywhere(_ sample: FLVSample) {
        for length in 0..<sample.octets.count {
            let cut = payload(sample, Array(sample.octets[..<length]))
            switch cut {
            case .audio(let tag?):
                _ = tag.fields
                #expect(tag.configuration?.problem == nil, "what the capture lacks is no fault")
            case .video(let tag?):
                _ = tag.fields { $0 }
                #expect(tag.configuration?.problem == nil, "what the capture lacks is no fault")
            case .malformed: break
            default: Issue.record("\(cut)")
            }
        }
    }

    @Test func compositionTimes() throws {
        let expected: [(String, Int?)] = [
            ("170100000A010203", 10), ("1701FFFFDE010203", -34), ("1700000000", nil), ("8161766331FFFFDE010203", -34),
            ("8368766331010203", 0), ("9161763031AA", nil), ("97020F423F016876633100001E", 30),
        ]
        for (digits, time) in expected {
            let octets = hex(digits)
            let tag = try VideoTag(octets.rawSpan, length: octets.count, limits: Limits())
            #expect(tag.compositionTime == time)
        }
    }

    @Test func enhancedFields() throws {
        let video = hex("97 02 0F423F 06 20 61766331 07 000004 00000000 68766331 08 000003 000000")
        let tag = try VideoTag(video.rawSpan, length: video.count, limits: Limits())
        #expect(tag.enhanced?.nanoseconds == 999_999)
        #expect(tag.enhanced?.tracks.map(\.id) == [7, 8])
        #expect(tag.enhanced?.tracks.map(\.octets) == [4, 3])
        #expect(
            tag.fields { $0 }.map(\.name) == [
                "codec", "frameType", "packetType", "nanosecondOffset", "modifiers", "multitrack", "tracks",
            ])
        // A modifier of 256 octets needs a length of 16 bits.
        let long = hex("97 FF 00FF") + [UInt8](repeating: 0, count: 256) + hex("13 68766331 AA")
        let modified = try VideoTag(long.rawSpan, length: long.count, limits: Limits())
        #expect(modified.enhanced?.modifiers == [EnhancedHeader.Modifier(type: 1, octets: 256)])
        #expect(modified.packet == .codedFramesX && modified.codec == "H.265")
        let audio = hex("94 4F707573 01 06 0000003F")
        let audioTag = try AudioTag(audio.rawSpan, length: audio.count)
        let channels = try #require(audioTag.channels)
        #expect(channels.count == 6 && channels.mask == 0x3F)
    }

    @Test func allOfAConfigurationIsKept() {
        let none: [UInt8] = []
        for (type, digits, isKept) in [
            (9, "1700", true), (9, "1701", false), (9, "1C00", true), (9, "2702", false), (9, "90", true),
            (9, "91", false),
            (9, "93", false), (9, "94", true), (9, "96", true), (9, "97", true), (9, "22", false), (8, "AF00", true),
            (8, "AF01", false), (8, "90", true), (8, "91", false), (8, "95", true), (8, "2F00", false),
        ] as [(UInt8, String, Bool)] {
            let octets = hex(digits)
            let limit = isKept ? MediaPrefix.configurationOctets : MediaPrefix.frameOctets
            let whole = MediaPrefix.octets(typeID: type, kept: none, next: octets.rawSpan)
            #expect(whole == limit, "\(digits)")
            for split in 1...octets.count {
                let rest = Array(octets[split...])
                let part = MediaPrefix.octets(typeID: type, kept: Array(octets[..<split]), next: rest.rawSpan)
                #expect(part == limit)
            }
        }
    }
}
