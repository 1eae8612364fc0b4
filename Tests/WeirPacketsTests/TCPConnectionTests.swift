import Testing
import WeirPackets

/// Single cases of capture effects, one at a time.
@Suite struct TCPConnectionTests {
    static let opening = [
        TestSegment(sequence: 99, flags: .syn),
        TestSegment(direction: .serverToClient, sequence: 499, acknowledgment: 100, flags: .syn, milliseconds: 30),
        TestSegment(sequence: 100, acknowledgment: 500, milliseconds: 40),
    ]

    /// A connection after its handshake: the client's octets start at 100, the server's at 500.
    static func opened(perOwner: Int = 256 * 1024) -> TCPHarness {
        var harness = TCPHarness(perOwner: perOwner)
        harness.feed(opening)
        return harness
    }

    static func client(_ sequence: UInt32, _ text: String, flags: TCPFlags = [], at time: Int = 50) -> TestSegment {
        TestSegment(
            sequence: sequence, acknowledgment: 500, flags: flags, payload: Array(text.utf8), milliseconds: time)
    }

    static func server(ack: UInt32, window: UInt16 = 65_535, flags: TCPFlags = [], at time: Int = 50) -> TestSegment {
        TestSegment(
            direction: .serverToClient, sequence: 500, acknowledgment: ack, flags: flags, window: window,
            milliseconds: time)
    }

    @Test func theHandshakeTakesOneRoundTrip() {
        var harness = TCPHarness()
        #expect(!harness.feed(Self.opening[0]).contains(.connected))
        #expect(harness.connection.handshake == .partial)
        #expect(!harness.feed(Self.opening[1]).contains(.connected))
        #expect(harness.feed(Self.opening[2]).contains(.connected))
        #expect(harness.connection.handshake == .complete)
        #expect(harness.connection.handshakeRTT == 0.04)
        #expect(!harness.feed(Self.opening[2]).contains(.connected))
    }

    @Test func octetsBeforeTheFirstSegmentAreMissingWhereTheSynAckIs() {
        var harness = TCPHarness()
        harness.feed(Self.opening[0])
        harness.feed(Self.client(100, "ask"))
        harness.feed(TestSegment(direction: .serverToClient, sequence: 510, acknowledgment: 103, payload: [1, 2, 3]))
        harness.finish()
        #expect(harness.server == TestStream(octets: [1, 2, 3], gaps: [.init(position: 0, octets: 10)], length: 13))
    }

    @Test(arguments: [false, true])
    func acknowledgedOctetsThatDoNotComeAreRemembered(comesLater: Bool) {
        var harness = Self.opened()
        #expect(!harness.isOutOfOrderInCapture)
        harness.feed(Self.server(ack: 103, at: 60))
        harness.feed(Self.server(ack: 103, at: 200))
        #expect(harness.isOutOfOrderInCapture)
        if comesLater { harness.feed(Self.client(100, "ask", at: 210)) }
        #expect(harness.isOutOfOrderInCapture)
    }

    @Test(arguments: [(600, true), (502, false)] as [(UInt32, Bool)])
    func aResetCountsWhatItsSenderHasSent(number: UInt32, isLacking: Bool) {
        var harness = Self.opened()
        harness.feed(TestSegment(direction: .serverToClient, sequence: number, flags: .rst))
        #expect(harness.connection.lacksOctetsBeforeReset == isLacking)
    }

    @Test func aRepeatedSynStartsTheClockAgain() {
        var harness = TCPHarness()
        harness.feed(Self.opening[0])
        var again = Self.opening[0]
        again.milliseconds = 25
        harness.feed(again)
        harness.feed(Array(Self.opening[1...]))
        #expect(harness.connection.handshakeRTT == 0.015)
    }

