import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

/// Sample packets.
private enum Wire {
    static let senderReport: [UInt8] = [
        0x81, 0xC8, 0x00, 0x0C,  // V=2 RC=1, SR, 13 words
        0x1F, 0x2E, 0x3D, 0x4C,  // SSRC
        0xB4, 0x4D, 0xB7, 0x05, 0x20, 0x00, 0x00, 0x00,  // NTP: 10 Nov 1995 11:33:25.125, RFC 3550 figure 2
        0x00, 0x01, 0x51, 0x80,  // RTP timestamp 86400
        0x00, 0x00, 0x00, 0x26,  // 38 packets
        0x00, 0x00, 0xA1, 0x12,  // 41234 octets
        0x0B, 0xAD, 0xCA, 0xFE,  // about SSRC
        0x40, 0xFF, 0xFF, 0xFE,  // fraction lost 64/256, cumulative -2
        0x00, 0x01, 0x48, 0x79,  // one wrap, highest 18553
        0x00, 0x00, 0x00, 0x5A,  // jitter 90
        0xB7, 0x05, 0x20, 0x00,  // LSR 46853.125
        0x00, 0x05, 0x40, 0x00,  // DLSR 5.250 s
    ]
    static let description: [UInt8] = [
        0x81, 0xCA, 0x00, 0x04,  // V=2 SC=1, SDES, 5 words
        0x1F, 0x2E, 0x3D, 0x4C,  // SSRC
        0x01, 0x06, 0x77, 0x65, 0x69, 0x72, 0x40, 0x61,  // CNAME "weir@a"
        0x00, 0x00, 0x00, 0x00,  // end
    ]
    static let bye: [UInt8] = [0x81, 0xCB, 0, 3, 0x1F, 0x2E, 0x3D, 0x4C, 4, 0x64, 0x6F, 0x6E, 0x65, 0, 0, 0]
    static let nack: [UInt8] = [0x81, 0xCD, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0xFF, 0xFF, 0x80, 0x01]
    static let pli: [UInt8] = [0x81, 0xCE, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2]
    static let fir: [UInt8] = [0x84, 0xCE, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 7, 0, 0, 0]
    static let remb: [UInt8] = [
        0x8F, 0xCE, 0, 5, 0, 0, 0, 1, 0, 0, 0, 0, 0x52, 0x45, 0x4D, 0x42, 0x01, 0x0B, 0xD0, 0x90, 0, 0, 0, 2,
    ]
    static let extended: [UInt8] = [
        0x80, 0xCF, 0, 8, 0, 0, 0, 1,  // XR of SSRC 1
        4, 0, 0, 2, 0xB4, 0x4D, 0xB7, 0x05, 0x20, 0, 0, 0,  // receiver reference time
        5, 0, 0, 3, 0, 0, 0, 2, 0xB7, 0x05, 0x20, 0x00, 0, 5, 0x40, 0,  // DLRR
    ]
    static let compound = senderReport + description + bye + nack + pli + fir + remb + extended
}

@Suite("RTCP")
struct RTCPTests {
    @Test("source descriptions that repeat the one before, or differ from it in any octet or its length")
    func repeatedDescriptions() {
        let body = Array(Wire.description.dropFirst(4))
        var variants = (4..<Wire.description.count).map { index in
            var octets = Wire.description
            octets[index] ^= 3
            return octets
        }
        variants.append(Wire.description)
        variants.append([0x81, 0xCA, 0, 5] + body + [0, 0, 0, 0])
        variants.append([0x82, 0xCA, 0, 7] + body + [0, 0, 0, 9, 0, 0, 0, 0])
        let known = RecentDescriptions()
        func texts(_ octets: [UInt8], _ known: RecentDescriptions?) -> [String] {
            let compound = RTCPCompound((Wire.senderReport + octets).rawSpan, known: known)
            return compound.elements.map { "\($0)" } + ["\(String(describing: compound.problem))"]
        }
        for variant in variants {
            for octets in [Wire.description, variant, variant] {
                #expect(texts(octets, known) == texts(octets, nil))
            }
        }
    }

