import Testing
import WeirPackets
import WeirTesting
@testable import WeirEngine
@testable import WeirProtocols

/// Dissectors are not asked about openings that start with a byte outside their set: their answer would be no.
@Suite struct FirstOctetsTests {
    private static func contents(_ first: UInt8, _ random: inout SeededGenerator) -> [[UInt8]] {
        [0, 3, 40, 300].map { count in
            [first] + (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        } + [[first] + Array("RTP/1.0 200 OK\r\nHTTP/1.1 {\"sdp\":1}\r\n\r\n".utf8)]
    }

    private static func flow(_ transport: TransportProtocol, port: UInt16) -> FlowContext {
        let address = IPAddress(ipv4: 0xC000_0201)
        return FlowContext(
            id: 1, transport: transport, client: Endpoint(address: address, port: 40_001),
            server: Endpoint(address: address, port: port))
    }

    @Test("a dissector does not recognize what starts with another byte", arguments: [TransportProtocol.tcp, .udp])
    func answersNo(_ transport: TransportProtocol) {
        var random = SeededGenerator(31)
        let none: [UInt8] = []
        let carrier = transport == .tcp ? Carrier.tcp : .udp
        for type in BuiltIn.dissectors where type.descriptor.carriers.contains(carrier) {
            for port in [40_002] + type.descriptor.ports.prefix(1) {
                let flow = Self.flow(transport, port: port)
                let octets = type.firstOctets(onUsualPort: port != 40_002)
                for first in UInt8.min ... .max where !octets.contains(first) {
                    for content in Self.contents(first, &random) {
                        let answers = [
                            type.probe(FirstBytes(client: content.rawSpan, server: none.rawSpan, flow: flow)),
                            type.probe(FirstBytes(client: none.rawSpan, server: content.rawSpan, flow: flow)),
                            type.probe(FirstBytes(client: content.rawSpan, server: content.rawSpan, flow: flow)),
                        ]
                        #expect(
                            answers == [.no, .no, .no], "\(type.descriptor.name), port \(port), first byte \(first)")
                    }
                }
            }
        }
    }

    @Test("a recognizer neither accepts nor remembers what it cannot begin with")
    func recognizersRefuse() {
        var random = SeededGenerator(32)
        let info = FrameInfo(
            number: 1, time: Timestamp(nanoseconds: 0), capturedLength: 60, originalLength: 60, linkType: .ethernet)
        for type in (BuiltIn.dissectors.compactMap { $0.recognizer }) {
            for first in UInt8.min ... .max {
                for content in Self.contents(first, &random) where !type.mayBegin(content.rawSpan) {
                    for isFirstRefused in [false, true] {
                        let recognizer = type.init(isFirstRefused: isFirstRefused)
                        let answer = recognizer.observe(
                            content.rawSpan, wireLength: content.count, .clientToServer, info)
                        #expect(answer == .no && recognizer.isEmpty, "\(type), first byte \(first)")
                    }
                }
            }
        }
    }

    @Test func setsOfBytes() {
        let octets = FirstOctets(ascii: "G\n").union(FirstOctets(0xFE...0xFF))
        #expect((UInt8.min ... .max).filter(octets.contains) == [0x0A, 0x47, 0xFE, 0xFF])
        #expect((UInt8.min ... .max).allSatisfy(FirstOctets.all.contains))
    }
}
