import WeirEngine
import WeirPackets

/// A message by which two peers, or a peer and a server, arrange a call: JSON, or a word that keeps the connection alive.
///
/// No specification says how signaling is written (RFC 8829 §3.2): it is read by what is in it.
package struct SignalingMessage: Message {
    /// What carries it, as reports name it.
    package enum Carrier: String, Sendable, Hashable {
        /// A TCP connection.
        case tcp
        /// WebSocket.
        case webSocket = "websocket"
        /// Bodies of HTTP.
        case http
    }

    /// What it does.
    package var purpose: SignalingKind
    /// What carries it.
    package var carrier: Carrier
    /// How its end is found.
    package var framing: SignalingFraming
    /// Who says it to whom, and what it is called.
    var envelope: SignalingEnvelope
    /// What it says; of a list one element. Nil for words that are no JSON.
    package var json: JSONNode?
    /// What it says where it is no JSON.
    package var words: String?
    /// The description in it.
    package var description: SessionDescription?
    /// What the peers call the description.
    package var descriptionType: String?
    /// The candidate in it, and of which medium and generation it is.
    package var candidate: SignaledCandidate?
    /// The line of the candidate, where it is text; also of one that cannot be read.
    package var candidateText: String?
    /// What is wrong with the text.
    package var flaws: [JSONFlaw] = []
    /// Whether a limit kept something of the text from being read or told.
    package var isPartial = false
    /// What is wrong with how it is delimited.
    package var framingFault: FramingFault?
    /// Whether the capture lacks a part of it.
    package var isCut = false
    /// The secrets that its connection has told so far.
    var known: KnownSecrets?
    /// What the user said of such messages; nil when nothing was said.
    var profile: SignalingProfile?

    /// `signaling`.
    package var protocolName: String { "signaling" }
    /// What it does.
    package var kind: String { purpose.rawValue }
    /// Those of its JSON, as they are read.
    package var keptOctets: Int { json?.range.count ?? 0 }
}

/// A candidate that a signaling message has.
package struct SignaledCandidate: Sendable, Hashable {
    /// The candidate.
    package var content: ICECandidate
    /// The identification of its medium, `sdpMid`.
    package var mid: String?
    /// The index of its medium's `m=` line, from 0: `sdpMLineIndex`.
    package var lineIndex: Int?
    /// The user name fragment of its generation.
    package var ufrag: String?
    /// Whether the message could have said of which medium it is, since it writes the candidate as text.
    package var isText = true
}

extension SignalingMessage {
    /// The messages that a text holds: one for each element of a list, and for each candidate.
    package static func all(_ text: JSONText, _ carriage: SignalingCarriage, _ limits: Limits) -> [Self] {
        guard let value = text.value else {
            var nothing = Self(
                .other, carriage, SignalingEnvelope(JSONNode(.null), names: carriage.names), flaws: text.flaws)
            nothing.isPartial = text.isPartial
            return [nothing]
        }
        let isBatch = !value.elements.isEmpty && value.elements.allSatisfy(\.isObject)
        var all: [Self] = []
        let nodes = isBatch ? value.elements : [value]
        let most = limits[SignalingLimits.self].contents
        for node in nodes.prefix(most) { all += Self.all(in: node, carriage, limits) }
        for index in all.indices { all[index].flaws = index == 0 ? text.flaws : [] }
        if text.isPartial || nodes.count > most, !all.isEmpty { all[0].isPartial = true }
        return all
    }

    private static func all(in node: JSONNode, _ carriage: SignalingCarriage, _ limits: Limits) -> [Self] {
        var envelope = SignalingEnvelope(node, names: carriage.names)
        if let event = carriage.event {
            envelope.type = event
            envelope.dialect = .socketIO
        }
        let contents = SignalingContents(node, limits: limits)
        let isOne = contents.items.count == 1
        var all = contents.items.enumerated().map { index, item in
            let json = isOne ? node : item.around
            var message = Self(.other, carriage, envelope, json: json)
            switch item.content {
            case .description(let description, let type):
                message.purpose = description.role == .answer ? .answer : .offer
                message.description = description
                message.isPartial = description.has(.tooManyLines)
                message.descriptionType = type
                // The whole text once: many may be in it.
                if index == 0 { message.json = node }
            case .candidate(let candidate, let text):
                message.purpose = .candidate
                message.candidate = SignaledCandidate(
                    content: candidate, mid: item.mid, lineIndex: item.lineIndex, ufrag: item.ufrag,
                    isText: item.around["foundation"] == nil)
                message.candidateText = text
            case .brokenCandidate(let text):
                message.purpose = .candidate
                message.candidateText = text
            case .endOfCandidates: message.purpose = .endOfCandidates
            }
            return message
        }
        if all.isEmpty { all = [Self(kind(of: node, envelope, carriage.names), carriage, envelope, json: node)] }
        if contents.isPartial { all[0].isPartial = true }
        return all
    }

    private static func kind(
        of node: JSONNode, _ envelope: SignalingEnvelope, _ names: SignalingNames
    ) -> SignalingKind {
        if let type = envelope.type, let known = names.kinds[type] { return known }
        if let error = node["error"], !error.isNull, error.content != .bool(false) { return .error }
        return envelope.type.map { SignalingKind(named: $0) } ?? .other
    }

    init(
        _ purpose: SignalingKind, _ carriage: SignalingCarriage, _ envelope: SignalingEnvelope, json: JSONNode? = nil,
        words: String? = nil, flaws: [JSONFlaw] = []
    ) {
        self.purpose = purpose
        carrier = carriage.carrier
        framing = carriage.framing
        profile = carriage.profile
        self.envelope = envelope
        self.json = json
        self.words = words
        self.flaws = flaws
    }

    /// The line of what is called a candidate, and is none.
    var brokenCandidate: String? { candidate == nil ? candidateText : nil }

    /// A description or a candidate: what makes a conversation signaling.
    var isEvidence: Bool { description != nil || candidate != nil }
}

/// How a text came, and how it is to be read.
package struct SignalingCarriage {
    var carrier = SignalingMessage.Carrier.tcp
    var framing = SignalingFraming.concatenated
    var profile: SignalingProfile?
    var names: SignalingNames { profile?.names ?? SignalingNames() }
    /// The event that Socket.IO names around it.
    var event: String?

    init(
        carrier: SignalingMessage.Carrier, framing: SignalingFraming = .concatenated, profile: SignalingProfile? = nil,
        event: String? = nil
    ) {
        self.carrier = carrier
        self.framing = framing
        self.profile = profile
        self.event = event
    }

    /// A text on TCP, bare, without a profile.
    package init() {}
}
