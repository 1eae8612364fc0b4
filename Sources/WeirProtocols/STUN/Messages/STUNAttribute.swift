package import WeirPackets

/// An attribute of a STUN message (RFC 8489 §14).
package struct STUNAttribute: Sendable, Hashable {
    /// The decoded value of an attribute.
    package enum Value: Sendable, Hashable {
        /// An address and a port.
        case endpoint(Endpoint)
        /// Text.
        case text(String)
        /// A number, of up to eight octets.
        case number(UInt64)
        /// An error code (RFC 8489 §14.8).
        case error(code: Int, reason: String)
        /// Types of attributes (RFC 8489 §14.13).
        case types([UInt16])
        /// An attribute without a value.
        case flag
        /// Octets that are not decoded.
        case octets
    }

    static let messageIntegrity: UInt16 = 0x0008
    static let messageIntegritySHA256: UInt16 = 0x001C
    static let fingerprint: UInt16 = 0x8028
    /// The nomination number of libwebrtc, which nominates successive pairs (draft-thatcher-ice-renomination). The
    /// registry assigns the type to ENF-FLOW-DESCRIPTION, which no check contains.
    static let nomination: UInt16 = 0xC001
    /// The maximum number of characters of a text: RFC 8489 §14 allows 763 octets in the longest.
    private static let mostText = 763

    /// The type.
    package let type: UInt16
    /// The offset of its header in octets from the start of the message.
    package let offset: Int
    /// The length of its value in octets.
    package let length: Int
    /// The decoded value.
    package let value: Value

    init(type: UInt16, offset: Int, bytes: RawSpan, transaction: STUNTransaction) {
        self.type = type
        self.offset = offset
        length = bytes.byteCount
        value = Self.read(type, bytes, transaction)
    }

    /// Whether it is a message integrity attribute.
    var isIntegrity: Bool { type == Self.messageIntegrity || type == Self.messageIntegritySHA256 }
    /// Whether it is comprehension-required (RFC 8489 §14).
    var mustBeKnown: Bool { type < 0x8000 }
    /// Whether reports show only its length.
    var isSecret: Bool { [0x0007, 0x001B, 0x0022, 0x8030].contains(type) }

    private static func read(_ type: UInt16, _ bytes: RawSpan, _ transaction: STUNTransaction) -> Value {
        switch type {
        case 0x0001, 0x0002, 0x0004, 0x0005, 0x000B, 0x8023, 0x802B, 0x802C:
            return endpoint(bytes, nil).map { .endpoint($0) } ?? .octets
        case 0x0012, 0x0016, 0x0020, 0x8020:
            return endpoint(bytes, transaction).map { .endpoint($0) } ?? .octets
        case 0x0006, 0x0014, 0x0015, 0x8003, 0x8022:
            return .text(bytes.clamped(0, mostText).text())
        case 0x0009, 0x8001: return refusal(bytes)
        case 0x000A:
            return .types(stride(from: 0, to: bytes.byteCount, by: 2).compactMap { bytes.uint16(at: $0) })
        case 0x0025, 0x001A: return bytes.byteCount == 0 ? .flag : .octets
        case 0x0003, 0x000C, 0x000D, 0x0010, 0x0017, 0x0018, 0x0019, 0x0021, 0x0024, 0x0026, 0x0027, 0x002A, 0x8000,
            0x8004, 0x8025, 0x8027, 0x8028, 0x8029, 0x802A, 0x802D, nomination, 0xC057, 0xC05B, 0xC060, 0xFF00:
            return number(bytes)
        default: return .octets
        }
    }

    private static func number(_ bytes: RawSpan) -> Value {
        switch bytes.byteCount {
        case 1: bytes.byte(at: 0).map { .number(UInt64($0)) } ?? .octets
        case 2: bytes.uint16(at: 0).map { .number(UInt64($0)) } ?? .octets
        case 4: bytes.uint32(at: 0).map { .number(UInt64($0)) } ?? .octets
        case 8: bytes.uint64(at: 0).map { .number($0) } ?? .octets
        default: .octets
        }
    }

    /// Parses an address (RFC 8489 §14.1); with a transaction, one that is XORed with the cookie and the transaction ID
    /// (§14.2), so that NATs do not rewrite it.
    private static func endpoint(_ bytes: RawSpan, _ mixed: STUNTransaction?) -> Endpoint? {
        guard let family = bytes.byte(at: 1), var port = bytes.uint16(at: 2) else { return nil }
        if let mixed { port ^= UInt16(truncatingIfNeeded: mixed.cookie >> 16) }
        switch (family, bytes.byteCount) {
        case (1, 8):
            guard let bits = bytes.uint32(at: 4) else { return nil }
            return Endpoint(address: IPAddress(ipv4: bits ^ (mixed?.cookie ?? 0)), port: port)
        case (2, 20):
            guard let high = bytes.uint64(at: 4), let low = bytes.uint64(at: 12) else { return nil }
            let mask = mixed.map { (UInt64($0.cookie) << 32 | UInt64($0.high), $0.low) } ?? (0, 0)
            return Endpoint(address: IPAddress(ipv6High: high ^ mask.0, low: low ^ mask.1), port: port)
        default: return nil
        }
    }

    /// Parses an error code: the class as hundreds, and the number (RFC 8489 §14.8).
    private static func refusal(_ bytes: RawSpan) -> Value {
        guard let hundreds = bytes.byte(at: 2), let rest = bytes.byte(at: 3) else { return .octets }
        return .error(code: Int(hundreds & 7) * 100 + Int(rest), reason: bytes.clamped(4, 4 + mostText).text())
    }
}

