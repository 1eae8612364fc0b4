/// The transaction ID, which matches a STUN response to its request (RFC 8489 §5).
package struct STUNTransaction: Sendable, Hashable {
    static let magicCookie: UInt32 = 0x2112_A442

    /// The magic cookie; in classic STUN the first four octets of the ID.
    let cookie: UInt32
    let high: UInt32
    let low: UInt64

    /// Whether it is of classic STUN, which had no magic cookie.
    var isClassic: Bool { cookie != Self.magicCookie }

    /// The ID in lowercase hexadecimal digits: 24, or 32 in classic STUN.
    package var text: String {
        (isClassic ? Self.digits(UInt64(cookie), 8) : "") + Self.digits(UInt64(high), 8) + Self.digits(low, 16)
    }

    private static func digits(_ value: UInt64, _ count: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
