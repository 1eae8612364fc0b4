import WeirEngine
import WeirPackets

/// Follows the descriptions of a session: which offer an answer answers, and who made what (RFC 3264 §4).
///
/// Who made a description is told by the side of the connection that says it: `o=` lines of two peers may be the same, as
/// aiortc's are that begin in one second. What a server passes on to another connection is the same description again.
struct OfferAnswerExchange {
    /// What a description is in the exchange.
    enum Turn {
        /// An offer, after the last description that the same side made, if there was one.
        case offer(previous: SessionDescription?)
        /// An answer to an offer.
        case answer(SessionDescription)
        /// A further answer of who answered before: it was provisional, or replaces it.
        case further(SessionDescription)
        /// The same description as before, passed on.
        case again
        /// An offer while another is not answered yet.
        case glare(isOwn: Bool)
        /// An answer of who made the offer, when it was answered already.
        case answerToAnswer
        /// An answer to nothing that was seen.
        case unasked
        /// No part of an exchange.
        case none
    }

    private var offer: (description: SessionDescription, maker: String)?
    private var answer: (description: SessionDescription, maker: String)?
    /// What each side said last.
    private var latest = Recent<String, SessionDescription>(limit: 4)
    /// Whether a description may be missing between those that were seen.
    private var hasLost = false

    /// Takes a step; what it is, if it is a description.
    mutating func take(_ step: Step) -> (description: SessionDescription, turn: Turn)? {
        forgetWhatMayBeOld(step)
        guard let description = step.description else {
            if Self.endsOffer(step.event) { offer = answer == nil ? nil : offer }
            return nil
        }
        return (description, turn(of: description, step.event))
    }

    /// Behind a gap it is not known what is answered: there may have been another offer in it.
    private mutating func forgetWhatMayBeOld(_ step: Step) {
        guard let completeness = step.completeness, !hasLost, completeness.hasGap else { return }
        hasLost = completeness.lacksOctets || completeness.isDisordered
        (offer, answer) = (nil, nil)
        latest = Recent(limit: 4)
    }

    /// Whether a message rejects what was offered: a refusal is of the protocol around it (RFC 3264 §4).
    private static func endsOffer(_ event: Event) -> Bool {
        event.message.protocolName == "signaling" && (event.message.kind == "bye" || event.message.kind == "error")
    }

    private mutating func turn(of description: SessionDescription, _ event: Event) -> Turn {
        guard description.isNegotiated else { return .none }
        if offer?.description == description || answer?.description == description { return .again }
        let maker = Self.maker(event)
        let previous = latest[maker]
        latest[maker] = description
        if description.role == .offer {
            defer {
                offer = (description, maker)
                answer = nil
            }
            if let offer, answer == nil { return .glare(isOwn: offer.maker == maker) }
            return .offer(previous: previous)
        }
        guard let offer else { return .unasked }
        guard offer.maker != maker else { return answer == nil ? .unasked : .answerToAnswer }
        let isFurther = answer != nil
        answer = (description, maker)
        return isFurther ? .further(offer.description) : .answer(offer.description)
    }

    private static func maker(_ event: Event) -> String {
        "\(event.flow) \(event.direction == .clientToServer)"
    }
}

/// A rule on an answer beside its offer: it is kept when it finds no fault.
protocol AnswerRule: Rule {
    /// Which offer is answered.
    var exchange: OfferAnswerExchange { get set }
    /// What breaks the rule; nil when it has nothing to say of the answer.
    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]?
}

extension AnswerRule {
    static var observes: [String] { ["sdp", "signaling"] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let (description, turn) = exchange.take(step) else { return }
        switch turn {
        case .answer(let offer), .further(let offer):
            judgement.conclude(faults(description, offer), of: description)
        default: judgement.notApplicable()
        }
    }
}

/// Media of an answer and those of its offer at the same place.
struct AnsweredMedium {
    var index: Int
    var answer: MediaDescription
    var offer: MediaDescription

    /// Those that were neither offered nor answered with port 0 (RFC 3264 §6, §8.2).
    static func wanted(_ answer: SessionDescription, _ offer: SessionDescription) -> [Self] {
        zip(answer.media, offer.media).enumerated().compactMap { index, media in
            guard !answer.isRejected(media.0), !offer.isRejected(media.1), media.0.type == media.1.type else {
                return nil
            }
            return Self(index: index, answer: media.0, offer: media.1)
        }
    }
}
