import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

@Suite("Media stream")
struct MediaStreamTests {
    /// A packet: sequence number, timestamp, marker, payload, milliseconds.
    private struct Packet {
        var sequence: UInt16
        var timestamp: UInt32
        var marker = false
        var payload: [UInt8]
        var time: Int64
        var type: UInt8 = 96
    }

    private static let parameters: [UInt8] = [0x67, 0x42, 0x00, 0x1E, 0xF4, 0x0A, 0x0F, 0xC8]

    private func feed(_ stream: inout MediaStream, _ packet: Packet) throws -> StreamChanges {
        var bytes: [UInt8] = [0x80, packet.type | (packet.marker ? 0x80 : 0)]
        bytes += [UInt8(packet.sequence >> 8), UInt8(packet.sequence & 0xFF)]
        for word in [packet.timestamp, 0x0BAD_CAFE] as [UInt32] {
            for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(word >> shift & 0xFF)) }
        }
        bytes += packet.payload
        let header = try RTPHeader(bytes.rawSpan)
        let time = Timestamp(nanoseconds: packet.time * 1_000_000)
        return stream.observe(header, payload: bytes.rawSpan.clamped(12), time: time, frame: 1)
    }

    private func video() -> MediaStream {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        stream.configure(
            payloadType: 96,
            as: MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000, parameters: "packetization-mode=1")
        )
        return stream
    }

    @Test("frames, key frames and resolution of H.264")
    func h264() throws {
        var stream = video()
        var sequence: UInt16 = 65_530
        var news: [StreamChanges] = []
        for frame in 0..<50 {
            let isKey = frame % 25 == 0
            var payloads: [[UInt8]] = isKey ? [Self.parameters, [0x68, 0xCE]] : []
            let header: UInt8 = isKey ? 0x65 : 0x61
            payloads += [[0x7C, header & 0x1F | 0x80, 1], [0x7C, header & 0x1F, 2], [0x7C, header & 0x1F | 0x40, 3]]
            for (index, payload) in payloads.enumerated() {
                news.append(
                    try feed(
                        &stream,
                        Packet(
                            sequence: sequence, timestamp: UInt32(frame) * 3_600, marker: index == payloads.count - 1,
                            payload: payload, time: Int64(frame) * 40)))
                sequence &+= 1
            }
        }
        #expect(stream.frames == 50 && stream.keyframes.count == 2)
        #expect(news.filter { $0.contains(.keyframe) }.count == 2)
        #expect(news.first?.contains(.started) == true)
        let rate = try #require(stream.frameRate)
        #expect((rate - 25).magnitude < 0.001)
        #expect(stream.secondsBetweenKeyframes == 1)
        #expect(stream.content.h264?.parameters?.width == 320)
        #expect(stream.faults.entries.isEmpty)
        #expect(stream.jitter?.maximumTicks == 0 || stream.jitter.map { $0.maximumMilliseconds < 40 } == true)
        #expect(RTPStreamDetails(stream).summary.hasPrefix("video H264 Baseline 320×240  SSRC 0x0badcafe  154 packets"))
    }

    @Test("telephone events, and formats with another clock rate, do not affect the jitter of the audio around them")
    func interludes() throws {
        for (type, known) in [(101, true), (102, false)] as [(UInt8, Bool)] {
            var stream = MediaStream(ssrc: 0x0BAD_CAFE)
            if known {
                stream.configure(
                    payloadType: type,
                    as: MediaFormat(mediaType: "audio", encoding: "telephone-event", clockRate: 8_000))
            }
            for index in 0..<60 as Range<Int64> {
                let isEvent = 20..<40 ~= index
                // All packets of an event have the timestamp of its start.
                _ = try feed(
                    &stream,
                    Packet(
                        sequence: UInt16(index), timestamp: UInt32(isEvent ? 20 : index) * 160,
                        payload: [UInt8](repeating: 5, count: isEvent ? 4 : 160), time: index * 20,
                        type: isEvent ? type : 0))
            }
            let jitter = try #require(stream.jitter)
            #expect(jitter.maximumMilliseconds == 0, "\(type)")
        }
    }

    @Test("a packet with a truncated header is not missing")
    func cutHeader() throws {
        var stream = video()
        for index in 0..<8 as Range<Int64> where index != 5 {
            _ = try feed(&stream, Packet(sequence: UInt16(index), timestamp: 0, payload: [0x41, 1], time: index))
        }
        #expect(stream.sequence.missing == 1)
        _ = stream.observe(
            broken: nil, sequence: 5, octets: 2, time: Timestamp(nanoseconds: 9_000_000), frame: 9, detail: 0)
        #expect(stream.sequence.missing == 0 && stream.packets == 8)
    }

    @Test("encrypted payloads are counted and not parsed")
    func encrypted() throws {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        stream.configure(
            payloadType: 96,
            as: MediaFormat(
                mediaType: "video", encoding: "H264", clockRate: 90_000,
                parameters: "sprop-parameter-sets=Z0IAHvQKD8g=,aM4=", isEncrypted: true))
        for index in 0..<10 {
            let news = try feed(
                &stream,
                Packet(
                    sequence: UInt16(index), timestamp: UInt32(index) * 3_600, marker: true, payload: [0x65, 0x88],
                    time: Int64(index) * 40))
            #expect(news == (index == 0 ? .started : []))
        }
        #expect(stream.frames == 10 && stream.keyframes.count == 0 && stream.content.h264 == nil)
        #expect(RTPStreamDetails(stream).summary.hasPrefix("video H264 encrypted  SSRC"))
    }

    @Test("MPEG program streams and retransmissions have no frames of their own", arguments: ["MP2T", "rtx"])
    func framesUnknown(_ encoding: String) throws {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        stream.configure(
            payloadType: 96, as: MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000))
        stream.configure(
            payloadType: 97, as: MediaFormat(mediaType: "video", encoding: encoding, clockRate: 90_000))
        for index in 0..<10 {
            let packet = Packet(
                sequence: UInt16(index), timestamp: UInt32(index) * 3_600, payload: [1], time: Int64(index) * 40,
                type: 97)
            _ = try feed(&stream, packet)
        }
        #expect(stream.frames == nil && stream.frameRate == nil)
        #expect(RTPStreamDetails(stream).summary.hasPrefix("video \(encoding)  SSRC"))
    }

    @Test("a silence is reported if longer than two seconds and eight times the usual interval")
    func silence() throws {
        func silences(_ distances: [Int64], encoding: String = "H264") throws -> [Int] {
            var stream = MediaStream(ssrc: 0x0BAD_CAFE)
            stream.configure(
                payloadType: 96, as: MediaFormat(mediaType: "video", encoding: encoding, clockRate: 90_000))
            var time: Int64 = 0
            var found: [Int] = []
            for (index, distance) in distances.enumerated() {
                time += distance
                let packet = Packet(
                    sequence: UInt16(index), timestamp: UInt32(index) * 3_600, payload: [0x61], time: time)
                if try feed(&stream, packet).contains(.silence) { found.append(index) }
            }
            return found
        }
        let steady = [Int64](repeating: 40, count: 20)
        #expect(try silences(steady + [2_001] + steady + [6_000] + steady + [2_001] + steady) == [20, 41, 62])
        #expect(try silences(steady + [2_000]) == [])
        #expect(try silences([0, 40, 40, 40, 5_000]) == [])
        #expect(try silences([Int64](repeating: 1_000, count: 20) + [7_000]) == [])
        #expect(try silences([Int64](repeating: 1_000, count: 20) + [9_000]) == [20])
        #expect(try silences(steady + [5_000], encoding: "rtx") == [])
    }

    @Test("an intra picture after a recovery point is a key frame, one without is not")
    func recovery() throws {
        var stream = video()
        let intra: [UInt8] = [0x61, 0x88]  // first_mb_in_slice 0, slice_type 7
        let predicted: [UInt8] = [0x61, 0x9A]  // first_mb_in_slice 0, slice_type 5
        let recoveryPoint: [UInt8] = [0x06, 0x06, 0x01, 0x84]
        var found: [Bool] = []
        for (index, payload) in [intra, recoveryPoint, intra, recoveryPoint, predicted].enumerated() {
            let news = try feed(
                &stream,
                Packet(
                    sequence: UInt16(index), timestamp: [0, 1, 1, 2, 2][index] * 3_600,
                    marker: [true, false, true, false, true][index], payload: payload, time: Int64(index)))
            found.append(news.contains(.keyframe))
        }
        #expect(found == [false, false, true, false, false])
    }

    @Test("violations of RFC 6184 are counted, but not after a loss")
    func oddities() throws {
        var stream = video()
        let payloads: [(UInt16, [UInt8])] = [
            (0, [0x7C, 0x01, 1]),  // continuation without a start: the capture may start late
            (1, [0x7C, 0x41, 1]),
            (2, [0x7C, 0x01, 1]),  // continuation after the end
            (3, [0x7C, 0x81, 1]),  // start while another fragment is open
            (4, [0x5C, 0x01, 1]),  // another NRI
            (7, [0x7C, 0x01, 1]),  // after a loss
            (8, [0x7C, 0xC1, 1]),  // start and end bits set while another fragment is open
            (9, [0x00, 0x00, 0x01, 0x65]),  // a start code
        ]
        for (sequence, payload) in payloads {
            _ = try feed(&stream, Packet(sequence: sequence, timestamp: 0, payload: payload, time: Int64(sequence)))
        }
        #expect(stream.faults[.fragmentWithoutStart]?.count == 1)
        #expect(stream.faults[.fragmentWithoutEnd]?.count == 2)
        #expect(stream.faults[.changedFragment]?.count == 1)
        #expect(stream.faults[.wholeFragment]?.count == 1)
        #expect(stream.faults[.startCode]?.count == 1)
    }

    @Test("a format that is known late also counts earlier frames; static payload types need no description")
    func lateFormat() throws {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        for index in 0..<10 {
            _ = try feed(
                &stream,
                Packet(
                    sequence: UInt16(index), timestamp: UInt32(index) * 3_600, payload: [0x61], time: Int64(index) * 40)
            )
        }
        #expect(stream.frames == nil && stream.jitter == nil)
        stream.configure(payloadType: 96, as: MediaFormat(mediaType: "video", encoding: "H264", clockRate: 90_000))
        #expect(stream.frames == 10 && stream.jitter?.clockRate == 90_000)

        var audio = MediaStream(ssrc: 0x0BAD_CAFE)
        let news = try feed(&audio, Packet(sequence: 1, timestamp: 0, payload: [0xD5], time: 0, type: 8))
        #expect(news == .started)
        #expect(audio.mainFormat?.encoding == "PCMA" && audio.frames == 1)
    }

    @Test("timestamps of MPEG transport streams mark no frames, and captures without times have no jitter")
    func unknown() throws {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        stream.configure(
            payloadType: 33, as: MediaFormat(mediaType: "video", encoding: "MP2T", clockRate: 90_000))
        for index in 0..<20 {
            _ = try feed(
                &stream,
                Packet(
                    sequence: UInt16(index), timestamp: UInt32(index) * 3_000, payload: [0x47], time: 5, type: 33))
        }
        #expect(stream.frames == nil && stream.frameRate == nil)
        #expect(stream.jitter?.meanMilliseconds != 0)
        let names = RTPStreamDetails(stream).fields(.masked).map(\.name)
        #expect(!names.contains("jitterMs") && !names.contains("frames") && names.contains("packets"))
    }

    @Test("after one timestamp reset, the frame rate covers both parts", arguments: [0, 900_000])
    func anew(_ second: UInt32) throws {
        var stream = video()
        for index in 0..<40 {
            let isSecond = index >= 15
            let timestamp = isSecond ? second &+ UInt32(index - 15) * 9_000 : 5_000_000 + UInt32(index) * 9_000
            _ = try feed(
                &stream,
                Packet(
                    sequence: UInt16(index), timestamp: timestamp, marker: true, payload: [0x41, 0x9A, 1],
                    time: Int64(index) * 100 + (isSecond ? 110 : 0)))
        }
        #expect(stream.jumps.count == 1 && stream.frames == 40)
        #expect(((stream.frameRate ?? 0) - 10).magnitude < 0.001)
    }

    @Test("payload type changes, restarts, duplicates and timestamp jumps are reported")
    func changes() throws {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        let packets = [
            Packet(sequence: 1, timestamp: 0, payload: [1], time: 0, type: 0),
            Packet(sequence: 2, timestamp: 160, payload: [1], time: 20, type: 0),
            Packet(sequence: 2, timestamp: 160, payload: [1], time: 20, type: 0),
            Packet(sequence: 3, timestamp: 320, payload: [1], time: 40, type: 13),
            Packet(sequence: 4, timestamp: 80_000, payload: [1], time: 60, type: 0),
            Packet(sequence: 30_000, timestamp: 80_160, payload: [1], time: 80, type: 0),
            Packet(sequence: 30_001, timestamp: 80_320, payload: [1], time: 100, type: 0),
        ]
        let news = try packets.map { try feed(&stream, $0) }
        #expect(
            news == [
                .started, [], .duplicate, .payloadTypeChange, [.payloadTypeChange, .timestampJump], .stray, .restart,
            ])
        #expect(stream.mainPayloadType == 0 && stream.packets == 7)
        #expect(stream.sequence.missing == 0)
        #expect(stream.countsByType.map(\.packets).reduce(0, +) == 7)
    }

    @Test("AAC access units are counted, fragments once")
    func aac() throws {
        var stream = MediaStream(ssrc: 0x0BAD_CAFE)
        stream.configure(
            payloadType: 96,
            as: MediaFormat(
                mediaType: "audio", encoding: "mpeg4-generic", clockRate: 44_100,
                parameters: "mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1210"))
        _ = try feed(
            &stream, Packet(sequence: 1, timestamp: 0, payload: [0, 32, 0, 0x10, 0, 0x08, 1, 2, 3], time: 0))
        for part in UInt16(2)...4 {
            _ = try feed(
                &stream, Packet(sequence: part, timestamp: 2_048, payload: [0, 16, 0x04, 0, 1, 2, 3], time: 40))
        }
        #expect(stream.frames == 3 && stream.faults[.accessUnitHeaders] == nil)
        _ = try feed(&stream, Packet(sequence: 5, timestamp: 4_096, payload: [0, 16, 0, 0x08, 1, 2], time: 80))
        #expect(stream.faults[.accessUnitHeaders]?.count == 1)
    }

    private static func place(_ nanoseconds: Int64) -> EventContext {
        let end = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 5_001)
        return EventContext(
            frame: 1, time: Timestamp(nanoseconds: nanoseconds), flow: 1, direction: .serverToClient, source: end,
            destination: end)
    }

    @Test("the round trip is the time between the reports minus the receiver's delay")
    func roundTrip() throws {
        // RFC 3550 figure 2: the report is sent at 46853.125 s and answered at 46864.5 s after a delay of 5.25 s.
        var words: [UInt32] = [1, 0xB44D_B705, 0x2000_0000, 0, 10, 1_000]
        words += [2, 0x4000_0003, 18_553, 90, 0xB705_2000, 0x0005_4000]
        let bytes = words.flatMap { word in [24, 16, 8, 0].map { UInt8(word >> UInt32($0) & 0xFF) } }
        var reader = ByteReader(bytes.rawSpan)
        let report = try SenderReport(&reader, count: 1)
        let block = try #require(report.reports.first)
        var reports = StreamReports()
        reports.observe(block, at: Self.place(0))
        #expect(reports.unknownLastReports == 1 && reports.roundTrips == 0)
        reports.observe(report, at: Self.place(1_000_000_000), packetsSeen: 10, octetsSeen: 1_000)
        reports.observe(block, at: Self.place(12_375_000_000))
        #expect(reports.lastRoundTrip == 6_125)
        #expect(reports.reportedLost == 3 && reports.fractionLost == 0x40)
    }

    @Test("arbitrary packets: no traps, bounded memory")
    func hostile() throws {
        var random = SeededGenerator(0x4D45_4449)
        for _ in 0..<60 {
            var stream = MediaStream(ssrc: 1)
            for type in [96, 97, 98, 99] as [UInt8] {
                stream.configure(
                    payloadType: type,
                    as: MediaFormat(
                        mediaType: "video", encoding: ["H264", "H265", "VP8", "mpeg4-generic"][Int(type) - 96],
                        clockRate: Int(truncatingIfNeeded: random.next()), parameters: "sizelength=13;indexlength=3"))
            }
            for _ in 0..<2_000 {
                var bytes = random.octets(12 + Int(random.next() % 60))
                bytes[0] = 0x80 | bytes[0] & 0x3F
                bytes[1] = 96 + bytes[1] & 0x87
                guard let header = try? RTPHeader(bytes.rawSpan) else { continue }
                let range = header.payloadRange
                let time = Timestamp(nanoseconds: Int64(truncatingIfNeeded: random.next()))
                let payload = bytes.rawSpan.clamped(range.lowerBound, range.upperBound)
                if stream.observe(header, payload: payload, time: time, frame: 1).contains(.gap) {
                    while stream.takeGap(at: time) != nil {}
                }
            }
            #expect(stream.countsByType.count <= 16)
            #expect(!RTPStreamDetails(stream).fields(.masked).isEmpty)
            _ = RTPStreamDetails(stream).summary
        }
    }
}
