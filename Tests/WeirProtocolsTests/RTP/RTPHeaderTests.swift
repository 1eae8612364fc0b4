import Testing
import WeirEngine
import WeirPackets
import WeirProtocols
import WeirTesting

@Suite("RTP header")
struct RTPHeaderTests {
    /// Marker, payload type 96, two CSRCs, a one-byte header extension of eight octets, three octets of payload,
    /// padding.
    static let full: [UInt8] = [
        0xB2, 0xE0, 0x48, 0x79,  // V=2 P X CC=2, M PT=96, sequence 18553
        0x00, 0x01, 0x51, 0x80,  // timestamp 86400
        0x1F, 0x2E, 0x3D, 0x4C,  // SSRC
        0x00, 0x00, 0x00, 0x01,  // CSRC 1
        0xDE, 0xAD, 0xBE, 0xEF,  // CSRC 2
        0xBE, 0xDE, 0x00, 0x02,  // one-byte form, two words
        0x10, 0xAA, 0x31, 0xBB,  // id 1, one octet; id 3, two octets
        0xCC, 0x00, 0x00, 0x00,  // …, padding
        0x65, 0x88, 0x84,  // payload
        0x00, 0x02,  // two octets of padding
    ]

    @Test("every member is read")
    func members() throws {
        let header = try RTPHeader(Self.full.rawSpan)
        #expect(header.marker && header.hasPadding && header.hasExtension)
        #expect(header.payloadType == 96)
        #expect(header.sequenceNumber == 18_553)
        #expect(header.timestamp == 86_400)
        #expect(header.ssrc == 0x1F2E_3D4C)
        let csrcs = header.csrcs(in: Self.full.rawSpan)
        #expect(csrcs == [1, 0xDEAD_BEEF])
        #expect(header.headerLength == 32)
        #expect(header.extensionRange == 24..<32)
        #expect(header.payloadRange == 32..<35)
        #expect(header.paddingLength == 2)
        let read = RTPHeaderExtension(header, in: Self.full.rawSpan)
        let elements = try #require(read).elements
        #expect(elements.map(\.id) == [1, 3])
        #expect(elements.map(\.data) == [[0xAA], [0xBB, 0xCC]])
    }

    @Test("the reader moves to the payload")
    func reader() throws {
        let bytes = [0xFF] + Self.full
        var reader = ByteReader(bytes.rawSpan)
        try reader.skip(1)
        let header = try RTPHeader(&reader)
        #expect(header.ssrc == 0x1F2E_3D4C)
        #expect(reader.peek() == 0x65)
    }

    @Test("a truncated packet has a header if the header is complete", arguments: 0..<37)
    func cut(length: Int) {
        let whole = Self.full.count
        let header = try? RTPHeader(Array(Self.full.prefix(length)).rawSpan, wireLength: whole)
        #expect((header != nil) == (length >= 32))
        // The last octet contains the padding length; if it is not captured, padding counts as payload.
        if let header { #expect(header.payloadLength == (length == whole ? 3 : 5)) }
    }

    @Test(
        "inconsistent lengths are an error",
        arguments: [
            ([0x40, 0x60] as [UInt8], "version 1 is not 2", 0),
            ([0x8F, 0x60], "15 CSRCs exceed the packet", 0),
            ([0x90, 0x60], "the header extension of 262140 octets exceeds the packet", 12),
        ])
    func errors(start: [UInt8], reason: String, offset: Int) {
        let bytes = start + [UInt8](repeating: 0xFF, count: 18)
        #expect {
            _ = try RTPHeader(bytes.rawSpan)
        } throws: { error in
            guard let error = error as? DecodeError, error.offset == offset else { return false }
            return error.kind == .malformed(reason) || error.kind == .unsupported(reason)
        }
    }

    @Test("invalid padding is remarked on, and the packet still counts", arguments: [0, 5, 255] as [UInt8])
    func invalidPadding(count: UInt8) throws {
        let bytes: [UInt8] = [0xA0, 0x60] + [UInt8](repeating: 0, count: 13) + [count]
        let header = try RTPHeader(bytes.rawSpan)
        #expect(header.hasInvalidPadding && header.paddingLength == 0 && header.payloadLength == 4)
    }

    @Test(
        "two-byte elements may be empty; identifier 15 ends the one-byte form",
        arguments: [
            ([0x10, 0x00, 0x00, 0x02, 5, 0, 6, 1, 0x77, 0, 7, 0] as [UInt8], [5, 6, 7] as [UInt8], true),
            ([0xBE, 0xDE, 0x00, 0x02, 0x10, 1, 0xF0, 2, 0x20, 3, 0, 0], [1], false),
            ([0xBE, 0xDE, 0x00, 0x01, 0x13, 1, 2, 3], [], false),
        ])
    func extensionForms(data: [UInt8], ids: [UInt8], isClean: Bool) throws {
        let bytes: [UInt8] = [0x90, 96] + [UInt8](repeating: 0, count: 10) + data
        let header = try RTPHeader(bytes.rawSpan)
        let optional = RTPHeaderExtension(header, in: bytes.rawSpan)
        let read = try #require(optional)
        #expect(read.elements.map(\.id) == ids)
        #expect((read.problem == nil) == isClean)
    }

    @Test("no mutation makes a range leave the packet")
    func fuzz() {
        var random = SeededGenerator(0x5254_5000)
        for _ in 0..<100_000 {
            var bytes = Self.full
            for _ in 0...Int(random.next() % 4) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            bytes.removeLast(Int(random.next() % UInt64(bytes.count + 1)))
            let extra = Int(random.next() % 40)
            guard let header = try? RTPHeader(bytes.rawSpan, wireLength: bytes.count + extra) else { continue }
            #expect(header.payloadLength >= 0 && header.headerLength <= bytes.count)
            #expect(header.payloadRange.upperBound + Int(header.paddingLength) == bytes.count + extra)
            #expect(header.extensionRange.lowerBound >= RTPHeader.fixedLength)
            _ = RTPPacket(header, bytes.rawSpan, format: .h264).fields(.masked)
        }
    }
}
