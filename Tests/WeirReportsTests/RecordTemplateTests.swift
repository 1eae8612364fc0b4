import CaptureTesting
import Testing
import WeirPackets
import WeirTesting

@testable import WeirEngine
@testable import WeirProtocols
@testable import WeirReports

@Suite("Records written from templates")
struct RecordTemplateTests {
    @Test("RTP packets of any payload format")
    func packets() {
        var random = SeededGenerator(3550)
        let sizes = AccessUnitHeaderSizes(parameters: "sizelength=13;indexlength=3;indexdeltalength=3")
        let formats: [RTPPayloadFormat] = [
            .h264, .h265, .h266, .vp8, .vp9, .av1, .jpeg, .mpeg4Generic(sizes), .mpeg4Video, .audioMux,
            .samples(SampleSize()), .unknown,
        ]
        for format in formats {
            var copying = Copying()
            for _ in 0..<1_500 {
                let message = random.packet(format)
                copying.expectSame(message, &random)
            }
            // Records with a header extension or CSRCs, and odd events (one in ten), are not copied.
            #expect(copying.copied > 600, "\(format): \(copying.copied)")
        }
    }

    @Test("interleaved frames")
    func interleavedFrames() {
        var random = SeededGenerator(2326)
        var copying = Copying()
        for _ in 0..<2_000 {
            let frame = RTSPInterleavedFrame(
                channel: .random(in: 0...255, using: &random), length: Int(random.number(bits: 16)))
            copying.expectSame(frame, &random)
        }
        #expect(copying.copied > 1_500)
    }

    @Test("RTMP messages of audio and video")
    func media() {
        var random = SeededGenerator(1935)
        var copying = Copying()
        for _ in 0..<4_000 { copying.expectSame(random.mediaMessage(), &random) }
        #expect(copying.copied > 500)
    }

    @Test("an external protocol")
    func foreign() {
        var random = SeededGenerator(1)
        var copying = Copying()
        for _ in 0..<2_000 {
            let reading = Reading(
                sensor: UInt32(random.number(bits: 32)),
                level: Int(random.number(bits: 63)) * (random.chance(2) ? 1 : -1),
                count: Int(random.number(bits: 63)) * (random.chance(5) ? -1 : 1),
                battery: random.chance(3) ? nil : .random(in: 0...100, using: &random),
                unit: ["V", "mA", "\"°\\"].randomElement(using: &random) ?? "")
            copying.expectSame(reading, &random)
        }
        #expect(copying.copied > 1_500)
    }

    @Test("more kinds than cached templates")
    func manyKinds() {
        var random = SeededGenerator(2)
        var copying = Copying()
        for number in 0..<6_000 {
            let reading = Reading(sensor: 1, level: number, count: 2, battery: nil, unit: "\(number % 1_000)")
            copying.expectSame(reading, &random)
        }
    }

    @Test("a message with a wrong description is written member by member", arguments: Liar.Lie.allCases)
    func liars(lie: Liar.Lie) {
        var random = SeededGenerator(3)
        var copying = Copying()
        for number in 5..<200 {
            copying.expectSame(Liar(lie: lie, number: number, other: number == 5 ? 5 : 1_000 - number), &random)
        }
        #expect(copying.copied == 0)
    }

    @Test("messages with different numbers of numbers have templates of their own")
    func uneven() {
        var random = SeededGenerator(4)
        var copying = Copying()
        for number in 0..<200 { copying.expectSame(Uneven(number: number), &random) }
        #expect(copying.copied > 50)
    }
}