    @Test(arguments: [500, 9_000] as [UInt32])
    func ofTwoAnswersTheAcknowledgedOneCounts(believed: UInt32) {
        var harness = TCPHarness()
        harness.feed(Array(Self.opening[..<2]))
        harness.feed(TestSegment(direction: .serverToClient, sequence: 8_999, acknowledgment: 100, flags: .syn))
        #expect(harness.feed(TestSegment(sequence: 100, acknowledgment: believed)).contains(.connected))
        harness.feed(
            TestSegment(direction: .serverToClient, sequence: believed, acknowledgment: 100, payload: [1, 2, 3]))
        harness.finish()
        #expect(harness.server == TestStream(octets: [1, 2, 3], gaps: [], length: 3))
        #expect(harness.connection.handshake == .complete)
    }

    @Test func oneSideAloneIsPartialAndStillRead() {
        var harness = TCPHarness()
        harness.feed(Self.opening[1])
        harness.feed(
            TestSegment(direction: .serverToClient, sequence: 500, acknowledgment: 200, payload: [1, 2, 3]))
        #expect(harness.connection.handshake == .partial)
        #expect(harness.server.octets == [1, 2, 3])
        #expect(harness.connection.handshakeRTT == nil)
        #expect(!harness.connection.isSeen(.clientToServer))
    }

    @Test func dataOnTheSynIsTheBeginningOfTheStream() {
        var harness = TCPHarness()
        harness.feed(TestSegment(sequence: 99, flags: .syn, payload: Array("GET ".utf8)))
        harness.feed(TestSegment(direction: .serverToClient, sequence: 499, acknowledgment: 104, flags: .syn))
        harness.feed(TestSegment(sequence: 104, acknowledgment: 500, payload: Array("/".utf8)))
        #expect(harness.client.octets == Array("GET /".utf8))
        #expect(harness.connection.handshake == .complete)
    }

    @Test func aSwapCountsOnceAndARepetitionIsNoSwap() {
        var harness = Self.opened()
        #expect(!harness.feed(Self.client(103, "def")).contains(.outOfOrder))
        #expect(harness.feed(Self.client(100, "abc")).contains(.outOfOrder))
        #expect(harness.feed(Self.client(103, "def")) == .retransmission)
        #expect(harness.client.octets == Array("abcdef".utf8))
        #expect(harness.connection.outOfOrderSegments(.clientToServer) == 1)
        #expect(harness.connection.retransmittedOctets(.clientToServer) == 3)
    }

    @Test func theFirstCopyCountsAndDifferenceIsReported() {
        var harness = Self.opened()
        harness.feed(Self.client(103, "def"))
        #expect(harness.feed(Self.client(102, "cXefg")).contains(.overlapDiffers))
        #expect(!harness.feed(Self.client(104, "ef")).contains(.overlapDiffers))
        harness.feed(Self.client(100, "ab"))
        #expect(harness.client.octets == Array("abcdefg".utf8))
    }

    @Test func anUnacknowledgedHoleIsWaitedFor() {
        var harness = Self.opened()
        for index in 0..<40 { harness.feed(Self.client(103 + UInt32(index), "x", at: 60 + index * 100)) }
        #expect(harness.client.octets == [])
        harness.feed(Self.client(100, "abc", at: 9_000))
        #expect(harness.client.octets.count == 43)
        #expect(harness.client.gaps == [])
    }

    @Test func anAcknowledgedHoleIsGivenUpAfterAFewPackets() {
        var harness = Self.opened()
        harness.feed(Self.client(103, "def"))
        harness.feed(Self.server(ack: 106))
        #expect(harness.client.gaps == [], "the segment may come a little late")
        for _ in 0..<8 { harness.feed(Self.server(ack: 106)) }
        #expect(harness.client.gaps == [.init(position: 0, octets: 3)])
        #expect(harness.client.octets == Array("def".utf8))
        #expect(harness.feed(Self.client(100, "abc")).contains(.late))
        #expect(harness.connection.retransmittedOctets(.clientToServer) == 0)
        #expect(harness.connection.missingOctets(.clientToServer) == 3)
    }

