import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite("RTP payload formats")
struct PayloadTests {
    @Test(
        "H.264 structures (RFC 6184 §5.6 to §5.8)",
        arguments: [
            ([0x65, 0x88], .single, [5], true, true, []),
            ([0x78, 0, 2, 0x67, 0x42, 0, 1, 0x68], .stapA, [7, 8], true, true, []),
            ([0x79, 0, 9, 0, 2, 0x67, 0x42], .stapB, [7], true, true, []),
            ([0x7A, 0, 9, 0, 1, 5, 0, 7, 0x61], .mtap16, [1], true, true, []),
            ([0x7B, 0, 9, 0, 1, 5, 0, 0, 7, 0x61], .mtap24, [1], true, true, []),
            ([0x7C, 0x85, 0x88], .fuA, [5], true, false, []),
            ([0x7C, 0x05, 0x88], .fuA, [5], false, false, []),
            ([0x7C, 0x45, 0x88], .fuA, [5], false, true, []),
            ([0x7D, 0x85, 0, 1, 0x88], .fuB, [5], true, false, []),
            ([0x7C, 0xC5, 0x88], .fuA, [5], true, true, .wholeFragment),
            ([0x7C, 0x85], .fuA, [5], true, false, .emptyFragment),
            ([0xE5, 0x88], .single, [5], true, true, .forbiddenBit),
            ([0x00, 0x00, 0x00, 0x01, 0x65], .single, [0], true, true, .startCode),
            ([0x1F], .single, [31], true, true, .undefinedType),
            ([0x78, 0, 9, 0x67], .stapA, [], true, true, .aggregationSize),
            ([0x78, 0, 2, 0x7C, 0x85], .stapA, [28], true, true, .nested),
            ([0x18, 0, 1, 0x67], .stapA, [7], true, true, .importance),
        ] as [([UInt8], H264Payload.Structure, [UInt8], Bool, Bool, H264Payload.Oddities)])
    func h264(
        bytes: [UInt8], structure: H264Payload.Structure, types: [UInt8], starts: Bool, ends: Bool,
        oddities: H264Payload.Oddities
    ) throws {
        let read = H264Payload(bytes.rawSpan)
        let payload = try #require(read)
        #expect(payload.structure == structure)
        #expect(payload.typeList == types)
        #expect(payload.startsUnit == starts && payload.endsUnit == ends)
        #expect(payload.oddities == oddities)
    }

    @Test(
        "VP8 key frames (RFC 7741 §4.2, §4.3)",
        arguments: [
            ([0x10, 0x00], true, true),
            ([0x10, 0x01], true, false),
            ([0x00, 0x00], false, false),
            ([0x90, 0x80, 0x11, 0x00], true, true),  // PictureID of 7 bits
            ([0x90, 0x80, 0x91, 0x11, 0x00], true, true),  // PictureID of 15 bits
            ([0x90, 0xE0, 0x11, 0x01, 0x02, 0x01], true, false),  // PictureID, TL0PICIDX, TID
        ] as [([UInt8], Bool, Bool)])
    func vp8(bytes: [UInt8], starts: Bool, isKeyframe: Bool) throws {
        let read = VP8Payload(bytes.rawSpan)
        let payload = try #require(read)
        #expect(payload.startsFrame == starts && payload.isKeyframe == isKeyframe)
    }

    @Test(
        "AAC access unit headers (RFC 3640 §3.3.6: 13 bits of size, 3 of index)",
        arguments: [
            ([0, 16, 0, 0x18, 1, 2, 3], 1, false, false),  // one unit of 3 octets
            ([0, 32, 0, 0x10, 0, 0x08, 1, 2, 3], 2, false, false),  // units of 2 and 1 octets
            ([0, 16, 0x04, 0x00, 1, 2, 3], 1, true, false),  // 3 octets of a unit of 128
            ([0, 16, 0, 0x08, 1, 2, 3], 1, false, true),  // 1 octet announced, 3 present
        ] as [([UInt8], Int, Bool, Bool)])
    func aac(bytes: [UInt8], count: Int, isFragment: Bool, disagrees: Bool) throws {
        let sizes = AccessUnitHeaderSizes(parameters: "mode=AAC-hbr; sizeLength=13; indexLength=3; indexDeltaLength=3")
        let read = AccessUnitHeaders(bytes.rawSpan, sizes)
        let headers = try #require(read)
        #expect(headers.count == count)
        #expect(headers.isFragment == isFragment && headers.disagrees == disagrees)
    }

    @Test("a single header of 16 bits is read like any other, whatever its fields")
    func usualHeader() throws {
        var random = SeededGenerator(3_640)
        for _ in 0..<2_000 {
            let sizeBits = Int(random.next() % 17)
            let header = UInt16(truncatingIfNeeded: random.next())
            let data = random.octets(Int(random.next() % 40))
            let octets = [0, 16, UInt8(header >> 8), UInt8(header & 0xFF)] + data
            let sizes = AccessUnitHeaderSizes(parameters: "sizeLength=\(sizeBits); indexLength=\(16 - sizeBits)")
            let read = AccessUnitHeaders(octets.rawSpan, sizes)
            let headers = try #require(read)
            #expect(headers.count == 1 && headers.dataOctets == data.count)
            #expect(headers.announcedOctets == Int(header) >> (16 - sizeBits))
            #expect(headers.index == UInt32(header) & (1 << (16 - UInt32(sizeBits)) - 1))
        }
    }

