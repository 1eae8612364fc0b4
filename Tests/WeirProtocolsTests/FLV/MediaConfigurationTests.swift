import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// Vectors marked `mediacommon` are from that project's tests (bluenviron/mediacommon, pkg/codecs).
@Suite struct MediaConfigurationTests {
    @Test(arguments: [
        // mediacommon, h265/sps_test.go
        ("420101016000000300900000030000030078A003C08010E596666924CAE010000003001000000301E080", "Main 4 1920×1080"),
        ("420101016000000300900000030000030078A003C08032165959A4932BC05A80808082000007D20000BB8010", "Main 4 1920×800"),
        (
            "420101040800000300980800000300005D9000501005A2294B7494985FFE00020002D404040410000003001000000301E080",
            "Range Extensions 3.1 1280×720 12 bit"
        ),
        (
            "420101222000000300900000030000030078A003C08010E4D96666924CAF0101000003006400000BB508",
            "Main 10 4 High tier 1920×1080 10 bit"
        ),
        (
            "420101016000000300800000030000030096A001802006C1FE36BBB5377725D602DC0404041000003E800004268721DEE510016E"
                + "200066FF000B71000337F880", "Main 5 3072×1728"
        ),
        ("420101016000000300B0000003000003005DA00280802D1636B924CBF0080000030008000003019508", "Main 3.1 1280×720"),
    ])
    func h265(_ digits: String, _ expected: String) throws {
        let octets = hex(digits)
        let read = H265SequenceParameterSet(octets.rawSpan)
        let set = try #require(read)
        let profile = H265SequenceParameterSet.profileName(set.profile)
        let level = H265SequenceParameterSet.levelName(set.level, isHighTier: set.isHighTier)
        let depth = set.bitDepth > 8 ? " \(set.bitDepth) bit" : ""
        #expect("\(profile) \(level) \(set.width)×\(set.height)\(depth)" == expected)
        // Profile, level and size are in the first octets: if truncated there, nothing is left.
        for length in 0..<16 {
            let cut = H265SequenceParameterSet(Array(octets[..<length]).rawSpan)
            #expect(cut == nil)
        }
        for length in 16..<octets.count { _ = H265SequenceParameterSet(Array(octets[..<length]).rawSpan) }
    }

    /// The values are from a record in the tests of mp4ff (Eyevinn/mp4ff, vvc/vvc_test.go), with a PPS in addition to
    /// its SPS.
    @Test func h266() {
        let general = hex("0011 1F 0C 02 33 000000000000000000000000 00 0780 0438 0000")
        let sets = hex("02 8F 0001 0004 42010101 90 0001 0002 0081")
        let whole = [0xFF] + general + sets
        let configuration = MediaConfiguration.vvc(whole.rawSpan)
        #expect(configuration.words.english == "Main 10 3.1, 1920×1080")
        #expect(configuration.bitDepth == 8 && configuration.lengthOctets == 4 && configuration.problem == nil)
        #expect(configuration.parameterSets.map(\.count) == [0, 1, 1])
        // In a file's box; without a profile; with two sublayers, the first with its own level and a sub-profile.
        #expect(MediaConfiguration.vvc(([0, 0, 0, 0] + whole).rawSpan).words == configuration.words)
        let short = MediaConfiguration.vvc(([0xFE] + sets).rawSpan)
        #expect(short.words.english == "" && short.problem == nil)
        let more = hex("0021 5F 01 43 53 40 80 30 01 00000000 0F00 0870 0000")
        let high = MediaConfiguration.vvc(([0xFF] + more + sets).rawSpan)
        #expect(high.words.english == "Main 10 4:4:4 5.1 High, 3840×2160, 10 bit" && high.problem == nil)
        #expect(MediaConfiguration.vvc(([0x01] + general + sets).rawSpan).problem == .version)
        #expect(MediaConfiguration.vvc(([0xFD] + general + [0]).rawSpan).problem == .lengthSize)
        #expect(MediaConfiguration.vvc(([0xFF] + general + [0]).rawSpan).problem == .noParameterSets)
        for length in 0..<whole.count {
            #expect(MediaConfiguration.vvc(Array(whole[..<length]).rawSpan).problem != nil, "\(length)")
        }
    }

