import WeirPackets

/// The control information of a handshake (§3.2.1).
struct SRTHandshake: Sendable {
    /// The magic number in the extension field of an induction response (§4.3.1.1.2).
    static let magic: UInt16 = 0x4A17
    /// The octets before the extensions.
    static let length = 48

    /// The handshake type; other values are reasons for a rejection.
    enum Kind: Sendable, Hashable {
        case waveAHand, induction, conclusion, agreement, done
        case rejection(UInt32)

        init?(_ value: UInt32) {
            switch value {
            case 0: self = .waveAHand
            case 1: self = .induction
            case 0xFFFF_FFFF: self = .conclusion
            case 0xFFFF_FFFE: self = .agreement
            case 0xFFFF_FFFD: self = .done
            case 1_000..<4_000: self = .rejection(value)
            default: return nil
            }
        }
    }

    /// The basic parameters of one side (§3.2.1.1).
    struct Parameters: Sendable {
        var isResponse: Bool
        var version: UInt32
        var flags: UInt32
        var receiverDelay: UInt16
        var senderDelay: UInt16

        /// Whether packets are delivered by their timestamps, so that latency has a meaning (§4.5).
        var isTimed: Bool { flags & 3 != 0 }
        /// Whether the payload is a stream of octets, as for files (§4.2.2).
        var isBufferMode: Bool { flags & 0x40 != 0 }
        /// The library version in words.
        var release: String { "\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" }
    }

    let version: UInt32
    let encryption: UInt16
    let extensionField: UInt16
    let firstSequence: UInt32
    let maximumUnit: UInt32
    let flowWindow: UInt32
    let kind: Kind
    let socket: UInt32
    let cookie: UInt32
    /// The types of the extensions, in order.
    private(set) var extensions: [UInt16] = []
    private(set) var parameters: Parameters?
    private(set) var keys: SRTKeyMaterial?
    private(set) var streamID: SRTStreamID?
    private(set) var congestion: String?
    private(set) var filter: String?
    /// The group ID and type.
    private(set) var group: (id: UInt32, type: UInt8)?
    /// Whether an extension, or what follows it, was not captured.
    private(set) var isCut = false

    /// The key length in octets that the encryption field advertises, or nil.
    var keyLength: Int? { 2...4 ~= encryption ? Int(encryption) * 8 : nil }

    /// Whether the caller sent it: the induction request has no cookie yet, the conclusion request no response's extension
    /// (§4.3.1.1, §4.3.1.2). Nil if either side may have sent it.
    var isCallers: Bool? {
        switch kind {
        case .induction: cookie == 0
        case .conclusion: parameters.map { !$0.isResponse }
        case .rejection: false
        case .waveAHand, .agreement, .done: nil
        }
    }

    /// Parses a handshake, or returns nil if a field has a value that no handshake has. The last extension may be
    /// incomplete if the datagram was cut.
    init?(_ bytes: RawSpan, isCut: Bool = false) {
        guard bytes.byteCount >= Self.length, let version = bytes.uint32(at: 0), 4...5 ~= version,
            let encryption = bytes.uint16(at: 4), let extensionField = bytes.uint16(at: 6),
            let sequence = bytes.uint32(at: 8), sequence >> 31 == 0, let unit = bytes.uint32(at: 12),
            72...65_535 ~= unit, let window = bytes.uint32(at: 16), window > 0,
            let type = bytes.uint32(at: 20), let kind = Kind(type), let socket = bytes.uint32(at: 24),
            let cookie = bytes.uint32(at: 28)
        else { return nil }
        self.version = version
        self.encryption = encryption
        self.extensionField = extensionField
        firstSequence = sequence
        maximumUnit = unit
        flowWindow = window
        self.kind = kind
        self.socket = socket
        self.cookie = cookie
        var offset = Self.length
        while offset < bytes.byteCount {
            guard let type = bytes.uint16(at: offset), let words = bytes.uint16(at: offset &+ 2) else {
                guard isCut else { return nil }
                break
            }
            guard 1...8 ~= type else { return nil }
            let end = offset &+ 4 &+ Int(words) * 4
            guard end <= bytes.byteCount else {
                guard isCut else { return nil }
                break
            }
            extensions.append(type)
            read(type, bytes.clamped(offset &+ 4, end))
            offset = end
        }
        self.isCut = isCut
    }

    private mutating func read(_ type: UInt16, _ content: RawSpan) {
        switch type {
        case 1, 2:
            guard let version = content.uint32(at: 0), let flags = content.uint32(at: 4),
                let receiver = content.uint16(at: 8), let sender = content.uint16(at: 10)
            else { return }
            parameters = Parameters(
                isResponse: type == 2, version: version, flags: flags, receiverDelay: receiver, senderDelay: sender)
        case 3, 4: keys = SRTKeyMaterial(content, isResponse: type == 4)
        case 5: streamID = SRTStreamID(octets: Self.littleEndian(content))
        case 6: congestion = Self.text(content)
        case 7: filter = Self.text(content)
        default:
            if let id = content.uint32(at: 0), let type = content.byte(at: 4) { group = (id, type) }
        }
    }

    /// Returns text that is stored as little-endian words, without its padding (§3.2.1.3).
    private static func littleEndian(_ content: RawSpan) -> [UInt8] {
        var octets: [UInt8] = []
        for start in stride(from: 0, to: content.byteCount, by: 4) {
            for place in [3, 2, 1, 0] { if let octet = content.byte(at: start &+ place) { octets.append(octet) } }
        }
        while octets.last == 0 { octets.removeLast() }
        return octets
    }

    private static func text(_ content: RawSpan) -> String { String(decoding: littleEndian(content), as: UTF8.self) }
}

extension SRTHandshake {
    /// The names of the predefined reasons for a rejection, from 1000 on (§4.3).
    private static let reasons = [
        "unknown reason", "system function error", "rejected by peer", "resource allocation problem",
        "incorrect data in handshake", "listener's backlog exceeded", "internal program error", "socket is closing",
        "peer's version is too old", "rendezvous cookie collision", "wrong passphrase",
        "passphrase required or unexpected", "stream flag collision", "incompatible congestion controller",
        "incompatible packet filter", "incompatible group", "timeout expired", "incompatible cryptographic mode",
    ]

    /// The names of the reasons of a server's access control, 1,000 above those of libsrt's documentation.
    private static let accessReasons: [UInt32: String] = [
        2_400: "bad request", 2_401: "unauthorized", 2_402: "overload", 2_403: "forbidden", 2_404: "not found",
        2_405: "bad mode", 2_406: "unacceptable", 2_409: "conflict", 2_415: "unsupported media type", 2_423: "locked",
        2_424: "failed dependency", 2_500: "internal server error", 2_501: "not implemented", 2_502: "gateway error",
        2_503: "service unavailable", 2_505: "unsupported version", 2_507: "no room",
    ]

    /// The words for a code without a meaning.
    static let unknownReason = "unknown code"

    /// Returns a reason in words; codes from 2000 on are the application's.
    static func reason(_ code: UInt32) -> String {
        let index = Int(code) - 1_000
        if reasons.indices.contains(index) { return reasons[index] }
        return accessReasons[code] ?? (code >= 2_000 ? "application's reason" : unknownReason)
    }
}
