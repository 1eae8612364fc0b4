import WeirEngine
import WeirPackets

// What the CSeq rules of both versions share.

/// The numbers of the latest requests, for each direction of a connection.
struct RequestHistory {
    /// What is known of a number.
    enum Use {
        /// No request had it.
        case new
        /// The same request had it.
        case same
        /// Another request had it: its method, and whether it had credentials.
        case other(method: String, hadCredentials: Bool)
    }

    private struct Entry {
        var side: SenderSide
        var number: UInt32
        var content: UInt64
        var method: String
        var hadCredentials: Bool
    }

    /// Requests remembered: enough for any pipeline, and bounded.
    private static let limit = 256
    private var entries: [Entry] = []
    private var next = 0

    /// Remembers a request; says whether its number was used before.
    mutating func add(_ event: Event, _ message: RTSPMessage, _ number: UInt32) -> Use {
        let entry = Entry(
            side: SenderSide(event), number: number, content: message.headers.digest,
            method: Text.clip(message.method ?? ""),
            hadCredentials: message.authorization != nil)
        let earlier = entries.first { $0.number == number && $0.side == entry.side }
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

    /// Fails when another request had the number.
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

/// Judges whether answers have the numbers of their requests.
struct EchoJudge {
    /// Directions in which requests were seen: an answer to nothing means something only where requests are seen.
    private var asked = (client: false, server: false)
    /// The number of the last answer of each direction.
    private var last: (client: UInt32?, server: UInt32?) = (nil, nil)

    mutating func observe(_ step: Step, _ rule: String, version2: Bool, _ judgement: inout Judgement) {
        guard let message = step.rtsp else { return }
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
        if !step.mayHaveMissed, step.isFromClient ? asked.server : asked.client {
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
            // Some cameras answer everything with CSeq 0.
            quirk = number == 0 ? "Q-CSEQ" : nil
        } else if expected &- number == 1 || number &- expected == 1 {
            form = "offByOne"
            // Seen in cameras that refuse a keep-alive.
            quirk = !answer.isSuccess && KeepAlive.methods.contains(method) ? "Q-CSEQ" : nil
        } else {
            form = "other"
        }
        judgement.fail(
            Text("\(rule).\(form)", .wire(method), .integer(Int(expected)), .integer(Int(number))),
            expected: .wire("CSeq: \(expected)"), actual: .wire("CSeq: \(number)"), quirk: quirk,
            subject: "\(form) \(method)")
    }
}

/// Judges whether numbers go up one by one.
struct StepJudge {
    private var last: Recent<SenderSide, UInt32> = Recent()
    private var unsure: Recent<SenderSide, Bool> = Recent()

    mutating func observe(_ step: Step, _ rule: String, version2: Bool, _ judgement: inout Judgement) {
        let side = SenderSide(step.event)
        if let event = step.message(TCPEvent.self) {
            if case .gap = event.step { unsure[side] = true }
            return
        }
        guard let message = step.rtsp, message.isRequest, message.isVersion2 == version2, let number = message.cseq
        else { return }
        defer {
            last[side] = number
            unsure[side] = nil
        }
        guard let previous = last[side], previous != number else { return }
        let method = message.method ?? ""
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
