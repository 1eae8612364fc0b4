package import WeirEngine
package import WeirPackets

/// A message of STUN (RFC 8489 §5), TURN (RFC 8656), or classic STUN (RFC 3489), which had no magic cookie.
package struct STUNMessage: Sendable {
    /// The class of a message (RFC 8489 §5).
    package enum Class: UInt8, Sendable, Hashable {
        /// A request.
        case request
        /// An indication, which has no response.
        case indication
        /// A success response.
        case success
        /// An error response.
        case error
    }

    /// The result of verifying a message.
    package enum Check: String, Sendable, Hashable {
        /// Present, and not verifiable.
        case present
        /// Correct.
        case valid
        /// Incorrect.
        case invalid
    }

    /// The TURN encapsulation of a relayed message.
    package struct Relay: Sendable, Hashable {
        /// The channel number (RFC 8656 §12), or nil in Send and Data indications.
        package var channel: UInt16?
        /// The peer behind the relay, if known.
        package var peer: Endpoint?

        /// The key that distinguishes peers behind one relay: a client may bind a channel during communication with the
        /// peer, which then continues there (RFC 8656 §12). If the binding was not captured, only the channel does.
        var way: Way { peer.map { .peer($0) } ?? .channel(channel) }

        /// The key of a peer behind a relay.
        enum Way: Sendable, Hashable {
            case peer(Endpoint)
            case channel(UInt16?)
        }
    }

    /// The magic cookie (RFC 8489 §5).
    static let cookie = STUNTransaction.magicCookie
    /// Octets of the header.
    static let headerOctets = 20
    /// The maximum number of attributes that are parsed.
    private static let mostAttributes = 128
    /// The maximum number of octets kept for later verification.
    private static let mostSignedOctets = 2_048

    /// The class.
    package let messageClass: Class
    /// The method, 12 bits.
    package let method: UInt16
    /// The transaction.
    package let transaction: STUNTransaction
    /// The octets after the header, from the length field.
    package let length: Int
    /// Its attributes, in order.
    package internal(set) var attributes: [STUNAttribute] = []
    /// Whether the attributes fill the message exactly.
    package internal(set) var isWellFormed = true
    /// The result of verifying FINGERPRINT (RFC 8489 §14.7), or nil if there is none.
    package internal(set) var fingerprint: Check?
    /// The result of verifying the message integrity (RFC 8489 §14.5, §14.6), or nil if there is none.
    package internal(set) var integrity: Check?
    /// The TURN encapsulation, if the message is relayed.
    package internal(set) var relay: Relay?
    /// Whether it is a retransmission within its transaction.
    package internal(set) var isRetransmission = false
    /// Whether it is sent over TCP, which is reliable (RFC 8489 §6.2.2).
    package internal(set) var isOverTCP = false
    /// Whether it responds to a request with message integrity; false also if the request was not captured.
    package internal(set) var answersSigned = false
    /// Whether an earlier response on its flow is to a check that was not captured.
    package internal(set) var isBehindUnasked = false
    /// Whether it renews the consent of a working pair (RFC 7675 §5.1).
    var isConsent = false
    /// For a packet to a peer behind a relay, whether a permission was requested; nil if not known, or already reported
    /// for the peer.
    package internal(set) var hasPermission: Bool?
    /// For a request with a nonce after a 438, whether it repeats the rejected nonce; nil if no nonce was rejected, or
    /// the request may have been sent before the response arrived.
    package internal(set) var repeatsNonce: Bool?
    /// The type of its session, or nil while unknown.
    package var sessionType: Session.Type?
    /// Its octets, while they may be needed for verification.
    private(set) var signedOctets: [UInt8] = []

    /// Parses a message at the start of `bytes`.
    ///
    /// - Parameter isDatagram: Whether `bytes` are a complete datagram: a length beyond its end is wrong then.
    /// - Throws: An error if it cannot be STUN, or is incomplete.
    package init(_ bytes: RawSpan, isDatagram: Bool = false) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "STUN")
        let type = try reader.uint16()
        guard type & 0xC000 == 0 else { throw reader.malformed("the first two bits are not 0") }
        messageClass = Class(rawValue: UInt8((type >> 7 & 2) | (type >> 4 & 1))) ?? .request
        method = type >> 2 & 0xF80 | type >> 1 & 0x70 | type & 0xF
        length = Int(try reader.uint16())
        transaction = STUNTransaction(cookie: try reader.uint32(), high: try reader.uint32(), low: try reader.uint64())
        let isBeyond = isDatagram && !transaction.isClassic && length > reader.remaining
        let body = isBeyond ? reader.rest() : try reader.span(length)
        readAttributes(body)
        if isBeyond { isWellFormed = false }
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
            // Classic STUN has no padding.
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

// MARK: - Attribute values

