package import WeirEngine
package import WeirPackets

/// A message of STUN (RFC 8489 §5), of TURN (RFC 8656), or of the first STUN (RFC 3489), which had no magic cookie.
package struct STUNMessage: Sendable {
    /// What a message is in its transaction (RFC 8489 §5).
    package enum Class: UInt8, Sendable, Hashable {
        /// It asks.
        case request
        /// It asks for no answer.
        case indication
        /// The answer that grants.
        case success
        /// The answer that refuses.
        case error
    }

    /// How a check of the message's own stood.
    package enum Check: String, Sendable, Hashable {
        /// It is there, and nothing is known that could verify it.
        case present
        /// It is right.
        case valid
        /// It is wrong.
        case invalid
    }

    /// Inside what a message travels that a relay carries.
    package struct Relay: Sendable, Hashable {
        /// The number of the channel (RFC 8656 §12); nil in Send and Data indications.
        package var channel: UInt16?
        /// The peer behind the relay, if the capture shows who it is.
        package var peer: Endpoint?

        /// What tells the peers behind one relay apart: a client may bind a channel while it speaks with the peer, and what it
        /// sends goes on there (RFC 8656 §12). Where the capture lacks the binding, only the channel does.
        var way: Way { peer.map { .peer($0) } ?? .channel(channel) }

        /// See `way`.
        enum Way: Sendable, Hashable {
            case peer(Endpoint)
            case channel(UInt16?)
        }
    }

    /// The magic cookie (RFC 8489 §5).
    static let cookie = STUNTransaction.magicCookie
    /// Octets of the header.
    static let headerOctets = 20
    /// Attributes of one message that are read.
    private static let mostAttributes = 128
    /// Octets of a message that are kept to verify it later.
    private static let mostSignedOctets = 2_048

    /// What it is in its transaction.
    package let messageClass: Class
    /// The method, 12 bits.
    package let method: UInt16
    /// The transaction that it belongs to.
    package let transaction: STUNTransaction
    /// Octets behind the header, as it says.
    package let length: Int
    /// Its attributes, in order.
    package internal(set) var attributes: [STUNAttribute] = []
    /// Whether the attributes fill the message exactly.
    package internal(set) var isWellFormed = true
    /// Whether the checksum of FINGERPRINT is right (RFC 8489 §14.7); nil when there is none.
    package internal(set) var fingerprint: Check?
    /// Whether the message authentication code is right (RFC 8489 §14.5, §14.6); nil when there is none.
    package internal(set) var integrity: Check?
    /// Inside what it travels, if a relay carries it.
    package internal(set) var relay: Relay?
    /// Whether it was sent before, in the same transaction.
    package internal(set) var isRetransmission = false
    /// Whether a connection carries it, which sends again what is lost (RFC 8489 §6.2.2).
    package internal(set) var isOverTCP = false
    /// Whether it answers a request that had an authentication code; false also when the request was not seen.
    package internal(set) var answersSigned = false
    /// Whether its flow held an answer before, to a check of which it does not hold the request.
    package internal(set) var isBehindUnasked = false
    /// Whether it keeps up a pair of candidates that works already (RFC 7675 §5.1).
    var isConsent = false
    /// Of a packet for a peer behind a relay: whether the relay was asked to let it pass; nil where that is not known, or was
    /// said of the peer before.
    package internal(set) var hasPermission: Bool?
    /// Of a request that carries a nonce after one was refused with 438: whether it repeats the refused nonce. Nil where no
    /// nonce was refused, or the request may have been sent before the refusal arrived.
    package internal(set) var repeatsNonce: Bool?
    /// The story that it is a step of; nil while nothing shows that it is one of any.
    package var story: Session.Type?
    /// Its octets, as long as a code in them may be verified.
    private(set) var signedOctets: [UInt8] = []

    /// Reads a message; `bytes` may go on behind it.
    ///
    /// - Throws: when it cannot be STUN, or is not all there.
    package init(_ bytes: RawSpan) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "STUN")
        let type = try reader.uint16()
        guard type & 0xC000 == 0 else { throw reader.malformed("the first two bits are not 0") }
        messageClass = Class(rawValue: UInt8((type >> 7 & 2) | (type >> 4 & 1))) ?? .request
        method = type >> 2 & 0xF80 | type >> 1 & 0x70 | type & 0xF
        length = Int(try reader.uint16())
        transaction = STUNTransaction(cookie: try reader.uint32(), high: try reader.uint32(), low: try reader.uint64())
        let body = try reader.span(length)
        readAttributes(body)
        verifyFingerprint(bytes)
        if attributes.contains(where: { $0.isIntegrity }) {
            integrity = .present
            if length <= Self.mostSignedOctets { signedOctets = bytes.clamped(0, Self.headerOctets &+ length).array() }
        }
    }

    private mutating func readAttributes(_ body: RawSpan) {
        var offset = 0
        while offset < body.byteCount {
            guard let type = body.uint16(at: offset), let octets = body.uint16(at: offset &+ 2),
                offset &+ 4 &+ Int(octets) <= body.byteCount, attributes.count < Self.mostAttributes
            else {
                isWellFormed = false
                return
            }
            let start = offset &+ 4
            attributes.append(
                STUNAttribute(
                    type: type, offset: Self.headerOctets &+ offset,
                    bytes: body.clamped(start, start &+ Int(octets)), transaction: transaction))
            // The first STUN did not pad.
            offset = start &+ (transaction.isClassic ? Int(octets) : (Int(octets) &+ 3) & ~3)
        }
        if offset > body.byteCount { isWellFormed = false }
    }

    private mutating func verifyFingerprint(_ bytes: RawSpan) {
        guard let attribute = attributes.first(where: { $0.type == STUNAttribute.fingerprint }),
            case .number(let value) = attribute.value
        else { return }
        let sum = CRC32.checksum(bytes.clamped(0, attribute.offset)) ^ 0x5354_554E
        fingerprint = UInt64(sum) == value ? .valid : .invalid
    }

    /// The first attribute of a type.
    subscript(type: UInt16) -> STUNAttribute? {
        for attribute in attributes where attribute.type == type { return attribute }
        return nil
    }
}

