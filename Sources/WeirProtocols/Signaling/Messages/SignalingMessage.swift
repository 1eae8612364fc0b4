import WeirEngine
import WeirPackets

/// A signaling message between two peers, or a peer and a server: JSON, or a keep-alive keyword.
///
/// No specification defines a format (RFC 8829 §3.2): messages are recognized by their contents.
package struct SignalingMessage: Message {
    /// The carrier, as named in reports.
    package enum Carrier: String, Sendable, Hashable {
        /// A TCP connection.
        case tcp
        /// WebSocket.
        case webSocket = "websocket"
        /// HTTP bodies.
        case http
    }

    /// The kind of message.
    package var purpose: SignalingKind
    /// The carrier.
    package var carrier: Carrier
    /// The framing.
    package var framing: SignalingFraming
    /// The envelope.
    var envelope: SignalingEnvelope
    /// The JSON; of an array one element. Nil for plain text.
    package var json: JSONNode?
    /// The plain text, or nil for JSON.
    package var words: String?
    /// The session description.
    package var description: SessionDescription?
    /// The peers' name of the description's type.
    package var descriptionType: String?
    /// The candidate, with its media section and generation.
    package var candidate: SignaledCandidate?
    /// The line of the candidate, if it is text; also of a malformed one.
    package var candidateText: String?
    /// Faults of the text.
    package var flaws: [JSONFlaw] = []
    /// Whether a limit prevented a part of the text from being parsed or reported.
    package var isPartial = false
    /// The framing fault.
    package var framingFault: FramingFault?
    /// Whether the message is truncated in the capture.
    package var isCut = false
    /// The secrets known on the connection so far.
    var known: KnownSecrets?
    /// The user's profile of such messages, or nil.
    var profile: SignalingProfile?
    /// The event of the HTTP message that contains it, if that is one of another protocol.
    var httpEvent: Int?

    /// The protocol name, `signaling`.
    package var protocolName: String { "signaling" }
    /// The kind of message.
    package var kind: String { purpose.rawValue }
    /// The octets of its JSON.
    package var keptOctets: Int { json?.range.count ?? 0 }
}

/// A candidate in a signaling message.
package struct SignaledCandidate: Sendable, Hashable {
    /// The candidate.
    package var content: ICECandidate
    /// The `mid` of its media section, `sdpMid`.
    package var mid: String?
    /// The index of its `m=` line, from 0: `sdpMLineIndex`.
    package var lineIndex: Int?
    /// The username fragment of its generation.
    package var ufrag: String?
    /// Whether the message could have contained the media section, since the candidate is text.
    package var isText = true
}

extension SignalingMessage {
    /// Returns the messages in a text: one for each element of an array, and for each candidate.
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
        var envelope = SignalingEnvelope(node, names: carriage.names, path: carriage.path)
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
                // The whole text once, though it may contain several messages.
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
        // The end that a client requested is acknowledged by this event.
        if envelope.dialect == .janus, envelope.type == "detached" { return .other }
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

    /// Creates a step in an HTTP message of another protocol, by the event of that message.
    package init(_ purpose: SignalingKind, inHTTP event: Int) {
        let carriage = SignalingCarriage(carrier: .http, framing: .body)
        self.init(purpose, carriage, SignalingEnvelope(JSONNode(.null), names: carriage.names))
        httpEvent = event
    }

    /// The line of a malformed candidate.
    var brokenCandidate: String? { candidate == nil ? candidateText : nil }

    /// Whether it contains a description or a candidate, which identifies signaling.
    var isEvidence: Bool { description != nil || candidate != nil }
}

/// How a text is carried, and how it is parsed.
package struct SignalingCarriage {
    var carrier = SignalingMessage.Carrier.tcp
    var framing = SignalingFraming.concatenated
    var profile: SignalingProfile?
    var names: SignalingNames { profile?.names ?? SignalingNames() }
    /// The event name of Socket.IO.
    var event: String?
    /// The path of the HTTP request.
    var path: String?

    init(
        carrier: SignalingMessage.Carrier, framing: SignalingFraming = .concatenated, profile: SignalingProfile? = nil,
        event: String? = nil
    ) {
        self.carrier = carrier
        self.framing = framing
        self.profile = profile
        self.event = event
    }

    /// Creates the carriage of a text on TCP, without a profile.
    package init() {}
}
