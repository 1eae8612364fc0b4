import Testing
import WeirPackets

/// Segments in an order other than that of transmission.
@Suite struct TCPOrderTests {
    @Test func anAcknowledgementReleasesTheOtherSideFirst() {
        var harness = TCPConnectionTests.opened()
        harness.feed(TCPConnectionTests.client(103, "def"))
        harness.feed(TCPConnectionTests.server(ack: 106, at: 60))
        var connection = harness.connection
        var budget = harness.budget
        var answer = TCPConnectionTests.server(ack: 106, at: 500)
        answer.payload = [9]
        _ = connection.accept(
            answer.header, payload: answer.payload.rawSpan, direction: .serverToClient,
            time: Timestamp(nanoseconds: 500_000_000), frame: 9, budget: &budget)
        var order: [Direction] = []
        while let delivery = connection.next(budget: &budget) { order.append(delivery.direction) }
        #expect(order == [.clientToServer, .clientToServer, .serverToClient])
    }

    /// A request whose answer acknowledges it is missing; the next request and its answer are captured.
    @Test func answersWaitForWhatTheyMayAnswer() {
        var connection = TCPConnection()
        var budget = OctetBudget.gaps(Limits())
        var handedOn: [String] = []
        func feed(_ segment: TestSegment, frame: Int) {
            _ = connection.accept(
                segment.header, payload: segment.payload.rawSpan, direction: segment.direction,
                time: Timestamp(nanoseconds: Int64(segment.milliseconds) * 1_000_000), frame: frame, budget: &budget)
            while let delivery = connection.next(budget: &budget) {
                switch delivery.content {
                case .fresh(let range): handedOn.append(String(decoding: segment.payload[range], as: UTF8.self))
                case .buffered(let octets, _, _): handedOn.append(String(decoding: octets, as: UTF8.self))
                case .gap(let octets, _): handedOn.append("-\(octets)")
                }
            }
        }
        feed(TestSegment(sequence: 99, flags: .syn), frame: 1)
        feed(TestSegment(direction: .serverToClient, sequence: 499, acknowledgment: 100, flags: .syn), frame: 2)
        let first = TestSegment(
            direction: .serverToClient, sequence: 500, acknowledgment: 103, payload: Array("A".utf8), milliseconds: 1)
        let request = TestSegment(sequence: 103, acknowledgment: 501, payload: Array("bcd".utf8), milliseconds: 2)
        let second = TestSegment(
            direction: .serverToClient, sequence: 501, acknowledgment: 106, payload: Array("B".utf8), milliseconds: 3)
        feed(first, frame: 4)
        feed(request, frame: 5)
        feed(second, frame: 6)
        #expect(handedOn == [])
        feed(TestSegment(sequence: 106, acknowledgment: 502, milliseconds: 60), frame: 7)
        #expect(handedOn == ["-3", "A", "bcd", "B"])
    }

    /// Two requests and two answers, each acknowledging the previous one, in a different file order.
    @Test(arguments: [
        [0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 1, 0, 3], [2, 3, 0, 1], [3, 0, 1, 2], [1, 3, 0, 2],
    ])
    func whatAnswersComesBehindWhatItAnswers(_ order: [Int]) {
        let said = [
            TestSegment(sequence: 100, acknowledgment: 500, payload: Array("ask".utf8)),
            TestSegment(
                direction: .serverToClient, sequence: 500, acknowledgment: 103, payload: Array("ANS".utf8)),
            TestSegment(sequence: 103, acknowledgment: 503, payload: Array("bid".utf8)),
            TestSegment(
                direction: .serverToClient, sequence: 503, acknowledgment: 106, payload: Array("BID".utf8)),
        ]
        var connection = TCPConnection()
        var budget = OctetBudget.gaps(Limits())
        var handedOn = ""
        for (frame, segment) in (TCPConnectionTests.opening + order.map { said[$0] }).enumerated() {
            _ = connection.accept(
                segment.header, payload: segment.payload.rawSpan, direction: segment.direction,
                time: Timestamp(nanoseconds: Int64(frame) * 1_000), frame: frame, budget: &budget)
            while let delivery = connection.next(budget: &budget) {
                switch delivery.content {
                case .fresh(let range): handedOn += String(decoding: segment.payload[range], as: UTF8.self)
                case .buffered(let octets, _, _): handedOn += String(decoding: octets, as: UTF8.self)
                case .gap(let octets, _): handedOn += "-\(octets)"
                }
            }
        }
        #expect(handedOn == "askANSbidBID")
    }