// MARK: - What attributes say

extension STUNMessage {
    /// The method's name in reports; of others its number.
    package var methodName: String { Self.name(ofMethod: method) }

    /// The name of a method in reports; of others its number.
    static func name(ofMethod method: UInt16) -> String {
        switch method {
        case 0x001: "binding"
        case 0x002: "sharedSecret"
        case 0x003: "allocate"
        case 0x004: "refresh"
        case 0x006: "send"
        case 0x007: "data"
        case 0x008: "createPermission"
        case 0x009: "channelBind"
        case 0x00A: "connect"
        case 0x00B: "connectionBind"
        case 0x00C: "connectionAttempt"
        case 0x080: "googPing"
        default: "0x" + String(method, radix: 16)
        }
    }

    /// Whether the method is one of TURN's (RFC 8656 §17, RFC 6062 §6.1).
    var isTURN: Bool { 0x003...0x00C ~= method && method != 0x005 }
    /// Whether it is a ping of libwebrtc, which takes the place of checks for consent once a check was granted.
    var isPing: Bool { method == 0x080 }
    /// Whether it belongs to a binding transaction.
    var isBinding: Bool { method == 0x001 }
    /// Whether it asks.
    package var isRequest: Bool { messageClass == .request }
    /// Whether it answers.
    package var isAnswer: Bool { messageClass == .success || messageClass == .error }