extension STUNMessage {
    /// The method's name in reports, or its number.
    package var methodName: String { Self.name(ofMethod: method) }
    /// The name as specifications write it, such as `CreatePermission`.
    package var methodTitle: String { methodName.prefix(1).uppercased() + methodName.dropFirst() }

    /// Returns the name of a method in reports, or its number.
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

    /// Whether the method is one of TURN (RFC 8656 §17, RFC 6062 §6.1).
    var isTURN: Bool { 0x003...0x00C ~= method && method != 0x005 }
    /// Whether it is a ping of libwebrtc, which replaces consent checks after a successful check.
    var isPing: Bool { method == 0x080 }
    /// Whether it belongs to a binding transaction.
    var isBinding: Bool { method == 0x001 }
    /// Whether it is a request.
    package var isRequest: Bool { messageClass == .request }
    /// Whether it is a response.
    package var isAnswer: Bool { messageClass == .success || messageClass == .error }

    /// The mapped address: XOR-MAPPED-ADDRESS, else MAPPED-ADDRESS.
    package var mappedAddress: Endpoint? { endpoint(0x0020) ?? endpoint(0x8020) ?? endpoint(0x0001) }
    /// The relayed address (RFC 8656 §18.5).
    package var relayedAddress: Endpoint? { endpoint(0x0016) }
    /// The peer behind the relay (RFC 8656 §18.3).
    package var peerAddress: Endpoint? { endpoint(0x0012) }
    /// The username (RFC 8489 §14.3).
    package var username: String? { text(0x0006) }
    /// The priority of a resulting peer-reflexive candidate (RFC 8445 §7.1.1).
    package var priority: UInt32? { number(0x0024).map { UInt32(truncatingIfNeeded: $0) } }
    /// Whether it contains USE-CANDIDATE (RFC 8445 §7.1.2).
    package var usesCandidate: Bool { self[0x0025] != nil }
    /// The nomination number of a libwebrtc check, which replaces USE-CANDIDATE if both agents support renomination
    /// (draft-thatcher-ice-renomination); nil if absent.
    package var nomination: Int? {
        guard isBinding, isRequest, fragments != nil, let attribute = self[STUNAttribute.nomination],
            attribute.length == 4, case .number(let number) = attribute.value, number > 0
        else { return nil }
        return Int(number)
    }
    /// Whether it nominates the pair, in either way.
    package var nominates: Bool { usesCandidate || nomination != nil }
    /// The tie-breaker of a controlling agent (RFC 8445 §7.1.3).
    var controlling: UInt64? { number(0x802A) }
    /// The tie-breaker of a controlled agent.
    var controlled: UInt64? { number(0x8029) }
    /// The sender's role (RFC 8445 §7.1.3).
    package var iceRole: String? { controlling != nil ? "controlling" : controlled != nil ? "controlled" : nil }
    /// The channel number (RFC 8656 §18.1).
    var channelNumber: UInt16? { number(0x000C).map { UInt16(truncatingIfNeeded: $0 >> 16) } }
    /// The lifetime of an allocation in seconds (RFC 8656 §18.2).
    var lifetime: UInt32? { number(0x000D).map { UInt32(truncatingIfNeeded: $0) } }
    /// The realm of long-term credentials (RFC 8489 §14.9).
    var realm: String? { text(0x0014) }
    /// The nonce of long-term credentials (RFC 8489 §14.10).
    var nonce: String? { text(0x0015) }
    /// Whether it is a TURN request or response that is not itself relayed.
    var isRelayExchange: Bool { isTURN && relay == nil && messageClass != .indication }
    /// The sender's software (RFC 8489 §14.14).
    var software: String? { text(0x8022) }

    /// The error code and reason phrase (RFC 8489 §14.8).
    package var errorCode: (code: Int, reason: String)? {
        guard case .error(let code, let reason) = self[0x0009]?.value else { return nil }
        return (code, reason)
    }

    /// The range of the relayed octets (RFC 8656 §18.4), from the start of the message.
    var data: Range<Int>? {
        guard let attribute = self[0x0013] else { return nil }
        return attribute.offset &+ 4..<attribute.offset &+ 4 &+ attribute.length
    }

    /// The attributes that the server did not understand (RFC 8489 §14.13).
    var unknownAttributes: [UInt16] {
        guard case .types(let types) = self[0x000A]?.value else { return [] }
        return types
    }

    /// Whether it is an ICE connectivity check (RFC 8445 §7.1): a binding request whose username contains both
    /// fragments, with a role or a priority.
    var isICECheck: Bool {
        guard isBinding, isRequest, let parts = usernameParts else { return false }
        return !parts.receiver.isEmpty && !parts.sender.isEmpty
            && (priority != nil || controlling != nil || controlled != nil || usesCandidate || integrity != nil)
    }

    /// The username fragments of a check: of the receiving agent, then of the sending one (RFC 8445 §7.2.2).
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
