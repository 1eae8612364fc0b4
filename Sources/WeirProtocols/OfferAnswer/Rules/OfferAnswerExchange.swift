import WeirEngine
import WeirPackets

/// Tracks the descriptions of a session: which offer an answer belongs to, and which side created each (RFC 3264 §4).
///
/// The creator of a description is the side of the connection that sends it: `o=` lines of two peers may be equal, as
/// with two aiortc instances started in the same second. A description that a server forwards to another connection is
/// the same one again.
struct OfferAnswerExchange {
    /// The role of a description in the exchange.
    enum Turn {
        /// An offer, with the previous description of the same side, if any.
        case offer(previous: SessionDescription?)
        /// An answer to an offer.
        case answer(SessionDescription)
        /// Another answer of the same side: the first was provisional, or is replaced.
        case further(SessionDescription)
        /// The same description as before, forwarded.
        case again
        /// An offer while another is pending.
        case glare(isOwn: Bool)
        /// An answer from the offerer to an offer already answered.
        case answerToAnswer
        /// An answer without a captured offer.
        case unasked
        /// Not part of an exchange.
        case none
    }

    /// The descriptions so far.
    fileprivate struct State {
        var offer: (description: SessionDescription, maker: String)?
        var answer: (description: SessionDescription, maker: String)?
        /// The latest description of each side.
        var latest = Recent<String, SessionDescription>(limit: 4)
        /// Whether a description may be missing between the captured ones.
        var hasLost = false
    }

    /// The state, if there was an offer or an answer. In an array, since it is large, and ten rules have it in each session
    /// with a description.
    private var state: [State] = []

    /// Processes a step; returns whether it has the description of a presentation, which is neither an offer nor an answer.
    mutating func isPresentation(_ step: Step) -> Bool {
        guard step.isPresentation else { return false }
        if !state.isEmpty { state[0].forgetWhatMayBeOld(step) }
        return true
    }

    /// Processes a step that has no description of a presentation; returns its description and role, if it has one.
    mutating func take(_ step: Step) -> (description: SessionDescription, turn: Turn)? {
        let description = step.description
        let isNegotiated = description?.isNegotiated ?? false
        if isNegotiated, state.isEmpty { state.append(State()) }
        if !state.isEmpty { state[0].forgetWhatMayBeOld(step) }
        guard let description else {
            if !state.isEmpty, Self.endsOffer(step.event), state[0].answer == nil { state[0].offer = nil }
            return nil
        }
        return (description, isNegotiated ? state[0].turn(of: description, step.event) : .none)
    }

    /// Whether a message rejects an offer: rejection is left to the carrying protocol (RFC 3264 §4).
    private static func endsOffer(_ event: Event) -> Bool {
        event.message.protocolName == "signaling" && (event.message.kind == "bye" || event.message.kind == "error")
    }
}

extension OfferAnswerExchange.State {
    /// Clears the exchange at a gap, which may contain another offer.
    mutating func forgetWhatMayBeOld(_ step: Step) {
        guard let completeness = step.completeness, !hasLost, completeness.hasGap else { return }
        self = Self(hasLost: completeness.lacksOctets || completeness.isDisordered)
    }

    /// Returns the role of an offer or answer, and records it.
    mutating func turn(of description: SessionDescription, _ event: Event) -> OfferAnswerExchange.Turn {
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

/// A rule that compares an answer with its offer; passes if there are no faults.
protocol AnswerRule: Rule {
    /// The exchange that pairs offers and answers.
    var exchange: OfferAnswerExchange { get set }
    /// Returns the violations, or nil if the rule does not apply to the answer.
    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]?
}

extension AnswerRule {
    static var observes: [String] { ["sdp", "signaling"] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if exchange.isPresentation(step) { return judgement.notApplicable() }
        guard let (description, turn) = exchange.take(step) else { return }
        switch turn {
        case .answer(let offer), .further(let offer):
            judgement.conclude(faults(description, offer), of: description)
        default: judgement.notApplicable()
        }
    }
}

/// A medium of an answer and the medium at the same index in its offer.
struct AnsweredMedium {
    var index: Int
    var answer: MediaDescription
    var offer: MediaDescription

    /// Returns the media neither offered nor answered with port 0 (RFC 3264 §6, §8.2).
    static func wanted(_ answer: SessionDescription, _ offer: SessionDescription) -> [Self] {
        zip(answer.media, offer.media).enumerated().compactMap { index, media in
            guard !answer.isRejected(media.0), !offer.isRejected(media.1), media.0.type == media.1.type else {
                return nil
            }
            return Self(index: index, answer: media.0, offer: media.1)
        }
    }
}
