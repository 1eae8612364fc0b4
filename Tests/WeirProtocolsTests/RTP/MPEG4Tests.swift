import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite("MPEG-4 Visual and LATM (RFC 6416)")
struct MPEG4Tests {
    @Test(
        "headers of MPEG-4 Visual, with the profile and without",
        arguments: [
            ("000001b0f1000001b5a91300000100", "Advanced Simple", "1"), ("000001b0f7", "Advanced Simple", "3b"),
            ("000001b003", "Simple", "3"), ("000001b009", "Simple", "0b"), ("000001b0ee", nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)])
    func headers(_ first: String, _ profile: String?, _ level: String?) throws {
        // A layer written by ffmpeg's encoder.
        let layer = hex(first + "0000012008d48d08005505040f14103f")
        let read = MPEG4VideoConfiguration(layer.rawSpan)
        let headers = try #require(read)
        #expect(headers.profileName == profile && headers.levelName == level)
        #expect(headers.width == 160 && headers.height == 120)
    }

    @Test("a layer with every optional part before the size")
    func longLayer() throws {
        var bits = Bits()
        // Any layer, with a version; a custom aspect ratio; buffer parameters; rectangular shape; a fixed rate of 25.
        [(0x21, 9), (1, 1), (5, 4), (1, 3), (15, 4), (0xABCD, 16), (1, 1), (3, 3), (1, 1)].forEach {
            bits.add($0.0, $0.1)
        }
        for _ in 0..<79 { bits.add(1, 1) }
        [(0, 2), (1, 1), (25, 16), (1, 1), (1, 1), (1, 5), (1, 1), (720, 13), (1, 1), (576, 13), (1, 1)]
            .forEach { bits.add($0.0, $0.1) }
        let octets = hex("00000120") + bits.octets
        let read = MPEG4VideoConfiguration(octets.rawSpan)
        let headers = try #require(read)
        #expect(headers.width == 720 && headers.height == 576)
    }

    @Test("headers without a size give nothing", arguments: ["", "000001b0f1", "00000120", "000001b6"])
    func noHeaders(_ config: String) {
        #expect(MPEG4VideoConfiguration(hexadecimal: config) == nil)
    }

    @Test(
        "what starts in a payload",
        arguments: [
            ("000001b610", true, .intra, false), ("000001b650", true, .predicted, false),
            ("000001b690", true, .bidirectional, false), ("000001b6d0", true, .sprite, false),
            ("000001b0f100000120aa000001b61000", true, .intra, true), ("000001b2", true, nil, false),
            ("550000000001b610", false, nil, false),
        ] as [(String, Bool, MPEG4VideoPayload.Coding?, Bool)])
    func payload(_ octets: String, _ starts: Bool, _ coding: MPEG4VideoPayload.Coding?, _ holdsLayer: Bool) throws {
        let bytes = hex(octets)
        let read = MPEG4VideoPayload(bytes.rawSpan)
        let payload = try #require(read)
        #expect(payload.startsUnit == starts && payload.coding == coding && payload.holdsLayer == holdsLayer)
        #expect(payload.isKeyframe == (coding == .intra))
    }

    @Test("configurations of LATM")
    func configurations() throws {
        // ffmpeg: AAC LC, 16 kHz, mono.
        let plain = try #require(StreamMuxConfiguration(hexadecimal: "400028103fc0"))
        #expect(plain.audio.objectType == 2 && plain.audio.rate == 16_000 && plain.audio.channels == 1)
        #expect(plain.units == 1 && plain.unitOctets == nil && plain.otherBits == 0 && plain.isStandard)
        // GStreamer.
        let extended = try #require(StreamMuxConfiguration(hexadecimal: "40002810adca00"))
        #expect(extended.audio == plain.audio && !extended.isStandard)
        // Two programs; another codec; truncated.
        for other in ["401028103fc0", "400098103fc0", "4000", ""] {
            #expect(StreamMuxConfiguration(hexadecimal: other) == nil)
        }
    }

    /// Writes bit fields.
    private struct Bits {
        var bits: [Bool] = []
        mutating func add(_ value: Int, _ count: Int) {
            for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
        }
        mutating func add(_ octets: [UInt8]) { for octet in octets { add(Int(octet), 8) } }
        var octets: [UInt8] {
            let whole = bits + [Bool](repeating: false, count: (8 - bits.count % 8) % 8)
            return stride(from: 0, to: whole.count, by: 8).map { start in
                whole[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            }
        }
        /// AAC LC, 48 kHz, stereo, with `units` access units and optional other data.
        mutating func addConfiguration(units: Int, other: Int = 0, isNewer: Bool = false) {
            if isNewer { [(2, 2), (0, 2), (255, 8)].forEach { add($0.0, $0.1) } } else { add(0, 1) }
            add(1, 1)
            add(units - 1, 6)
            add(0, 7)
            if isNewer { [(0, 2), (18, 8)].forEach { add($0.0, $0.1) } }
            [(2, 5), (3, 4), (2, 4), (0, 3)].forEach { add($0.0, $0.1) }
            if isNewer { add(0, 2) }
            [(0, 3), (255, 8)].forEach { add($0.0, $0.1) }
            add(other > 0 ? 1 : 0, 1)
            if other > 0 { if isNewer { add(0, 2) } else { add(0, 1) } }
            if other > 0 { add(other, 8) }
            add(0, 1)
        }
    }

    @Test("elements with their own configuration, in either syntax", arguments: [false, true], [0, 24])
    func inBand(_ isNewer: Bool, _ other: Int) throws {
        let units: [[UInt8]] = [[1, 2, 3], [UInt8](repeating: 7, count: 300), [9]]
        var bits = Bits()
        bits.add(0, 1)
        bits.addConfiguration(units: 3, other: other, isNewer: isNewer)
        for unit in units {
            for _ in 0..<unit.count / 255 { bits.add(255, 8) }
            bits.add(unit.count % 255, 8)
            bits.add(unit)
        }
        bits.add(0, other)
        let octets = bits.octets
        let read = AudioMuxElement(octets.rawSpan, nil, isInBand: true)
        let element = try #require(read)
        let found = element.units(octets.rawSpan)
        #expect(!element.isFragment && !element.hasRest && found == units)
        #expect(element.configuration.audio.rate == 48_000 && element.configuration.audio.channels == 2)
        let cut = Array(octets.dropLast(20 + other / 8))
        let isFragment = AudioMuxElement(cut.rawSpan, nil, isInBand: true)?.isFragment
        #expect(isFragment == true)
        let longer = octets + [0, 0]
        let hasRest = AudioMuxElement(longer.rawSpan, nil, isInBand: true)?.hasRest
        #expect(hasRest == true)
        // "Same configuration": without the earlier one nothing is known.
        let again: [UInt8] = [0x80] + octets
        let isUnknown = AudioMuxElement(again.rawSpan, nil, isInBand: true) == nil
        #expect(isUnknown)
    }

    @Test("arbitrary octets do not trap")
    func fuzz() {
        var random = SeededGenerator(0x4C41_544D)
        for round in 0..<60_000 {
            var bytes = random.octets(Int(random.next() % 64))
            if round % 2 == 0, bytes.count > 2 { (bytes[0], bytes[1]) = (0x20, bytes[1] & 1) }
            if let element = AudioMuxElement(bytes.rawSpan, nil, isInBand: true) { _ = element.units(bytes.rawSpan) }
            bytes = [0, 0, 1, 0x20] + bytes
            _ = MPEG4VideoConfiguration(bytes.rawSpan)
        }
    }
}
