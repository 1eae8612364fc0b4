import WeirEngine
import WeirPackets

// Shared by the CSeq rules of both versions.

/// The CSeq numbers of recent requests, per direction of a connection.
struct RequestHistory {
    /// The earlier use of a number.
    enum Use {
        /// The number is unused.
        case new
        /// The same request used the number.
        case same
        /// Another request used the number, with this method, and with or without credentials.
        case other(method: String, hadCredentials: Bool)
    }

    private struct Entry {
        var side: SenderSide
        var number: UInt32
        var content: UInt64
        var method: String
        var hadCredentials: Bool
    }

    /// Maximum number of stored requests: more than any pipeline needs.
    private static let limit = 256
    private var entries: [Entry] = []
    private var next = 0

    /// Stores a request and returns the earlier use of its number.
    mutating func add(_ event: Event, _ message: RTSPMessage, _ number: UInt32) -> Use {
        let entry = Entry(
            side: SenderSide(event), number: number, content: message.head.headers.digest,
            method: Text.clip(message.method ?? ""),
            hadCredentials: message.authorization != nil)
        // By index: a closure would be passed copies.
        let known = entries.indices.first { entries[$0].number == number && entries[$0].side == entry.side }
        let earlier = known.map { entries[$0] }
        if entries.isEmpty { entries.reserveCapacity(8) }
        if entries.count < Self.limit {
            entries.append(entry)
        } else {
            entries[next] = entry
            next = (next + 1) % Self.limit
        }
        guard let earlier else { return .new }
        return earlier.content == entry.content
            ? .same : .other(method: earlier.method, hadCredentials: earlier.hadCredentials)
    }

    /// Fails if another request used the number.
    mutating func judgeUnique(
        _ event: Event, _ message: RTSPMessage, _ rule: String, _ judgement: inout Judgement
    ) {
        guard let number = message.cseq, let method = message.method else { return }
        switch add(event, message, number) {
        case .new: judgement.pass()
        case .same: judgement.notApplicable()
        case .other(let earlier, let hadCredentials):
            if earlier == method, !hadCredentials, message.authorization != nil {
                judgement.notApplicable()
            } else {
                judgement.fail(
                    Text("\(rule).reused", .wire(method), .integer(Int(number)), .wire(earlier)),
                    actual: .wire("CSeq: \(number)"), subject: "\(earlier) \(method)")
            }
        }
    }
}

/// Checks that responses repeat the CSeq of their requests.
struct EchoJudge {
    /// Directions in which requests were captured; only there is an unmatched response meaningful.
    private var asked = (client: false, server: false)
    /// The CSeq of the last response, per direction.
    private var last: (client: UInt32?, server: UInt32?) = (nil, nil)

    mutating func observe(
        _ step: Step, _ message: RTSPMessage, _ rule: String, version2: Bool, _ judgement: inout Judgement
    ) {
        if message.isRequest {
            if step.isFromClient { asked.client = true } else { asked.server = true }
            return
        }
        defer {
            if let number = message.cseq {
                if step.isFromClient { last.client = number } else { last.server = number }
            }
        }
        guard (step.request ?? message).isVersion2 == version2, let number = message.cseq else { return }
        guard let request = step.request, let exchange = step.event.answers else {
            unasked(step, number, rule, &judgement)
            return
        }
        guard let expected = request.cseq, expected != number else {
            if exchange.pairing == .number { judgement.pass() } else { judgement.notApplicable() }
            return
        }
        guard !step.mayHaveMissed else {
            judgement.inconclusive(Text("\(rule).inconclusive", .integer(Int(number))), subject: request.method ?? "")
            return
        }
        mismatch(step, request, message, expected, number, rule, &judgement)
    }

    private func unasked(_ step: Step, _ number: UInt32, _ rule: String, _ judgement: inout Judgement) {
        // The requests of a tunnel have a connection of their own, of which octets may be missing before the capture shows it.
        let isTunneled = step.session?.isTunneled ?? false
        if !step.mayHaveMissed, !isTunneled, step.isFromClient ? asked.server : asked.client {
            judgement.fail(
                Text("\(rule).unasked", .integer(Int(number))), actual: .wire("CSeq: \(number)"), subject: "unasked")
        } else {
            judgement.inconclusive(Text("\(rule).inconclusive", .integer(Int(number))), subject: "unasked")
        }
    }

    private func mismatch(
        _ step: Step, _ request: RTSPMessage, _ answer: RTSPMessage, _ expected: UInt32, _ number: UInt32,
        _ rule: String, _ judgement: inout Judgement
    ) {
        let method = request.method ?? ""
        let form: String
        var quirk: String?
        if (step.isFromClient ? last.client : last.server) == number || number == 0 {
            form = "stuck"
            // Some cameras answer every request with CSeq 0.
            quirk = number == 0 ? "Q-CSEQ" : nil
        } else if expected &- number == 1 || number &- expected == 1 {
            form = "offByOne"
            // Observed in cameras that reject a keep-alive.
            quirk = !answer.isSuccess && request.isKeepAlive ? "Q-CSEQ" : nil
        } else {
            form = "other"
        }
        judgement.fail(
            Text("\(rule).\(form)", .wire(method), .integer(Int(expected)), .integer(Int(number))),
            expected: .wire("CSeq: \(expected)"), actual: .wire("CSeq: \(number)"), quirk: quirk,
            subject: "\(form) \(method)")
    }
}

/// Checks that CSeq increases by one.
struct StepJudge {
    private var last: Recent<SenderSide, UInt32> = Recent()
    private var unsure: Recent<SenderSide, Bool> = Recent()

    mutating func observe(_ step: Step, _ rule: String, version2: Bool, _ judgement: inout Judgement) {
        let side = SenderSide(step.event)
        guard let message = step.rtsp else {
            if let event = step.message(TCPEvent.self), case .gap = event.step { unsure[side] = true }
            return
        }
        guard message.isRequest, message.isVersion2 == version2, let number = message.cseq else { return }
        defer {
            last[side] = number
            unsure[side] = nil
        }
        guard let previous = last[side], previous != number else { return }
        var method: String { message.method ?? "" }
        if number == previous &+ 1 {
            judgement.pass()
        } else if unsure[side] != nil {
            judgement.inconclusive(Text("\(rule).stepUnseen", .integer(Int(previous)), .integer(Int(number))))
        } else {
            judgement.fail(
                Text("\(rule).step", .wire(method), .integer(Int(previous)), .integer(Int(number))),
                expected: .wire("CSeq: \(previous &+ 1)"), actual: .wire("CSeq: \(number)"), subject: method)
        }
    }
}