    /// Where the server saw the request come from: XOR-MAPPED-ADDRESS, else MAPPED-ADDRESS.
    package var mappedAddress: Endpoint? { endpoint(0x0020) ?? endpoint(0x8020) ?? endpoint(0x0001) }
    /// The address that a relay gave (RFC 8656 §18.5).
    package var relayedAddress: Endpoint? { endpoint(0x0016) }
    /// The peer behind the relay (RFC 8656 §18.3).
    package var peerAddress: Endpoint? { endpoint(0x0012) }
    /// The user name (RFC 8489 §14.3).
    package var username: String? { text(0x0006) }
    /// The priority that a peer-reflexive candidate would have (RFC 8445 §7.1.1).
    package var priority: UInt32? { number(0x0024).map { UInt32(truncatingIfNeeded: $0) } }
    /// Whether the pair is nominated (RFC 8445 §7.1.2).
    package var usesCandidate: Bool { self[0x0025] != nil }
    /// The number of the nomination that a check of libwebrtc makes, which takes the place of USE-CANDIDATE where both agents
    /// can choose anew (draft-thatcher-ice-renomination); nil where it makes none.
    package var nomination: Int? {
        guard isBinding, isRequest, fragments != nil, let attribute = self[STUNAttribute.nomination],
            attribute.length == 4, case .number(let number) = attribute.value, number > 0
        else { return nil }
        return Int(number)
    }
    /// Whether the pair is to be used from now on, in either way.
    package var nominates: Bool { usesCandidate || nomination != nil }
    /// The tie-breaker of an agent that controls (RFC 8445 §7.1.3).
    var controlling: UInt64? { number(0x802A) }
    /// The tie-breaker of an agent that is controlled.
    var controlled: UInt64? { number(0x8029) }
    /// Which role the sender has (RFC 8445 §7.1.3).
    package var iceRole: String? { controlling != nil ? "controlling" : controlled != nil ? "controlled" : nil }
    /// The number of a channel (RFC 8656 §18.1).
    var channelNumber: UInt16? { number(0x000C).map { UInt16(truncatingIfNeeded: $0 >> 16) } }
    /// Seconds that an allocation lasts (RFC 8656 §18.2).
    var lifetime: UInt32? { number(0x000D).map { UInt32(truncatingIfNeeded: $0) } }
    /// The realm of long-term credentials (RFC 8489 §14.9).
    var realm: String? { text(0x0014) }
    /// The nonce of long-term credentials (RFC 8489 §14.10).
    var nonce: String? { text(0x0015) }
    /// Whether it is a request to a relay, or the response to one, that travels on the relay's own flow.
    var isRelayExchange: Bool { isTURN && relay == nil && messageClass != .indication }
    /// What the sender is (RFC 8489 §14.14).
    var software: String? { text(0x8022) }

    /// Why the request was refused (RFC 8489 §14.8).
    package var errorCode: (code: Int, reason: String)? {
        guard case .error(let code, let reason) = self[0x0009]?.value else { return nil }
        return (code, reason)
    }

    /// Where the octets lie that a relay carries (RFC 8656 §18.4), counted from the start of the message.
    var data: Range<Int>? {
        guard let attribute = self[0x0013] else { return nil }
        return attribute.offset &+ 4..<attribute.offset &+ 4 &+ attribute.length
    }

    /// The attributes that the receiver did not know (RFC 8489 §14.13).
    var unknownAttributes: [UInt16] {
        guard case .types(let types) = self[0x000A]?.value else { return [] }
        return types
    }

    /// Whether it is a connectivity check of ICE (RFC 8445 §7.1): a binding request whose user name holds the fragments
    /// of both, and that says the role or the priority.
    var isICECheck: Bool {
        guard isBinding, isRequest, let parts = usernameParts else { return false }
        return !parts.receiver.isEmpty && !parts.sender.isEmpty
            && (priority != nil || controlling != nil || controlled != nil || usesCandidate || integrity != nil)
    }

    /// The user name fragments of a check: of the agent that it is sent to, then of the one that sends it
    /// (RFC 8445 §7.2.2).
    var fragments: (receiver: String, sender: String)? {
        usernameParts.map { (String($0.receiver), String($0.sender)) }
    }

    private var usernameParts: (receiver: Substring, sender: Substring)? {
        guard let username, let colon = username.utf8.firstIndex(of: ASCII.colon) else { return nil }
        return (username[..<colon], username[username.utf8.index(after: colon)...])
    }

    private func endpoint(_ type: UInt16) -> Endpoint? {
        guard case .endpoint(let endpoint) = self[type]?.value else { return nil }
        return endpoint
    }

    private func text(_ type: UInt16) -> String? {
        guard case .text(let text) = self[type]?.value else { return nil }
        return text
    }

    private func number(_ type: UInt16) -> UInt64? {
        guard case .number(let number) = self[type]?.value else { return nil }
        return number
    }
}
