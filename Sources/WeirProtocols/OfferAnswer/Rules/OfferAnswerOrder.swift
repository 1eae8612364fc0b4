import WeirEngine
import WeirPackets

/// OA-VERSION: a changed description has a new version.
///
/// RFC 3264 §8: the `o=` line of a further offer is that of the same side's last description, with a version one
/// higher; an unchanged version means an unchanged description. Exception: an increase by more than one is only a
/// warning, since some peers count descriptions that were never sent.
struct OAVersion: Rule {
    static let info = RuleInfo(
        "OA-VERSION", .error, .must, reference: "RFC 3264 §8",
        check: "A subsequent offer keeps its o= line, with the version increased by one if anything changed.",
        example: "o=- 4611 2 IN IP4 127.0.0.1\no=- 4611 2 IN IP4 127.0.0.1 (with another media section)")
    static let observes = ["sdp", "signaling"]
    private var exchange = OfferAnswerExchange()

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if exchange.isPresentation(step) { return judgement.notApplicable() }
        guard let (description, turn) = exchange.take(step) else { return }
        guard case .offer(let previous?) = turn, let before = previous.origin.flatMap({ Int($0.sessionVersion) }),
            let now = description.origin.flatMap({ Int($0.sessionVersion) })
        else { return judgement.notApplicable() }
        guard now != before &+ 1 else { return judgement.pass() }
        var same = description
        same.role = previous.role
        if now == before {
            guard same.media != previous.media || same.attributes != previous.attributes else {
                return judgement.pass()
            }
            return judgement.fail(
                Text("OA-VERSION.kept", .integer(now)), expected: .wire("\(before &+ 1)"), actual: .wire("\(now)"),
                subject: "version")
        }
        judgement.fail(
            Text(now < before ? "OA-VERSION.back" : "OA-VERSION.step", .integer(before), .integer(now)),
            expected: .wire("\(before &+ 1)"), actual: .wire("\(now)"), severity: now > before ? .warning : nil,
            subject: "version")
    }
}

/// OA-REOFFER-MLINES: media keep their positions.
///
/// RFC 3264 §8: a further offer MUST have a medium for each of the last description, at the same position; removed
/// media keep their line with port 0. A position with port 0 may be reused (§8.1).
struct OAReoffer: Rule {
    static let info = RuleInfo(
        "OA-REOFFER-MLINES", .error, .must, reference: "RFC 3264 §8",
        check: "A subsequent offer keeps all m= lines of the previous description, in order.",
        example: "m=audio … m=video …\nm=video …")
    static let observes = ["sdp", "signaling"]
    private var exchange = OfferAnswerExchange()

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if exchange.isPresentation(step) { return judgement.notApplicable() }
        guard let (description, turn) = exchange.take(step) else { return }
        guard case .offer(let previous?) = turn else { return judgement.notApplicable() }
        judgement.conclude(Self.faults(description, previous), of: description)
    }

    private static func faults(_ offer: SessionDescription, _ previous: SessionDescription) -> [Fault] {
        guard offer.media.count >= previous.media.count else {
            return [
                Fault(
                    Text("OA-REOFFER-MLINES.fewer", .integer(offer.media.count), .integer(previous.media.count)),
                    expected: Text("{0}", .integer(previous.media.count)),
                    actual: Text("{0}", .integer(offer.media.count)), subject: "media")
            ]
        }
        return zip(offer.media, previous.media).enumerated().compactMap { index, media in
            guard media.1.port != 0, media.0.type != media.1.type || isMoved(media.0, media.1) else { return nil }
            return Fault(
                Text("OA-REOFFER-MLINES.moved", .integer(index + 1)), expected: .wire(place(media.1)),
                actual: .wire(place(media.0)), subject: "m\(index)")
        }
    }

    private static func isMoved(_ now: MediaDescription, _ before: MediaDescription) -> Bool {
        guard let mid = now.mid, let other = before.mid else { return false }
        return mid != other && now.port != 0
    }

    private static func place(_ medium: MediaDescription) -> String {
        medium.type + (medium.mid.map { " mid \($0)" } ?? "")
    }
}

/// OA-GLARE: one offer at a time.
///
/// RFC 3264 §4: neither side may offer while its own offer is neither answered nor rejected, or while an offer of the
/// other side is pending. A capture at one place cannot distinguish simultaneous offers from a second offer that should
/// have waited: a warning.
struct OAGlare: Rule {
    static let info = RuleInfo(
        "OA-GLARE", .error, .must, reference: "RFC 3264 §4",
        check: "No offer is sent while another one is pending.",
        example: "offer:  …\noffer:  … (no answer between them)")
    static let observes = ["sdp", "signaling"]
    private var exchange = OfferAnswerExchange()

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if exchange.isPresentation(step) { return judgement.notApplicable() }
        guard let (_, turn) = exchange.take(step) else { return }
        switch turn {
        case .offer: judgement.pass()
        case .glare where step.completeness?.hasGap == true || step.completeness?.isOneSided == true:
            judgement.inconclusive(Text("OA-GLARE.undecided"), subject: "offer")
        case .glare(let isOwn):
            judgement.fail(
                Text(isOwn ? "OA-GLARE.own" : "OA-GLARE.both"), severity: isOwn ? nil : .warning, subject: "offer")
        default: judgement.notApplicable()
        }
    }
}

/// OA-STRAY-ANSWER: an answer belongs to an offer.
///
/// RFC 3264 §4 and the states of RFC 9429 §3.2: an answer without an offer is invalid, and so is one to an answer: the
/// recipient is in no state to accept it. One answer may follow another of the same side: the first may have been
/// provisional.
struct OAStrayAnswer: Rule {
    static let info = RuleInfo(
        "OA-STRAY-ANSWER", .error, .plain, restsOnOrder: true, reference: "RFC 3264 §4",
        check: "An answer follows an offer of the other side; answers are not answered.",
        example: "offer: …\nanswer: …\nanswer: … (from the offerer)")
    static let observes = ["sdp", "signaling"]
    private var exchange = OfferAnswerExchange()
    /// The sides that have sent on each flow: a side that has not may not be captured at all.
    private var heard = Recent<Int, [Direction]>(limit: 64)

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        let (flow, direction) = (step.event.flow, step.event.direction)
        if heard[flow]?.contains(direction) != true { heard[flow] = (heard[flow] ?? []) + [direction] }
        if exchange.isPresentation(step) { return judgement.notApplicable() }
        guard let (_, turn) = exchange.take(step) else { return }
        switch turn {
        case .answer, .further: judgement.pass()
        case .answerToAnswer:
            judgement.fail(Text("OA-STRAY-ANSWER.answered"), reference: "RFC 9429 §3.2", subject: "answer")
        case .unasked:
            let completeness = step.completeness
            if completeness == nil || completeness?.startsLate == true || completeness?.hasGap == true
                || completeness?.isOneSided == true
                || heard[flow]?.contains(direction.opposite) != true
            {
                return judgement.inconclusive(Text("OA-STRAY-ANSWER.undecided"), subject: "answer")
            }
            judgement.fail(Text("OA-STRAY-ANSWER.unasked"), subject: "answer")
        default: judgement.notApplicable()
        }
    }
}
