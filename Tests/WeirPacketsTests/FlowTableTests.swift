import Testing
import WeirPackets
import WeirTesting

@Suite struct FlowTableTests {
    static func endpoint(_ host: UInt32, _ port: UInt16) -> Endpoint {
        Endpoint(address: IPAddress(ipv4: 0x0A00_0000 | host), port: port)
    }

    static func seconds(_ value: Double) -> Timestamp { Timestamp(nanoseconds: Int64(value * 1e9)) }

    static func segment(_ sequence: UInt32, _ flags: TCPFlags) -> TCPSegment {
        TestSegment(sequence: sequence, flags: flags).header
    }

    let client = endpoint(1, 40_000)
    let server = endpoint(2, 554)

    @Test func bothDirectionsAreOneFlow() {
        var table = FlowTable()
        let first = table.find(source: client, destination: server, segment: nil, time: Self.seconds(1))
        let second = table.find(source: server, destination: client, segment: nil, time: Self.seconds(2))
        #expect(first.isNew && !second.isNew)
        #expect(first.index == second.index)
        #expect(first.direction == .clientToServer)
        #expect(second.direction == .serverToClient)
        table.count(first.index, first.direction, octets: 10)
        table.count(first.index, second.direction, octets: 20)
        table.count(first.index, second.direction, octets: 5)
        let flow = table[first.index]
        #expect(flow.id == 1)
        #expect(flow.client == client && flow.server == server)
        #expect(flow.packets == .init(clientToServer: 1, serverToClient: 2))
        #expect(flow.octets == .init(clientToServer: 10, serverToClient: 25))
        #expect(flow.startTime == Self.seconds(1) && flow.endTime == Self.seconds(2))
    }

    @Test func transportContextAndVersionTellFlowsApart() {
        var table = FlowTable()
        let here = Endpoint(address: IPAddress(ipv4: 1), port: 5)
        let there = Endpoint(address: IPAddress(ipv4: 2), port: 5)
        let here6 = Endpoint(address: IPAddress(ipv6High: 0, low: 1), port: 5)
        let there6 = Endpoint(address: IPAddress(ipv6High: 0, low: 2), port: 5)
        let time = Self.seconds(0)
        var ids: Set<Int> = []
        ids.insert(table.find(source: here, destination: there, segment: nil, time: time).index)
        ids.insert(table.find(source: here, destination: there, context: 7, segment: nil, time: time).index)
        ids.insert(table.find(source: here, destination: there, segment: Self.segment(1, .ack), time: time).index)
        ids.insert(table.find(source: here6, destination: there6, segment: nil, time: time).index)
        #expect(ids.count == 4)
        #expect(table.count == 4)
    }

    @Test func timesAtTheEndsOfTimeEndNothingTooEarly() {
        var table = FlowTable()
        let last = table.find(
            source: client, destination: server, segment: nil, time: Timestamp(nanoseconds: .max - 1))
        #expect(table.nextDeadline == Timestamp(nanoseconds: .max))
        #expect(table.idle(at: Self.seconds(1)).isEmpty)
        #expect(table.nextDeadline == Timestamp(nanoseconds: .max))
        let other = table.find(
            source: server, destination: Self.endpoint(3, 9), segment: nil, time: Timestamp(nanoseconds: .min))
        #expect(table.idle(at: Timestamp(nanoseconds: .max)) == [other.index])
        #expect(last.index != other.index)
    }

    @Test func aFlowToItselfIsOneFlow() {
        var table = FlowTable()
        let first = table.find(source: client, destination: client, segment: nil, time: Self.seconds(0))
        let second = table.find(source: client, destination: client, segment: nil, time: Self.seconds(0))
        #expect(first.index == second.index && !second.isNew)
    }

    static let openings: [(TCPFlags, Bool, Flow.Orientation)] = [
        (.syn, false, .handshake), ([.syn, .ack], true, .handshake), (.ack, true, .ports),
    ]

    @Test(arguments: openings)
    func theOpeningTellsClientAndServer(flags: TCPFlags, fromServer: Bool, orientation: Flow.Orientation) {
        var table = FlowTable()
        let found = table.find(
            source: fromServer ? server : client, destination: fromServer ? client : server,
            segment: Self.segment(1, flags), time: Self.seconds(0))
        #expect(table[found.index].client == client)
        #expect(table[found.index].orientation == orientation)
        #expect(found.direction == (fromServer ? .serverToClient : .clientToServer))
    }

    @Test func aNewSynBeginsANewFlow() {
        var table = FlowTable()
        func packet(_ sequence: UInt32, _ flags: TCPFlags, reply: Bool = false) -> FlowTable.Lookup {
            table.find(
                source: reply ? server : client, destination: reply ? client : server,
                segment: Self.segment(sequence, flags), time: Self.seconds(1))
        }
        let first = packet(100, .syn)
        #expect(packet(900, [.syn, .ack], reply: true).ended == nil)
        #expect(packet(101, .ack).ended == nil)
        #expect(packet(100, .syn).ended == nil, "the same SYN again is no new connection")
        table.close(first.index)
        let again = packet(5_000, .syn)
        #expect(again.isNew)
        #expect(again.ended == first.index)
        #expect(again.endReason == .portReuse)
        #expect(table[first.index].id == 1 && table[again.index].id == 2)
        table.remove(first.index)
        #expect(packet(5_001, .ack).index == again.index)
        #expect(table.count == 1)
    }

    @Test func aSecondAnswerToTheSameSynIsTheSameFlow() {
        var table = FlowTable()
        let syn = table.find(source: client, destination: server, segment: Self.segment(7, .syn), time: Self.seconds(1))
        for sequence in [100, 200] as [UInt32] {
            let answer = table.find(
                source: server, destination: client, segment: Self.segment(sequence, [.syn, .ack]),
                time: Self.seconds(1))
            #expect(answer.index == syn.index && !answer.isNew)
        }
    }