    @Test func anAcknowledgedHoleIsGivenUpAfterAWhile() {
        var harness = Self.opened()
        harness.feed(Self.client(103, "def"))
        harness.feed(Self.server(ack: 106, at: 60))
        // The gap precedes the octets of the same segment.
        harness.feed(Self.client(106, "ghi", at: 200))
        #expect(harness.client.gaps == [.init(position: 0, octets: 3)])
        #expect(harness.client.octets == Array("defghi".utf8))
    }

    @Test func aSegmentBehindTheAcknowledgementIsNotLost() {
        var harness = Self.opened()
        harness.feed(Self.server(ack: 106))
        harness.feed(Self.client(100, "abc"))
        harness.feed(Self.client(103, "def"))
        #expect(harness.client.octets == Array("abcdef".utf8))
        #expect(harness.connection.outOfOrderSegments(.clientToServer) == 0)
    }

    @Test func aFullBufferGivesUpItsFirstHole() {
        var harness = Self.opened(perOwner: 1_000)
        for index in 0..<4 {
            var segment = Self.client(200 + UInt32(index) * 300, "")
            segment.payload = [UInt8](repeating: 7, count: 300)
            harness.feed(segment)
        }
        #expect(harness.client.gaps == [.init(position: 0, octets: 100)])
        #expect(harness.client.octets.count == 1_200)
        #expect(harness.mostUsed <= 1_000 + 400)
    }

    @Test func keepAlivesAreNoData() {
        var harness = Self.opened()
        harness.feed(Self.client(100, "abc"))
        harness.feed(Self.server(ack: 103))
        #expect(harness.feed(Self.client(102, "")) == .keepAlive)
        #expect(harness.feed(Self.client(102, "\u{0}")) == .keepAlive)
        #expect(harness.connection.keepAlives(.clientToServer) == 2)
        #expect(harness.connection.retransmittedOctets(.clientToServer) == 0)
        #expect(harness.client.octets == Array("abc".utf8))
    }

    @Test func aCaptureThatBeginsWithAKeepAliveHasNoGap() {
        var withoutOctet = TCPHarness()
        withoutOctet.feed(Self.client(102, ""))
        withoutOctet.feed(Self.client(103, "def"))
        #expect(withoutOctet.client == TestStream(octets: Array("def".utf8), gaps: [], length: 3))
        var withOctet = TCPHarness()
        withOctet.feed(Self.server(ack: 103))
        withOctet.feed(Self.client(102, "\u{0}"))
        withOctet.feed(Self.client(103, "def"))
        #expect(withOctet.client == TestStream(octets: Array("def".utf8), gaps: [], length: 3))
    }

    @Test func probesOfAClosedWindowAreCounted() {
        var harness = Self.opened()
        harness.feed(Self.client(100, "abc"))
        harness.feed(Self.server(ack: 103, window: 0))
        #expect(harness.feed(Self.client(102, "")) == .zeroWindowProbe)
        #expect(harness.feed(Self.client(103, "d")).contains(.zeroWindowProbe))
        harness.feed(Self.server(ack: 103))
        harness.feed(Self.client(103, "def"))
        #expect(harness.client.octets == Array("abcdef".utf8))
        #expect(harness.connection.zeroWindowProbes(.clientToServer) == 2)
    }

    @Test func whatComesBeforeALateStartStillCountsWhileNothingWasHandedOn() {
        var harness = TCPHarness()
        harness.feed(Self.client(103, ""))
        harness.feed(Self.client(100, "abc"))
        harness.feed(Self.client(103, "def"))
        #expect(harness.client == TestStream(octets: Array("abcdef".utf8), gaps: [], length: 6))
    }