    /// The file has one direction long before the other: the acknowledged octets follow later, some out of order.
    @Test func aHoleBehindWhatAcknowledgesItIsWaitedFor() {
        var harness = TCPConnectionTests.opened()
        harness.feed(TCPConnectionTests.server(ack: 112, at: 60))
        for turn in 0..<10 { harness.feed(TCPConnectionTests.server(ack: 112, at: 70 + turn)) }
        harness.feed(TCPConnectionTests.client(100, "abc", at: 1_000))
        harness.feed(TCPConnectionTests.client(106, "ghi", at: 1_010))
        harness.feed(TCPConnectionTests.client(103, "def", at: 1_011))
        #expect(harness.client == TestStream(octets: Array("abcdefghi".utf8), gaps: [], length: 9))
        harness.feed(TCPConnectionTests.client(111, "l", at: 1_020))
        for turn in 0..<10 { harness.feed(TCPConnectionTests.server(ack: 112, at: 1_030 + turn * 20)) }
        #expect(harness.client.gaps == [.init(position: 9, octets: 2)], "in vain")
    }

    /// Octets before a FIN that were given up are delivered if they arrive later; not partially.
    @Test func octetsBehindTheFinThatFollowsThemAreRead() {
        for (text, isRead) in [("bye", true), ("by", false)] {
            var harness = TCPConnectionTests.opened()
            harness.feed(TCPConnectionTests.client(103, "", flags: .fin, at: 60))
            harness.feed(TCPConnectionTests.server(ack: 104, flags: .fin, at: 61))
            for turn in 0..<10 { harness.feed(TCPConnectionTests.server(ack: 104, at: 70 + turn * 20)) }
            #expect(harness.client.gaps == [.init(position: 0, octets: 3)])
            #expect(harness.connection.missingOctets(.clientToServer) == 3)
            harness.feed(TCPConnectionTests.client(100, text, at: 400))
            #expect(harness.client.octets == (isRead ? Array("bye".utf8) : []))
            #expect(harness.connection.missingOctets(.clientToServer) == (isRead ? 0 : 3))
            harness.finish()
            #expect(harness.client.gaps.count == 1)
        }
    }

    /// Packets of the two sides pass through different queues, so that timestamps may be out of order.
    @Test(
        "Payload is out of order behind later payload of the other side, not behind a later acknowledgment",
        arguments: [
            ([("", 72)], 71, false), ([("ANS", 72)], 71, true), ([("ANS", 71)], 71, false),
            ([("ANS", 100), ("ANT", 70)], 80, true), ([("ANS", 2_000), ("ANT", 70)], 80, false),
        ])
    func payloadBehindALaterSegment(_ answers: [(text: String, time: Int)], _ time: Int, _ isOutOfOrder: Bool) {
        var harness = TCPConnectionTests.opened()
        harness.feed(TCPConnectionTests.client(100, "ask", at: 60))
        var sequence: UInt32 = 500
        for (text, time) in answers {
            var answer = TCPConnectionTests.server(ack: 103, at: time)
            (answer.sequence, answer.payload) = (sequence, Array(text.utf8))
            sequence += UInt32(text.utf8.count)
            harness.feed(answer)
        }
        // An acknowledgment in between, whose time went back as well.
        harness.feed(TCPConnectionTests.client(103, "", at: time - 1))
        harness.feed(TCPConnectionTests.client(103, "bid", at: time))
        #expect(harness.isOutOfOrderInCapture == isOutOfOrder)
        harness.feed(TCPConnectionTests.client(106, "bye", at: time + 2_010))
        #expect(harness.isOutOfOrderInCapture == isOutOfOrder)
        harness.finish()
        #expect(harness.client.octets == Array("askbidbye".utf8))
    }

    /// Neither FIN acknowledges the other one.
    @Test(
        "The first FIN of a simultaneous close is unknown if file and times disagree",
        arguments: [(72, true), (70, false)])
    func simultaneousClose(_ time: Int, _ isUnknown: Bool) {
        var harness = TCPConnectionTests.opened()
        harness.feed(TCPConnectionTests.server(ack: 100, flags: .fin, at: time))
        harness.feed(TCPConnectionTests.client(100, "bye", flags: .fin, at: 71))
        var connection = harness.connection
        #expect(connection.firstToFinish == (isUnknown ? nil : .serverToClient))
    }

    @Test func aSynBehindItsOctetsIsOfTheSameConnection() {
        var harness = TCPHarness()
        harness.feed(TCPConnectionTests.client(104, "late"))
        #expect(harness.feed(TestSegment(sequence: 99, flags: .syn)) == [])
        #expect(harness.feed(TCPConnectionTests.client(100, "soon")) == .late)
        #expect(harness.isOutOfOrderInCapture && !harness.connection.isSeenFromStart(.clientToServer))
        #expect(harness.feed(TestSegment(sequence: 70_000_000, flags: .syn)) == .newConnection)
    }
}
