import CaptureTesting
import Testing
import WeirEngine
import WeirKit
import WeirPackets

@testable import WeirProtocols

/// What the data packets of an SRT connection show: order, duplicates, packets of a filter, and connections on the same
/// ports.
@Suite("SRT streams")
struct SRTStreamTests {
    typealias Packets = SRTPacketRuleTests

    private func number(_ name: String, _ stream: StreamRecord) -> Int? {
        for field in stream.details.fields(.masked) where field.name == name {
            if case .integer(let value) = field.value { return value }
        }
        return nil
    }

    @Test("A packet that a later one overtook is not lost")
    func reordered() throws {
        let result = Packets.analyzed([7, 9, 8, 10].map { Packets.data($0) })
        let stream = try #require(result.streams.first)
        #expect(number("lost", stream) == 0 && number("reordered", stream) == 1 && number("recovered", stream) == 0)
        #expect(number("packets", stream) == 4)
    }

    @Test("A retransmission of a packet that came by itself is not too late")
    func redundant() throws {
        let packets = [
            Packets.data(7), Packets.data(9), Packets.nak(8), Packets.data(8), Packets.data(8, again: true, after: 1),
        ]
        let stream = try #require(Packets.analyzed(packets).streams.first)
        #expect(number("retransmitted", stream) == 1 && number("tooLate", stream) == nil)
        #expect(number("reordered", stream) == 1)
    }

    @Test("A packet that comes after its retransmission was not lost")
    func behindRetransmission() throws {
        let packets = [Packets.data(7), Packets.data(9), Packets.nak(8), Packets.data(8, again: true), Packets.data(8)]
        let stream = try #require(Packets.analyzed(packets).streams.first)
        #expect(number("lost", stream) == 0 && number("recovered", stream) == 0 && number("reordered", stream) == 1)
        #expect(number("duplicates", stream) == nil)
    }

    @Test("A retransmission fills a loss")
    func recovered() throws {
        let packets = [Packets.data(7), Packets.data(9), Packets.nak(8), Packets.data(8, again: true)]
        let stream = try #require(Packets.analyzed(packets).streams.first)
        #expect(number("lost", stream) == 1 && number("recovered", stream) == 1 && number("reordered", stream) == nil)
    }

    @Test("Duplicates of the network are counted apart")
    func duplicates() throws {
        let result = Packets.analyzed([7, 8, 8, 9].map { Packets.data($0) })
        let stream = try #require(result.streams.first)
        #expect(number("packets", stream) == 3 && number("duplicates", stream) == 1)
        #expect(Packets.verdicts(result) == [])
    }

    @Test("Packets of the packet filter are not data")
    func filter() throws {
        let packets = [
            Packets.data(7), Packets.data(8), Packets.data(8, message: 0), Packets.data(9), Packets.data(9, message: 0),
        ]
        let result = Packets.analyzed(packets)
        let stream = try #require(result.streams.first)
        #expect(number("packets", stream) == 3 && number("filterPackets", stream) == 2)
        #expect(number("lost", stream) == 0 && Packets.verdicts(result) == [])
    }

    @Test("A connection after another on the same ports is a session of its own")
    func second() throws {
        let packets =
            [Packets.data(7), Packets.data(8), Packets.shutdown] + Packets.handshakes(199, 198)
            + [7, 8, 9].map { Packets.data($0, socket: 198) }
        let result = Packets.analyzed(packets, closes: false)
        #expect(result.sessions.map(\.record.kind) == ["srt", "srt"])
        #expect(result.streams.sorted { $0.id < $1.id }.map { number("packets", $0) } == [2, 3])
        #expect(Packets.verdicts(result) == [])
    }

    @Test("Two connections at once on the same ports are told apart by their sockets")
    func together() throws {
        let packets =
            [Packets.data(7), Packets.data(8)] + Packets.handshakes(199, 198)
            + (9..<14).flatMap { [Packets.data($0), Packets.data($0 - 2, socket: 198)] }
        let result = Packets.analyzed(packets, closes: false)
        #expect(result.streams.sorted { $0.id < $1.id }.map { number("packets", $0) } == [7, 5])
        #expect(result.streams.allSatisfy { number("lost", $0) == 0 } && Packets.verdicts(result) == [])
    }

    @Test("A repeated handshake does not begin another connection")
    func repeated() throws {
        let again = Packets.handshakes(99, 98)
        let result = Packets.analyzed([again[2], again[3], Packets.data(7)])
        #expect(result.sessions.count == 1)
    }

    @Test("A handshake that was cut is read as far as it was captured")
    func cut() throws {
        let whole = Packets.handshakes(99, 98)[2].octets
        for length in 64..<whole.count {
            let packet = try SRTPacket(Array(whole[..<length]).rawSpan, wireLength: whole.count)
            guard case .handshake(let handshake) = packet.content else { return #expect(Bool(false)) }
            #expect(handshake.isCut && handshake.kind == .conclusion && handshake.parameters == nil)
        }
        #expect(throws: DecodeError.self) { try SRTPacket(Array(whole[..<70]).rawSpan, wireLength: 70) }
    }
}
