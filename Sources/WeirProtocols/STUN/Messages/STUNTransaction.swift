/// What pairs a request of STUN with its answer (RFC 8489 §5).
package struct STUNTransaction: Sendable, Hashable {
    static let magicCookie: UInt32 = 0x2112_A442

    /// The magic cookie; the first STUN had four more octets of the id there.
    let cookie: UInt32
    let high: UInt32
    let low: UInt64

    /// Whether it is of the first STUN, which had no cookie.
    var isClassic: Bool { cookie != Self.magicCookie }

    /// The id in lower-case hexadecimal digits: 24, or 32 of the first STUN.
    package var text: String {
        (isClassic ? Self.digits(UInt64(cookie), 8) : "") + Self.digits(UInt64(high), 8) + Self.digits(low, 16)
    }

    private static func digits(_ value: UInt64, _ count: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
