import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct StreamMetadataTests {
    private func command(_ octets: [UInt8], hasTransaction: Bool = false) -> RTMPCommand {
        RTMPCommand(octets.rawSpan, hasTransaction: hasTransaction, limits: Limits())
    }

    private static func string(_ text: String) -> [UInt8] { [0x02] + name(text) }
    private static func name(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
    private static func number(_ value: Double) -> [UInt8] {
        [0] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) }
    }

    /// Metadata as written by ffmpeg.
    private static let values: [UInt8] =
        hex("08 00000000") + name("width") + number(1280) + name("height") + number(720) + name("framerate")
        + number(30_000.0 / 1_001) + name("videocodecid") + number(7) + name("videodatarate") + number(2_500)
        + name("audiosamplerate") + number(44_100) + name("stereo") + hex("01 01") + name("audiocodecid") + number(10)
        + name("encoder") + string("Lavf59.27.100") + hex("000009")

    @Test(arguments: [true, false]) func valuesAreTyped(_ isForServer: Bool) throws {
        let octets = (isForServer ? Self.string("@setDataFrame") : []) + Self.string("onMetaData") + Self.values
        let metadata = try #require(command(octets).metadata)
        #expect(metadata.isForServer == isForServer)
        #expect(metadata.width == 1280 && metadata.height == 720 && metadata.audioChannels == 2)
        #expect(metadata.videoCodec == .avc && metadata.audioCodec == .aac && metadata.encoder == "Lavf59.27.100")
        #expect(metadata.words == "H.264 1280×720 29.97 fps 2500 kbit/s, AAC 44.1 kHz stereo, Lavf59.27.100")
    }

    @Test("numbers before the name are values, and no format selector", arguments: [0.0, 1, -1.5])
    func numbersFirst(_ value: Double) {
        let read = command(Self.number(value) + Self.number(2) + Self.string("onMetaData") + Self.values)
        #expect(read.name == nil && read.problem == nil && read.arguments.count == 4)
        #expect(command([0] + Self.string("onMetaData") + Self.values).name == "onMetaData")
    }

    @Test func codecsByFourCharacters() throws {
        // E-RTMP v2: "Opus" is 1332770163, "av01" 1635135537; FMLE writes the characters.
        let numbers =
            Self.string("onMetaData") + hex("03") + Self.name("audiocodecid") + Self.number(1_332_770_163)
            + Self.name("videocodecid") + Self.number(1_635_135_537) + Self.name("videoTrackIdInfoMap") + hex("03")
            + Self.name("1") + hex("03") + Self.name("width") + Self.number(640) + hex("000009 000009 000009")
        let metadata = try #require(command(numbers).metadata)
        #expect(metadata.audioCodec == .opus && metadata.videoCodec == .av1)
        #expect(metadata.tracks.map(\.id) == ["1"] && metadata.tracks[0].properties.first?.value == .number(640))
        let characters =
            Self.string("onMetaData") + hex("03") + Self.name("videocodecid") + Self.string("avc1") + hex("000009")
        #expect(command(characters).metadata?.videoCodec == .avc)
    }

    @Test func nonsenseIsLeftOut() throws {
        let octets =
            Self.string("onMetaData") + hex("03") + Self.name("width") + Self.number(-.infinity) + Self.name("height")
            + Self.number(.nan) + Self.name("framerate") + Self.string("x") + Self.name("videocodecid")
            + Self.number(1e300) + hex("000009")
        let metadata = try #require(command(octets).metadata)
        #expect(metadata.words.isEmpty)
        #expect(command(Self.string("onTextData") + Self.values).metadata == nil)
    }

    @Test func capabilities() throws {
        let object =
            hex("03") + Self.name("fourCcList") + hex("0A 00000002") + Self.string("av01") + Self.string("hvc1")
            + Self.name("videoFourCcInfoMap") + hex("03") + Self.name("vp09") + Self.number(3) + hex("000009")
            + Self.name("capsEx") + Self.number(5) + hex("000009")
        let connect = command(Self.string("connect") + Self.number(1) + object, hasTransaction: true)
        let capabilities = try #require(connect.capabilities)
        let codes = ["av01", "hvc1", "vp09", "avc1"].compactMap { FourCC($0) }
        #expect(codes.map { capabilities.announces($0, isVideo: true) } == [true, true, true, false])
        #expect(codes.map { capabilities.announces($0, isVideo: false) } == [true, true, false, false])
        #expect(
            capabilities.field.text
                == "{'fourCcList':['av01','hvc1'],'video':[{'fourCc':'vp09','can':['decode','encode']}],"
                + "'extended':['reconnect','modEx']}")
    }
}
