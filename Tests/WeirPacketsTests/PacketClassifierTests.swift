import Testing
import WeirPackets
import WeirTesting

/// Packets recognized by the headers of an earlier packet.
@Suite struct PacketClassifierTests {
    private typealias Build = PacketBuilder

    /// A packet after 40 usual ones of the same flow, which only some octets distinguish from them.
    struct Variant: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isTCP: Bool
        let change: @Sendable (inout [UInt8]) -> Void
        var cut = 0
    }

    private static let variants: [Variant] =
        [false, true].flatMap { isTCP in
            [
                Variant(testDescription: "usual", isTCP: isTCP) { _ in },
                Variant(testDescription: "wrong checksum", isTCP: isTCP) { $0[$0.count - 1] ^= 1 },
                Variant(testDescription: "wrong IP checksum", isTCP: isTCP) { $0[24] ^= 1 },
                Variant(testDescription: "fragment", isTCP: isTCP) { change(&$0, at: 20, to: 0x20) },
                Variant(testDescription: "other hop limit", isTCP: isTCP) { change(&$0, at: 22, to: 9) },
                Variant(testDescription: "other service", isTCP: isTCP) { change(&$0, at: 15, to: 0xB8) },
                Variant(testDescription: "no identification", isTCP: isTCP) {
                    change(&$0, at: 18, to: 0)
                    change(&$0, at: 19, to: 0)
                },
                Variant(testDescription: "other sender address", isTCP: isTCP) { $0[11] ^= 1 },
                Variant(testDescription: "other receiver address", isTCP: isTCP) { $0[0] ^= 2 },
                Variant(testDescription: "other EtherType", isTCP: isTCP) { $0[13] = 6 },
                Variant(testDescription: "longer than the frame", isTCP: isTCP) { change(&$0, at: 17, to: 0xFF) },
                Variant(testDescription: "shorter than its headers", isTCP: isTCP) { change(&$0, at: 17, to: 24) },
                Variant(testDescription: "other port", isTCP: isTCP) { $0[35] ^= 1 },
                Variant(testDescription: "padding", isTCP: isTCP) { $0 += [0, 0, 0] },
                Variant(testDescription: "cut", isTCP: isTCP, change: { $0.removeLast(4) }, cut: 4),
            ]
        } + [
            Variant(testDescription: "no checksum", isTCP: false) { ($0[40], $0[41]) = (0, 0) },
            Variant(testDescription: "longer than the packet", isTCP: false) { $0[39] = 0xF0 },
            Variant(testDescription: "shorter than its header", isTCP: false) { $0[39] = 7 },
            Variant(testDescription: "SYN", isTCP: true) { $0[47] |= 2 },
            Variant(testDescription: "RST", isTCP: true) { $0[47] |= 4 },
            Variant(testDescription: "short header", isTCP: true) { $0[46] = 0x40 },
            Variant(testDescription: "long header", isTCP: true) { $0[46] = 0xF0 },
        ]

    /// Changes an octet of the IP header and corrects its checksum.
    private static func change(_ frame: inout [UInt8], at offset: Int, to octet: UInt8) {
        frame[offset] = octet
        (frame[24], frame[25]) = (0, 0)
        frame.put16(Build.checksum(Array(frame[14..<34])), at: 24)
    }

    private static func frame(_ number: Int, isTCP: Bool, isFromClient: Bool) -> [UInt8] {
        let payload = Array("payload \(number) of twenty octets and more".utf8)
        let ends = isFromClient ? (Build.client, Build.server) : (Build.server, Build.client)
        return Build.ethernet(
            isTCP
                ? Build.tcp(payload, from: ends.0, to: ends.1) : Build.udp(payload, from: ends.0, to: ends.1))
    }

    private static func info(_ octets: [UInt8], _ number: Int, cut: Int = 0) -> FrameInfo {
        FrameInfo(
            number: number, time: Timestamp(nanoseconds: Int64(number) * 1_000_000), capturedLength: octets.count,
            originalLength: octets.count + cut, linkType: .ethernet)
    }

    /// Every packet has the same unit and flow as one that was decoded and looked up.
    @Test(arguments: variants, [false, true])
    func isClassifiedAsIfDecoded(_ variant: Variant, isSummed: Bool) throws {
        var classifier = PacketClassifier(limits: Limits(), verifyChecksums: true)
        var decoder = PacketDecoder()
        var table = FlowTable()
        for number in 1...41 {
            var octets = Self.frame(number, isTCP: variant.isTCP, isFromClient: number % 3 != 0)
            var cut = 0
            if number == 41 {
                octets = Self.frame(number, isTCP: variant.isTCP, isFromClient: true)
                variant.change(&octets)
                cut = variant.cut
            }
            let info = Self.info(octets, number, cut: cut)
            if isSummed {
                let sum = OctetSum(octets.rawSpan)
                classifier.sum = (number, try #require(sum))
            }
            let frame = Frame(info: info, bytes: octets.rawSpan)
            let isUnit = classifier.take(frame.info, frame.bytes)
            classifier.complete(frame)
            guard case .transport(let unit) = decoder.decode(frame) else {
                #expect(!isUnit)
                continue
            }
            #expect(isUnit)
            let found = table.find(
                source: unit.source, destination: unit.destination, context: unit.context,
                segment: unit.transport == .tcp ? unit.tcp : nil, time: info.time)
            table.count(found.index, found.direction, octets: unit.payload.count + unit.missingOctets)
            #expect(classifier.lookup.index == found.index)
            #expect(classifier.lookup.direction == found.direction)
            #expect(classifier.lookup.isNew == found.isNew)
            #expect("\(classifier.decoder.unit)" == "\(unit)")
            // What the analyzer makes of an unrecognized flow.
            if number == 1 { classifier.table[found.index].path.turn(to: .ignored) }
        }
        let errors = decoder.counters.tcpChecksumErrors + decoder.counters.udpChecksumErrors
        #expect(classifier.checksumErrors == Int(errors))
        #expect(classifier.table.remaining() == table.remaining())
        for index in table.remaining() {
            #expect(classifier.table[index].packets == table[index].packets)
            #expect(classifier.table[index].octets == table[index].octets)
        }
    }

    /// A flow that ended is not found by the headers of its packets.
    @Test func endedFlowsAreForgotten() {
        var classifier = PacketClassifier(limits: Limits(), verifyChecksums: true)
        func take(_ number: Int) -> FlowTable.Lookup {
            let octets = Self.frame(number, isTCP: false, isFromClient: true)
            _ = classifier.take(Self.info(octets, number), octets.rawSpan)
            return classifier.lookup
        }
        let first = take(1)
        classifier.table[first.index].path.turn(to: .ignored)
        #expect(!take(2).isNew)
        #expect(!take(3).isNew)
        classifier.table.remove(first.index)
        #expect(take(4).isNew)
        #expect(classifier.table.total == 2)
    }
}