    @Test func aSynAfterDataWithoutAnOpeningIsANewFlow() {
        var table = FlowTable()
        let late = table.find(
            source: server, destination: client, segment: Self.segment(7, .ack), time: Self.seconds(1))
        table.count(late.index, late.direction, octets: 100)
        let syn = table.find(source: client, destination: server, segment: Self.segment(7, .syn), time: Self.seconds(1))
        #expect(syn.isNew && syn.ended == late.index)
    }

    @Test func aSynBehindItsAnswerIsTheSameFlow() {
        var table = FlowTable()
        let answer = table.find(
            source: server, destination: client, segment: Self.segment(7, [.syn, .ack]), time: Self.seconds(1))
        let syn = table.find(source: client, destination: server, segment: Self.segment(3, .syn), time: Self.seconds(1))
        #expect(!syn.isNew && syn.index == answer.index && syn.direction == .clientToServer)
    }

    @Test func idleFlowsAreFoundInTheOrderOfTheirFirstPackets() {
        var limits = Limits()
        limits.udpIdleSeconds = 10
        var table = FlowTable(limits: limits)
        for host in 0..<100 {
            _ = table.find(
                source: Self.endpoint(UInt32(host), 1), destination: server, segment: nil, time: Self.seconds(0))
        }
        #expect(table.nextDeadline == Self.seconds(10))
        #expect(table.idle(at: Self.seconds(10)).isEmpty)
        _ = table.find(source: Self.endpoint(7, 1), destination: server, segment: nil, time: Self.seconds(3))
        #expect(table.nextDeadline == Self.seconds(10), "it may be too early, never too late")
        let ended = table.idle(at: Self.seconds(11))
        #expect(ended.map { table[$0].id } == Array(1...100).filter { $0 != 8 })
        for index in ended { table.remove(index) }
        #expect(table.count == 1)
        #expect(table.nextDeadline == Self.seconds(13))
        for index in table.idle(at: Self.seconds(99)) { table.remove(index) }
        #expect(table.count == 0 && table.nextDeadline == nil)
    }

    @Test func anIdleFlowEndsWithItsNextPacketEvenWhenNobodyAsked() {
        var table = FlowTable()
        let first = table.find(source: client, destination: server, segment: nil, time: Self.seconds(0))
        let next = table.find(source: server, destination: client, segment: nil, time: Self.seconds(121))
        #expect(next.ended == first.index && next.endReason == .idle && next.isNew)
        #expect(next.direction == .clientToServer, "the first sender of the new flow is its client")
    }

    @Test func aConnectionWithoutDataEndsSooner() {
        var table = FlowTable()
        let silent = table.find(
            source: client, destination: server, segment: Self.segment(1, .syn), time: Self.seconds(0))
        let used = table.find(
            source: Self.endpoint(7, 1), destination: server, segment: Self.segment(1, .syn), time: Self.seconds(0))
        table.count(used.index, .clientToServer, octets: 1)
        #expect(table.idle(at: Self.seconds(120)).isEmpty)
        #expect(table.idle(at: Self.seconds(121)) == [silent.index])
        table.remove(silent.index)
        #expect(table.nextDeadline == Self.seconds(600))
    }

    @Test func closedFlowsLinger() {
        var table = FlowTable()
        let flow = table.find(
            source: client, destination: server, segment: Self.segment(1, .syn), time: Self.seconds(0))
        table.close(flow.index)
        #expect(table.nextDeadline == Self.seconds(5))
        #expect(table.idle(at: Self.seconds(4)).isEmpty)
        #expect(table.idle(at: Self.seconds(5.1)) == [flow.index])
    }

    @Test func theLimitEndsAFlowIdleForLong() {
        var limits = Limits()
        limits.flows = 10
        var table = FlowTable(limits: limits)
        for host in 0..<10 {
            let found = table.find(
                source: Self.endpoint(UInt32(host), 1), destination: server, segment: nil,
                time: Self.seconds(Double(host == 4 ? 0 : 1 + host)))
            #expect(found.ended == nil)
        }
        let oldest = table.find(source: Self.endpoint(4, 1), destination: server, segment: nil, time: Self.seconds(0))
        let more = table.find(source: Self.endpoint(77, 1), destination: server, segment: nil, time: Self.seconds(20))
        #expect(more.ended == oldest.index && more.endReason == .limit)
        #expect(table.count == 10)
    }

    /// Compares with a dictionary, with many removals; independent of the hash seed.
    @Test func itAgreesWithADictionary() {
        var random = SeededGenerator(11)
        var tables = [FlowTable(seed: 1), FlowTable(seed: 0), FlowTable(seed: .max)]
        var model: [UInt32: Int] = [:]
        var born = 0
        for step in 0..<30_000 {
            let host = UInt32.random(in: 0..<3_000, using: &random)
            let time = Self.seconds(Double(step) / 1_000)
            var indices: Set<Int> = []
            for table in tables.indices {
                let found = tables[table].find(
                    source: Self.endpoint(host, 9), destination: server, segment: nil, time: time)
                #expect(found.isNew == (model[host] == nil))
                indices.insert(found.index)
                #expect(tables[table][found.index].id == model[host] ?? born + 1)
            }
            #expect(indices.count == 1, "an index depends on the seed")
            if model[host] == nil {
                born += 1
                model[host] = born
            }
            if random.chance(2), let index = indices.first {
                for table in tables.indices { tables[table].remove(index) }
                model[host] = nil
            }
        }
        for table in tables {
            #expect(table.count == model.count)
            #expect(table.total == born)
            #expect(table.remaining().map { table[$0].id } == model.values.sorted())
        }
    }
}