    @Test("headers for empty units do not stall the reader")
    func emptyHeaders() {
        let sizes = AccessUnitHeaderSizes(parameters: "indexlength=3")
        let bytes: [UInt8] = [0, 16, 0xFF, 0xFF, 1]
        let headers = AccessUnitHeaders(bytes.rawSpan, sizes)
        #expect(headers == nil)
    }

    @Test("bits are read in any number, from any position")
    func bits() {
        var random = SeededGenerator(14_496)
        for _ in 0..<2_000 {
            let octets = random.octets(Int(random.next() % 12))
            var reader = BitReader(octets.rawSpan)
            var position = 0
            while true {
                let count = Int(random.next() % 34)
                let bits = (position..<position + count).map {
                    $0 < octets.count * 8 ? octets[$0 / 8] >> (7 - $0 % 8) & 1 : 2
                }
                let expected = count <= 32 && !bits.contains(2) ? bits.reduce(0) { $0 << 1 | UInt32($1) } : nil
                #expect(reader.read(UInt8(count)) == expected)
                guard expected != nil, count > 0 else { break }
                position += count
            }
        }
    }

    @Test(
        "Exp-Golomb codes (H.264 §9.1)",
        arguments: [
            ([0x80], 0, 0), ([0x40], 1, 1), ([0x60], 2, -1), ([0x20], 3, 2), ([0x28], 4, -2), ([0x10, 0], 7, 4),
        ] as [([UInt8], UInt32, Int32)])
    func expGolomb(bytes: [UInt8], unsigned: UInt32, signed: Int32) {
        var one = BitReader(bytes.rawSpan)
        #expect(one.unsignedExpGolomb() == unsigned)
        var other = BitReader(bytes.rawSpan)
        #expect(other.signedExpGolomb() == signed)
    }

    @Test(
        "sequence parameter sets",
        arguments: [
            // x264, High, level 4, 1920 × 1080: 68 rows of macroblocks, eight lines cropped.
            (
                [
                    0x67, 0x64, 0x00, 0x28, 0xAC, 0xD9, 0x40, 0x78, 0x02, 0x27, 0xE5, 0x84, 0x00, 0x00, 0x03, 0x00,
                    0x04,
                    0x00, 0x00, 0x03, 0x00, 0xF0, 0x3C, 0x60, 0xC6, 0x58,
                ], "High", "4", 1_920, 1_080
            ),
            // Baseline without cropping or optional parts: 20 × 15 macroblocks.
            ([0x67, 0x42, 0x00, 0x1E, 0xF4, 0x0A, 0x0F, 0xC8], "Baseline", "3", 320, 240),
        ] as [([UInt8], String, String, Int, Int)])
    func parameterSets(bytes: [UInt8], profile: String, level: String, width: Int, height: Int) throws {
        let read = H264SequenceParameterSet(bytes.rawSpan)
        let set = try #require(read)
        #expect(set.profileName == profile && set.levelName == level)
        #expect(set.width == width && set.height == height)
    }

    @Test("arbitrary octets do not trap a payload reader")
    func fuzz() {
        var random = SeededGenerator(0x4832_3634)
        let sizes = AccessUnitHeaderSizes(
            parameters: "sizelength=5;indexlength=2;indexdeltalength=1;ctsdeltalength=9;randomaccessindication=1")
        for round in 0..<120_000 {
            var bytes = random.octets(Int(random.next() % 48))
            if round % 3 == 0, !bytes.isEmpty { bytes[0] = 0x67 }
            if round % 3 == 1, !bytes.isEmpty { bytes[0] = 0x78 | bytes[0] & 3 }
            for format in [.h264, .h265, .h266, .vp8, .vp9, .av1, .jpeg, .mpeg4Generic(sizes), .mpeg4Video]
                as [RTPPayloadFormat]
            {
                _ = RTPPayload(bytes.rawSpan, format: format).fields
            }
            if let set = H264SequenceParameterSet(bytes.rawSpan) { #expect(set.width > 0 && set.height > 0) }
        }
    }
}

@Suite("Header extensions by URI")
struct RTPExtensionValueTests {
    @Test(
        "are parsed according to their URI",
        arguments: [
            ("urn:ietf:params:rtp-hdrext:ssrc-audio-level", [0x9E], "levelDbov", FieldValue.integer(-30)),
            ("http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time", [0x04, 0, 0], "seconds", .double(1)),
            (
                "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01", [0x01, 0x02], "sequence",
                .integer(258)
            ),
            ("urn:ietf:params:rtp-hdrext:sdes:mid", [0x30], "text", .string("0")),
            ("http://www.webrtc.org/experiments/rtp-hdrext/playout-delay", [0, 0x10, 0x05], "maxMs", .integer(50)),
            ("urn:3gpp:video-orientation", [1], "degrees", .integer(90)),
            ("urn:ietf:params:rtp-hdrext:toffset", [0xFF, 0xFF, 0xFE], "ticks", .integer(-2)),
        ] as [(String, [UInt8], String, FieldValue)])
    func values(uri: String, data: [UInt8], name: String, value: FieldValue) {
        let fields = RTPExtensionValue(uri: uri, data: data).fields
        #expect(fields.first { $0.name == name }?.value == value)
    }

    @Test("arbitrary data does not trap")
    func short() {
        for name in ["ssrc-audio-level", "abs-send-time", "mid", "playout-delay", "abs-capture-time", "toffset", "x"] {
            for length in 0..<12 {
                let value = RTPExtensionValue(uri: "a:\(name)", data: [UInt8](repeating: 0xFF, count: length))
                #expect(value.name == name)
            }
        }
    }
}