extension STUNAttribute {
    /// The name in the IANA registry, or the hexadecimal type.
    package var name: String { Self.names[type] ?? "0x" + Self.digits(type) }

    static func digits(_ type: UInt16) -> String {
        let digits = String(type, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static let names: [UInt16: String] = [
        0x0001: "MAPPED-ADDRESS", 0x0002: "RESPONSE-ADDRESS", 0x0003: "CHANGE-REQUEST", 0x0004: "SOURCE-ADDRESS",
        0x0005: "CHANGED-ADDRESS", 0x0006: "USERNAME", 0x0007: "PASSWORD", 0x0008: "MESSAGE-INTEGRITY",
        0x0009: "ERROR-CODE", 0x000A: "UNKNOWN-ATTRIBUTES", 0x000B: "REFLECTED-FROM", 0x000C: "CHANNEL-NUMBER",
        0x000D: "LIFETIME", 0x0010: "BANDWIDTH", 0x0012: "XOR-PEER-ADDRESS", 0x0013: "DATA", 0x0014: "REALM",
        0x0015: "NONCE", 0x0016: "XOR-RELAYED-ADDRESS", 0x0017: "REQUESTED-ADDRESS-FAMILY", 0x0018: "EVEN-PORT",
        0x0019: "REQUESTED-TRANSPORT", 0x001A: "DONT-FRAGMENT", 0x001B: "ACCESS-TOKEN",
        0x001C: "MESSAGE-INTEGRITY-SHA256", 0x001D: "PASSWORD-ALGORITHM", 0x001E: "USERHASH",
        0x0020: "XOR-MAPPED-ADDRESS", 0x0021: "TIMER-VAL", 0x0022: "RESERVATION-TOKEN", 0x0024: "PRIORITY",
        0x0025: "USE-CANDIDATE", 0x0026: "PADDING", 0x0027: "RESPONSE-PORT", 0x002A: "CONNECTION-ID",
        0x8000: "ADDITIONAL-ADDRESS-FAMILY", 0x8001: "ADDRESS-ERROR-CODE", 0x8002: "PASSWORD-ALGORITHMS",
        0x8003: "ALTERNATE-DOMAIN", 0x8004: "ICMP", 0x8020: "XOR-MAPPED-ADDRESS (draft)", 0x8022: "SOFTWARE",
        0x8023: "ALTERNATE-SERVER", 0x8025: "TRANSACTION_TRANSMIT_COUNTER", 0x8027: "CACHE-TIMEOUT",
        0x8028: "FINGERPRINT", 0x8029: "ICE-CONTROLLED", 0x802A: "ICE-CONTROLLING", 0x802B: "RESPONSE-ORIGIN",
        0x802C: "OTHER-ADDRESS", 0x802D: "ECN-CHECK", 0x802E: "THIRD-PARTY-AUTHORIZATION", 0x8030: "MOBILITY-TICKET",
        0x8050: "MS-SERVICE-QUALITY", 0x8054: "CANDIDATE-IDENTIFIER", 0x8070: "MS-IMPLEMENTATION-VERSION",
        0xC000: "CISCO-STUN-FLOWDATA", 0xC001: "ENF-FLOW-DESCRIPTION", 0xC002: "ENF-NETWORK-STATUS",
        0xC057: "GOOG-NETWORK-INFO", 0xC058: "GOOG-LAST-ICE-CHECK-RECEIVED", 0xC059: "GOOG-MISC-INFO",
        0xC05A: "GOOG-OBSOLETE-1", 0xC05B: "GOOG-CONNECTION-ID", 0xC05C: "GOOG-DELTA", 0xC05D: "GOOG-DELTA-ACK",
        0xC05E: "GOOG-DELTA-SYNC-REQ", 0xC060: "GOOG-MESSAGE-INTEGRITY-32", 0xC070: "META-DTLS-IN-STUN",
        0xC071: "META-DTLS-IN-STUN-ACK", 0xFF00: "RETRANSMIT-COUNT",
    ]
}