    @Test("messages of RIST: range NACKs, round-trip time requests and responses, and what is incomplete")
    func rist() throws {
        func message(_ octets: [UInt8]) throws -> ApplicationDefined {
            let compound = RTCPCompound((Wire.senderReport + octets).rawSpan)
            guard case .application(let packet)? = compound.elements.last?.packet else {
                throw DecodeError(.malformed("no APP packet"), layer: "RTCP", offset: 0)
            }
            return packet
        }
        let name: [UInt8] = [0, 0, 0, 2, 0x52, 0x49, 0x53, 0x54]
        let nack = try message([0x80, 0xCC, 0, 4] + name + [0xFF, 0xFF, 0, 1, 0, 9, 0, 0])
        #expect(nack.rist == .rangeNACK([65_535, 0, 9]))
        #expect(nack.summary(.masked) == "RIST NACK: SSRC 0x00000002, requests seq 65535, 0, 9")
        let most = try message([0x80, 0xCC, 0, 4] + name + [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        guard case .rangeNACK(let numbers)? = most.rist else {
            throw DecodeError(.malformed("no NACK"), layer: "RTCP", offset: 0)
        }
        #expect(numbers.count == 8_192)
        let echo = [UInt8](repeating: 1, count: 8)
        #expect(
            try message([0x82, 0xCC, 0, 5] + name + echo + [0, 0, 0, 0]).rist
                == .echoRequest(timestamp: 0x0101_0101_0101_0101))
        let answer = try message([0x83, 0xCC, 0, 5] + name + echo + [0, 0, 0x07, 0xD0])
        #expect(answer.rist == .echoResponse(timestamp: 0x0101_0101_0101_0101, delay: 2_000))
        #expect(answer.summary(.masked) == "RIST round-trip time response, after 2.0 ms")
        #expect(try message([0x83, 0xCC, 0, 3] + name + [0, 0, 0, 1]).rist == nil)
        #expect(try message([0x81, 0xCC, 0, 3] + name + [0, 0, 0, 1]).rist == nil)
        #expect(try message([0x80, 0xCC, 0, 3, 0, 0, 0, 2] + Array("XYZW".utf8) + [0, 9, 0, 0]).rist == nil)
    }

    @Test("a sender report's figures")
    func senderReport() throws {
        let compound = RTCPCompound(Wire.senderReport.rawSpan)
        guard case .senderReport(let report) = try #require(compound.elements.first).packet else {
            Issue.record("no sender report")
            return
        }
        #expect(report.middleNTP == 0xB705_2000)
        #expect(report.packetCount == 38 && report.octetCount == 41_234)
        let block = try #require(report.reports.first)
        #expect(block.cumulativeLost == -2 && block.percentLost == 25 && block.delaySeconds == 5.25)
        #expect(
            report.summary(.masked)
                == "sender report: NTP 1995-11-10 11:33:25.125 = RTP 86400, 38 packets, 41\u{a0}234 octets; "
                + "SSRC 0x0badcafe: 25.0 % lost since the last report, -2 in total, highest seq 18553, "
                + "jitter 90 timestamp units")
    }

    @Test("all packets of a compound, in order")
    func everyType() throws {
        let compound = RTCPCompound(Wire.compound.rawSpan)
        #expect(compound.problem == nil && !compound.isEncrypted)
        #expect(
            compound.elements.map(\.packet.message.kind) == [
                "senderReport", "sourceDescription", "bye", "transportFeedback", "payloadFeedback", "payloadFeedback",
                "payloadFeedback", "extendedReport",
            ])
        let summaries = compound.elements.map { $0.packet.message.summary(.masked) }
        #expect(summaries[1] == "source description: SSRC 0x1f2e3d4c is CNAME weir@a")
        #expect(summaries[2] == "goodbye from SSRC 0x1f2e3d4c: done")
        #expect(summaries[3] == "NACK: SSRC 0x00000002, requests seq 65535, 0, 15")
        #expect(summaries[4] == "PLI: picture loss in SSRC 0x00000002")
        #expect(summaries[5] == "FIR: requests a key frame of SSRC 0x00000002 (number 7)")
        #expect(summaries[6] == "REMB: at most 1\u{a0}000 kbit/s from SSRC 0x00000002")
        #expect(summaries[7] == "extended report: receiver reference time, DLRR")
    }

    @Test("a truncated compound keeps the packets before the cut", arguments: 0...Wire.compound.count)
    func cut(length: Int) {
        let whole = RTCPCompound(Wire.compound.rawSpan)
        let part = RTCPCompound(Array(Wire.compound.prefix(length)).rawSpan)
        let complete = whole.elements.filter { $0.range.upperBound <= length }
        #expect(part.elements.map(\.range) == complete.map(\.range))
        #expect((part.problem == nil) == (complete.last?.range.upperBound ?? 0 == length))
        if let problem = part.problem { #expect(problem.offset <= length) }
    }

    @Test("a malformed packet does not hide the next one")
    func brokenInside() {
        var bytes = Wire.description + Wire.bye
        bytes[9] = 0xFF  // the CNAME claims 255 octets
        let compound = RTCPCompound(bytes.rawSpan)
        #expect(compound.elements.map(\.packet.message.kind) == ["bye"])
        #expect(compound.problem?.offset == 10)
    }

    @Test("an encrypted compound is recognized by its trailer; its body is not parsed")
    func encrypted() {
        var random = SeededGenerator(3)
        var bytes: [UInt8] = [0x80, 0xC8, 0, 6, 1, 2, 3, 4] + random.octets(20)
        bytes += [0x13] + random.octets(19)  // SDES, encrypted: no version 2
        bytes += [0x80, 0, 0, 9] + random.octets(10)  // E and index, authentication tag
        let compound = RTCPCompound(bytes.rawSpan)
        #expect(compound.isEncrypted && compound.problem == nil)
        #expect(compound.elements.map { $0.packet.message.kind } == ["senderReport"])
        #expect(compound.elements.first?.packet.ssrc == 0x0102_0304)
        #expect(compound.elements.first?.packet.reportBlocks.isEmpty == true)
        let isRecognised = RTCPDissector.looksLikeRTCP(bytes.rawSpan)
        #expect(isRecognised)
    }

    @Test("ciphertext with a trailer of the application's own is recognized by implausible figures")
    func encryptedOtherwise() {
        var random = SeededGenerator(7)
        // A receiver report with one encrypted block, followed by something other than an RTCP header.
        var bytes: [UInt8] = [0x81, 0xC9, 0, 7, 1, 2, 3, 4] + random.octets(24)
        bytes[20] = 0xA1  // a jitter of half an hour
        bytes += [0x13] + random.octets(19)
        let compound = RTCPCompound(bytes.rawSpan)
        #expect(compound.isEncrypted && compound.problem == nil)
        #expect(compound.elements.first?.packet.reportBlocks.isEmpty == true)
        let isRecognised = RTCPDissector.looksLikeRTCP(bytes.rawSpan)
        #expect(!isRecognised)  // not by itself, without media on the port
        // The same report with plausible values stays readable, whatever follows.
        let plain = RTCPCompound((Wire.senderReport + [0x13] + random.octets(19)).rawSpan)
        #expect(!plain.isEncrypted && plain.elements.count == 1 && plain.problem != nil)
    }

    @Test("a length larger than any datagram is ciphertext, not truncation")
    func encryptedAfterEmptyReport() {
        let bytes: [UInt8] =
            [0x80, 0xC9, 0, 1, 1, 2, 3, 4, 0x80, 0xC9, 0xFF, 0xFF, 9, 9, 9, 9] + [0x80, 0, 0, 9]
            + [UInt8](repeating: 7, count: 10)
        #expect(RTCPCompound(bytes.rawSpan).isEncrypted)
    }

    @Test("RTCP and RTP on one port are distinguished by the second octet (RFC 5761 §4)")
    func muxed() {
        for octet in UInt8.min...UInt8.max {
            #expect(RTCPPacket.isRTCP(secondOctet: octet) == (192...223).contains(octet))
        }
    }

    @Test(
        "NTP times",
        arguments: [
            (0x83AA_7E80_0000_0000, "1970-01-01 00:00:00.000"), (0xDB55_3CEE_8000_0000, "2016-08-10 05:41:02.500"),
            (0xFFFF_FFFF_FFFF_FFFF, "2036-02-07 06:28:15.999"), (0x0000_0003_4000_0000, "3.250 s"),
        ] as [(UInt64, String)])
    func ntp(value: UInt64, text: String) {
        #expect(NTPTime(value).description == text)
    }

    @Test("no mutation traps, and ranges stay inside")
    func fuzz() {
        var random = SeededGenerator(0x5254_4350)
        for _ in 0..<100_000 {
            var bytes = Wire.compound
            for _ in 0...Int(random.next() % 6) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            bytes.removeLast(Int(random.next() % UInt64(bytes.count + 1)))
            let compound = RTCPCompound(bytes.rawSpan)
            for element in compound.elements {
                #expect(element.range.upperBound <= bytes.count)
                if random.chance(16) { _ = element.packet.message.fields(.masked) }
                _ = element.packet.message.summary(.masked).isEmpty
            }
        }
    }
}
