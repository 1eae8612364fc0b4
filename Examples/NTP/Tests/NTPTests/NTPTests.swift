import NTP
import Testing
import WeirKit

/// A request of ntpdig and the answer of chrony: frames 1 and 2 of Captures/ntp/ntp.pcap.
private let question: [UInt8] =
    [0xE3, 0, 0, 0]  // leap 3, version 4, mode 3
    + Array(repeating: 0, count: 36) + [0xEE, 0xAB, 0xB3, 0xB3, 0x9E, 0xE7, 0xB8, 0x00]
private let answer: [UInt8] = [
    0x24, 3, 0, 0xE6,  // leap 0, version 4, mode 4; stratum 3; poll 0; precision -26
    0, 0, 0, 0, 0, 0, 0, 0, 127, 127, 1, 1,  // root delay, root dispersion, reference ID
    0xEE, 0xAB, 0xB3, 0xB2, 0x97, 0x8C, 0xAF, 0x43,  // reference
    0xEE, 0xAB, 0xB3, 0xB3, 0x9E, 0xE7, 0xB8, 0x00,  // origin: the request's transmit timestamp
    0xEE, 0xAB, 0xB3, 0xB3, 0x9E, 0xFA, 0x14, 0x35,  // receive
    0xEE, 0xAB, 0xB3, 0xB3, 0x9F, 0x17, 0xDD, 0xB6,  // transmit
]

private let flow = FlowContext(
    id: 1, transport: .udp,
    client: Endpoint(address: IPAddress(ipv4: 0x0A4D_0001), port: 47_814),
    server: Endpoint(address: IPAddress(ipv4: 0x0A4D_0002), port: 123))

/// The summaries of datagrams, prefixed with their remarks.
private func read(_ datagrams: [(Direction, [UInt8])]) throws(DissectionError) -> [String] {
    var dissector = NTPDissector(flow: flow)
    let outlet = Outlet()
    for (direction, octets) in datagrams { _ = try dissector.read(octets.rawSpan, direction, outlet) }
    return outlet.items.compactMap { item in
        switch item {
        case .message(let message, _): message.summary(.masked)
        case .remark(let remark): remark.text.key
        default: nil
        }
    }
}

private func probe(_ octets: [UInt8]) -> ProbeAnswer {
    let nothing: [UInt8] = []
    return NTPDissector.probe(FirstBytes(client: octets.rawSpan, server: nothing.rawSpan, flow: flow))
}

@Suite struct NTPTests {
    @Test func everyFieldIsRead() throws {
        let header = try NTPHeader(answer.rawSpan)
        #expect(header.mode == .server && header.version == 4 && header.leap == 0 && header.isSynchronized)
        #expect(header.stratum == 3 && header.poll == 0 && header.precision == -26)
        #expect(header.referenceName == "127.127.1.1" && header.kissCode == nil)
        #expect(header.origin == (try NTPHeader(question.rawSpan)).transmit)
        #expect(header.transmit.description == "2026-11-21 06:07:47.621")
    }

    @Test func cutAnywhereItIsAnErrorAndNeverATrap() {
        for length in 0..<answer.count {
            #expect(throws: DecodeError.self) { try NTPHeader(Array(answer.prefix(length)).rawSpan) }
        }
    }

    @Test func aKissOfDeathNamesItsCode() throws {
        var octets = answer
        octets[1] = 0
        octets.replaceSubrange(12..<16, with: Array("RATE".utf8))
        #expect(try NTPHeader(octets.rawSpan).kissCode == "RATE")
        #expect(try read([(.serverToClient, octets)]) == ["server answers, version 4, kiss code RATE"])
    }

    @Test func anAnswerToTheQuestionIsNotRemarkedOn() throws {
        #expect(
            try read([(.clientToServer, question), (.serverToClient, answer)]) == [
                "client asks, version 4", "server answers, version 4, stratum 3 (127.127.1.1), 2026-11-21 06:07:47.621",
            ])
    }

    @Test func theSamePacketTwiceIsADuplicate() throws {
        let said = try read([(.clientToServer, question), (.clientToServer, question)])
        #expect(said == ["client asks, version 4", "ntp.remark.again", "client asks, version 4"])
    }

    @Test func controlMessagesAreRefused() {
        #expect(throws: DissectionError.self) { try read([(.clientToServer, [0x26] + question.dropFirst())]) }
    }

    @Test(arguments: [
        [0x80] + question.dropFirst(),  // RTP: version 2 in the upper bits is version 0 here
        [0xE3, 17] + question.dropFirst(2),  // a reserved stratum
        [0xE3, 0, 0, 0, 0x40] + question.dropFirst(5),  // a root delay of 16384 s
        Array(question.dropLast()), question + [0],
    ])
    func whatIsNotNTPIsLeftAlone(_ octets: [UInt8]) {
        guard case .no = probe(octets) else {
            Issue.record("taken for NTP: \(octets)")
            return
        }
    }

    @Test(arguments: [question, answer])
    func bothSidesAreRecognised(_ octets: [UInt8]) {
        guard case .yes = probe(octets) else {
            Issue.record("not recognised: \(octets)")
            return
        }
    }
}
