import NTP
import Testing
import WeirKit

/// A request with this transmit timestamp.
private func question(_ transmit: [UInt8]) -> [UInt8] {
    [0xE3, 0, 0, 0] + Array(repeating: 0, count: 36) + transmit
}

/// An answer of a synchronized server, or a kiss-o'-death packet if `kiss` is given.
private func answer(to origin: [UInt8], kiss: String? = nil, left: UInt8 = 0x80) -> [UInt8] {
    let head: [UInt8] = [0x24, kiss == nil ? 3 : 0, 0, 0xE6] + Array(repeating: 0, count: 8)
    let time: [UInt8] = [0xE8, 0xFD, 0x0A, 0x80, 0, 0, 0, 0]
    return head + Array((kiss ?? "\u{7F}\u{7F}\u{1}\u{1}").utf8) + time + origin + time + time.prefix(3) + [left]
        + time.suffix(4)
}

private let first: [UInt8] = [0xE8, 0xFD, 0x0A, 0x80, 0, 0, 0, 1]
private let second: [UInt8] = [0xE8, 0xFD, 0x0A, 0x81, 0, 0, 0, 2]

/// Analyzes a dialogue on the NTP port.
private func analyzed(_ options: AnalyzerOptions = AnalyzerOptions(), _ say: (inout Dialogue) -> Void) -> AnalysisResult
{
    var dialogue = Dialogue(.udp, port: 123)
    say(&dialogue)
    return dialogue.analyzed(plugins: BuiltIn.plugins + [NTPProtocol.self], options: options)
}

@Suite struct NTPSessionTests {
    @Test func anExchangeIsASessionWithPhasesAndAnOutcome() throws {
        let result = analyzed {
            $0.client(question(first))
            $0.server(answer(to: first))
        }
        let session = try #require(result.sessions.first)
        #expect(session.record.kind == "ntp" && result.sessions.count == 1)
        #expect(session.record.phases.map(\.phase.name) == ["ntpQuestion", "ntpTime"])
        #expect(session["answered"] == .integer(1))
        #expect(session.outcome[0].hasPrefix("1 of 1 question was answered"))
        #expect(result.events[1].answers?.requestEvent == result.events[0].id)
        #expect(result.streams.map(\.kind) == ["clock"] && result.streams[0]["exchanges"] == .integer(1))
        #expect(result.errors.isEmpty)
    }

    @Test func aRefusalIsTold() {
        let result = analyzed {
            $0.client(question(first))
            $0.server(answer(to: first, kiss: "RATE"))
        }
        #expect(result.sessions.map(\.outcome) == [["The server refused: RATE."]])
    }

    @Test func anAnswerThatLeftBeforeTheQuestionCameBreaksTheRule() {
        let kept = analyzed {
            $0.client(question(first))
            $0.server(answer(to: first))
        }
        #expect(kept.findings.isEmpty)
        let broken = analyzed {
            $0.client(question(first))
            $0.server(answer(to: first, left: 0x7F))
        }
        #expect(broken.errors.map(\.rule) == ["NTP-TURNAROUND"])
        #expect(
            broken.errors.map { broken.sentence($0.message) } == [
                "The answer says that it left before the question came."
            ])
    }

    @Test func withoutTheQuestionNothingIsCertain() {
        let result = analyzed { $0.server(answer(to: second, left: 0x7F)) }
        #expect(result.errors.isEmpty && result.findings.map(\.verdict) == [.inconclusive])
    }

    @Test func withoutAnAnswerNobodyIsBlamed() {
        let result = analyzed { $0.client(question(first)) }
        #expect(result.findings.isEmpty)
        #expect(result.sessions.map(\.outcome) == [["1 question captured, no answer with the time"]])
    }

    @Test func itsOwnLimitIsReachedAndTold() {
        var options = AnalyzerOptions()
        options.limits[NTPLimits.self].openQuestions = 1
        let result = analyzed(options) {
            $0.client(question(first))
            $0.client(question(second))
        }
        #expect(result.summaries[0].limitsReached.map(\.key) == ["limit.ntp.openQuestions"])
    }

    @Test func everySentenceIsThereInEveryLanguage() {
        let english = NTPProtocol.words(.english).flatMap { $0.keys }.sorted()
        #expect(!english.isEmpty)
        #expect(english == NTPProtocol.words(.chinese).flatMap { $0.keys }.sorted())
    }
}
