import Testing
import WeirEngine
import WeirPackets
@testable import WeirKit
@testable import WeirProtocols

/// Extraction of hand-made packets: what is incomplete, disordered or without an end.
@Suite("Media extraction of made packets")
struct DepacketizerTests {
    @Test("A clock rate that no file format can express is not written", arguments: ["L16", "PCMU", "L24"])
    func absurdRate(_ encoding: String) {
        for rate in [Int.max, 0, -1] {
            let format = MediaFormat(mediaType: "audio", encoding: encoding, clockRate: rate, parameters: "")
            #expect(throws: ExtractionFailure.self) { try Depacketizers.make(format) }
        }
    }

    private func feed(
        _ extractor: MediaExtractor, _ sequence: UInt16, _ timestamp: UInt32, _ payload: [UInt8], _ format: MediaFormat,
        marker: Bool = false
    ) throws {
        let bytes: [UInt8] =
            [0x80, marker ? 0xE0 : 96, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: timestamp >> $0) } + [0, 0, 0, 7] + payload
        let header = try RTPHeader(bytes.rawSpan)
        extractor.take(1, header, bytes.rawSpan.clamped(12), format)
    }

    @Test(
        "A picture without an end is left out, and counted",
        arguments: [("H264", [0x41] as [UInt8]), ("H265", [0x02, 0x01]), ("VP8", [0x10])])
    func endlessPicture(_ encoding: String, _ head: [UInt8]) throws {
        let file = ExtractedFile.Memory()
        var limits = Limits()
        limits[RTPLimits.self].pictureOctets = 20_000
        let extractor = MediaExtractor(isWanted: { _ in true }, limits: limits) { _, _ in file }
        let format = MediaFormat(mediaType: "video", encoding: encoding, clockRate: 90_000, parameters: "")
        let payload = head + [UInt8](repeating: 0x55, count: 1_000)
        for number in 0..<100 as Range<UInt16> { try feed(extractor, number, 9_000, payload, format) }
        for number in 100..<110 as Range<UInt16> { try feed(extractor, number, 12_600, payload, format) }
        extractor.end(1, isEncrypted: false, format)
        let result = try #require(extractor.results.first)
        #expect(result.tooLongPictures == 1 && result.framesOut == 1 && result.framesIn == 2)
        #expect(10_000...11_000 ~= file.octets.count)
    }

    @Test(
        "A picture without its first packet is left out, also at the start of the capture",
        arguments: [
            ("H264", [0x41, 0x88] as [UInt8], [0x41, 0x48] as [UInt8]),
            ("H265", [0x02, 0x01, 0x80], [0x02, 0x01, 0x08]),
            ("VP8", [0x10, 0x01, 0x02], [0x00, 0x01, 0x02]),
            ("VP9", [0x08, 0x80, 0x02], [0x04, 0x80, 0x02]),
        ])
    func withoutBeginning(_ encoding: String, _ first: [UInt8], _ second: [UInt8]) throws {
        let format = MediaFormat(mediaType: "video", encoding: encoding, clockRate: 90_000, parameters: "")
        let packets = (0..<8 as Range<UInt16>).map { number in
            (number: number, time: UInt32(number / 2) * 3_600, isFirst: number % 2 == 0)
        }
        for (lost, whole) in [(nil, 4), (0, 3), (4, 3), (5, 3)] as [(UInt16?, Int)] {
            let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in ExtractedFile.Memory() }
            for packet in packets where packet.number != lost {
                try feed(
                    extractor, packet.number, packet.time, packet.isFirst ? first : second, format,
                    marker: !packet.isFirst)
            }
            extractor.end(1, isEncrypted: false, format)
            let result = try #require(extractor.results.first)
            #expect(result.framesIn == 4 && result.framesOut == whole, "without \(lost.map(String.init) ?? "none")")
        }
    }

    @Test("The first captured packet may have been overtaken, by few packets or many", arguments: [1, 5, 60])
    func overtaken(_ others: Int) throws {
        let format = MediaFormat(mediaType: "audio", encoding: "PCMU", clockRate: 8_000)
        let file = ExtractedFile.Memory()
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in file }
        var numbers = Array(UInt16(0)..<100)
        numbers.swapAt(0, others)
        for number in numbers {
            try feed(
                extractor, number &+ 65_500, UInt32(number) * 160, [UInt8](repeating: UInt8(number), count: 160), format
            )
        }
        extractor.end(1, isEncrypted: false, format)
        let result = try #require(extractor.results.first)
        #expect(result.framesOut == 100 && result.missingPackets == 0)
        let sound = file.octets.suffix(16_000)
        #expect(Array(sound) == (0..<100).flatMap { [UInt8](repeating: $0, count: 160) })
    }

    @Test("Buffers of all streams together are bounded")
    func gathered() throws {
        var limits = Limits()
        limits.memoryOctets = 20_000
        let extractor = MediaExtractor(isWanted: { _ in true }, limits: limits) { _, _ in ExtractedFile.Memory() }
        let format = MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000, parameters: "")
        for number in 0..<100 as Range<UInt16> {
            try feed(extractor, number, 9_000, [0x41] + [UInt8](repeating: 0x55, count: 1_000), format)
        }
        extractor.end(1, isEncrypted: false, format)
        #expect(extractor.results.first?.tooLongPictures == 1)
    }

    private static func packet(_ sequence: Int, _ timestamp: Int, _ payload: [UInt8], missing: Int = 0)
        -> ExtractedPacket
    {
        ExtractedPacket(
            sequence: UInt16(sequence), timestamp: UInt32(timestamp), marker: true, payload: payload,
            missingBefore: missing)
    }

    @Test("A delimiter or parameter sets alone are no picture")
    func delimiters() throws {
        var depacketizer = try Depacketizers.make(MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000))
        let units: [[UInt8]] = [
            [0x09, 0xF0], [0x67, 0x42], [0x09, 0x10], [0x65, 0x88, 1], [0x09, 0x30], [0x41, 0x88, 2],
        ]
        var octets: [UInt8] = []
        for (index, unit) in units.enumerated() {
            octets += depacketizer.take(Self.packet(index, index, unit))
        }
        octets += depacketizer.finish()
        let start: [UInt8] = [0, 0, 0, 1]
        #expect(octets == start + [0x67, 0x42] + start + [0x65, 0x88, 1] + start + [0x41, 0x88, 2])
        #expect(depacketizer.framesIn == 2 && depacketizer.framesOut == 2)
    }

    @Test("AC-3 is written frame by frame; one with a missing fragment is left out")
    func surround() throws {
        var depacketizer = try Depacketizers.make(MediaFormat(mediaType: "audio", encoding: "AC3", clockRate: 48_000))
        #expect(depacketizer.fileExtension == "ac3")
        let whole: [UInt8] = [0x0B, 0x77, 1, 2]
        var octets = depacketizer.take(Self.packet(1, 0, [0, 1] + whole))
        octets += depacketizer.take(Self.packet(2, 1_536, [1, 2, 0x0B, 0x77, 3]))
        octets += depacketizer.take(Self.packet(3, 1_536, [3, 2, 4]))
        octets += depacketizer.take(Self.packet(4, 3_072, [1, 3, 0x0B, 0x77, 5]))
        octets += depacketizer.take(Self.packet(6, 3_072, [3, 3, 6], missing: 1))
        #expect(octets == whole + [0x0B, 0x77, 3, 4])
        #expect(depacketizer.framesIn == 3 && depacketizer.framesOut == 2)
    }

    @Test("An AAC access unit longer than the format allows is not kept")
    func endlessAccessUnit() throws {
        let format = MediaFormat(
            mediaType: "audio", encoding: "MPEG4-GENERIC", clockRate: 48_000,
            parameters: "config=1190; sizelength=32; indexlength=0; indexdeltalength=0")
        let file = ExtractedFile.Memory()
        let extractor = MediaExtractor(isWanted: { _ in true }) { _, _ in file }
        let unit: [UInt8] = [0, 32, 0x00, 0x0F, 0xFF, 0xFF] + [UInt8](repeating: 0x55, count: 1_000)
        for number in 0..<2_000 as Range<UInt16> { try feed(extractor, number, 9_000, unit, format) }
        extractor.end(1, isEncrypted: false, format)
        let result = try #require(extractor.results.first)
        #expect(result.problem == nil && result.framesOut == 0 && file.octets.isEmpty)
    }
}