    @Test func closingIsTold() {
        var harness = Self.opened()
        #expect(harness.connection.closedBy == .open)
        #expect(harness.feed(Self.client(100, "abc", flags: .fin)).contains(.finished))
        #expect(harness.connection.closedBy == .fin)
        #expect(!harness.connection.isClosed)
        #expect(harness.feed(Self.server(ack: 104, flags: .fin)).contains(.closed))
        #expect(!harness.feed(Self.server(ack: 104, flags: .fin)).contains(.closed))
        #expect(harness.connection.isClosed)
        #expect(harness.client.octets == Array("abc".utf8))
        harness.finish()
        #expect(harness.client.gaps == [])
        #expect(harness.server.gaps == [])
    }

    @Test func aFinShowsWhatIsMissingBeforeIt() {
        var harness = Self.opened()
        harness.feed(Self.client(110, "", flags: .fin))
        #expect(harness.client.gaps == [])
        for _ in 0..<10 { harness.feed(Self.server(ack: 111)) }
        #expect(harness.client.gaps == [.init(position: 0, octets: 10)])
        harness.finish()
        #expect(harness.client.gaps.count == 1)
    }

    @Test func acknowledgedOctetsThatNeverCameAreMissingAtTheEnd() {
        var harness = Self.opened()
        harness.feed(Self.client(100, "abc"))
        harness.feed(Self.server(ack: 110))
        harness.finish()
        #expect(harness.client.gaps == [.init(position: 3, octets: 7)])
        var closed = Self.opened()
        closed.feed(Self.client(100, "abc"))
        closed.feed(Self.server(ack: 104))
        closed.finish()
        #expect(closed.client.gaps == [], "it is the FIN that is missing, not an octet")
    }

    @Test func aResetEndsTheConnectionAndItsTextIsNoData() {
        var harness = Self.opened()
        let acceptance = harness.feed(Self.client(100, "port closed", flags: .rst))
        #expect(acceptance.contains(.reset))
        #expect(acceptance.contains(.resetWithPayload))
        #expect(harness.client.octets == [])
        #expect(harness.connection.closedBy == .reset)
        #expect(harness.connection.isClosed)
    }

    @Test func aResetThatItsSenderDidNotMeanIsForgotten() {
        var harness = Self.opened()
        harness.feed(TestSegment(sequence: 77, flags: .rst))
        harness.feed(Self.client(100, "abc"))
        #expect(harness.connection.closedBy == .open)
        #expect(harness.client.octets == Array("abc".utf8))
    }

    @Test func dataBehindAFinMeansThatTheFinWasWrong() {
        var harness = Self.opened()
        harness.feed(Self.client(100, "", flags: .fin))
        harness.feed(Self.client(100, "abc"))
        #expect(harness.connection.closedBy == .open)
        #expect(harness.client.octets == Array("abc".utf8))
    }

    @Test func anotherSynIsAnotherConnection() {
        var harness = Self.opened()
        harness.feed(Self.client(100, "abc"))
        #expect(harness.feed(TestSegment(sequence: 99, flags: .syn)) == [])
        #expect(harness.feed(TestSegment(sequence: 70_000, flags: .syn)) == .newConnection)
    }

    @Test func waitingOctetsRememberTheFrameThatBroughtThem() {
        var connection = TCPConnection()
        var budget = OctetBudget.gaps(Limits())
        var found: [Int] = []
        for (frame, segment) in [Self.client(100, "a"), Self.client(102, "c"), Self.client(101, "b")].enumerated() {
            _ = connection.accept(
                segment.header, payload: segment.payload.rawSpan, direction: .clientToServer,
                time: Timestamp(nanoseconds: Int64(frame)), frame: frame, budget: &budget)
            while let delivery = connection.next(budget: &budget) {
                guard case .buffered(let octets, let bringer, let time) = delivery.content else { continue }
                #expect(octets == Array("c".utf8) && time.nanoseconds == Int64(bringer))
                found.append(bringer)
            }
        }
        #expect(found == [1])
    }

    @Test func discardingGivesTheBudgetBack() {
        var harness = Self.opened()
        harness.feed(Self.client(103, "def"))
        #expect(harness.budget.used > 0)
        harness.connection.discard(budget: &harness.budget)
        #expect(harness.budget.used == 0)
    }
}