    @Test(arguments: [
        // mediacommon, mpeg4audio/audio_specific_config_test.go
        ("1408", "LC, 16 kHz, mono"), ("1208", "LC, 44.1 kHz, mono"), ("1230", "LC, 44.1 kHz, 6 channels"),
        ("1190", "LC, 48 kHz, stereo"), ("1780678410", "LC, 53 kHz, stereo"), ("10120C08", "LC, 96 kHz, stereo"),
        ("1238", "LC, 44.1 kHz, 8 channels"), ("2B8A0800", "HE-AAC, 44.1 kHz, mono"),
        ("2B920800", "HE-AAC, 44.1 kHz, stereo"), ("EB098800", "HE-AACv2, 48 kHz, stereo"),
        // SBR signaled after the core configuration: 22.05 kHz mono, played at 44.1; with parametric stereo.
        ("138856E5A0", "HE-AAC, 44.1 kHz, mono"), ("138856E5A54880", "HE-AACv2, 44.1 kHz, stereo"),
        // A program config element: one front pair, one LFE element.
        ("1180 04C401002000", "LC, 48 kHz, 3 channels"),
    ])
    func aac(_ digits: String, _ expected: String) {
        let octets = hex(digits)
        let configuration = MediaConfiguration.aac(octets.rawSpan)
        #expect(configuration.words.english == expected)
        #expect(configuration.problem == nil)
    }

    @Test func replicationHasTwoRates() {
        let configuration = MediaConfiguration.aac(hex("2B920800").rawSpan)
        #expect(configuration.sampleRate == 44_100 && configuration.coreSampleRate == 22_050)
    }

    @Test(arguments: [
        // mediacommon, av1/sequence_header_test.go; a length is added where it is missing.
        ("0A0B 00000042A7BFE62EDFC842", 1920, 818), ("0A0B 00000042ABBFC371ABE601", 1920, 1080),
        ("1200 0A0B 00000042A7BFE4600D0040", 1920, 804),
    ])
    func av1(_ digits: String, _ width: Int, _ height: Int) throws {
        let octets = hex(digits)
        let read = AV1SequenceHeader.pictureSize(octets.rawSpan)
        let size = try #require(read)
        #expect(size == (width, height))
        for length in 0..<8 {
            let cut = AV1SequenceHeader.pictureSize(Array(octets[..<length]).rawSpan)
            #expect(cut == nil)
        }
    }

    @Test(arguments: [
        ("avc", "", MediaConfiguration.Problem.empty), ("avc", "014D401EFF", .tooShort),
        ("avc", "014D401EFFE00000", .noParameterSets), ("avc", "014D401EFEE00000", .lengthSize),
        ("avc", "024D401EFFE00000", .version), ("avc", "014D401EFFE1000267FF01000168", .parameterSet),
        (
            "avc",
            "0142401EFFE10023674D401E965605017FCB80B5010101400000FA00003A983800007A10000F425BBCB82801000468EE3C80",
            .profileDiffers
        ),
        ("hevc", "0101400000009000000000007BF000FCFDF8F800000F01", .tooShort),
        ("hevc", "0101400000009000000000007BF000FCFDF8F800000F00", .noParameterSets),
        ("hevc", "0101400000009000000000007BF000FCFDF8F800000E00", .lengthSize),
        ("av1", "8108", .tooShort), ("av1", "01080C00", .version), ("vp", "0028", .tooShort),
        ("vp", "0728820202020000", .reserved), ("aac", "12", .tooShort), ("aac", "1180", .tooShort),
        ("aac", "1690", .reserved), ("opus", "4F707573", .tooShort),
        ("opus", "4F707573486561642002380180BB0000000000", .version), ("flac", "664C6143", .tooShort),
    ])
    func problems(_ kind: String, _ digits: String, _ problem: MediaConfiguration.Problem) {
        let octets = [0, 0] + hex(digits)
        let video: [String: VideoCodec] = ["avc": .avc, "hevc": .hevc, "av1": .av1, "vp": .vp9]
        let audio: [String: AudioCodec] = ["aac": .aac, "opus": .opus, "flac": .flac]
        let read =
            video[kind].map { MediaConfiguration($0, octets.rawSpan, from: 2, length: octets.count) }
            ?? audio[kind].map { MediaConfiguration($0, octets.rawSpan, from: 2, length: octets.count) }
        #expect(read??.problem == problem)
    }
}
