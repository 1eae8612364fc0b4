import WeirPackets

@testable import WeirProtocols

/// Builds STUN, DTLS and RTP packets.
enum PeerOctets {
    static func big(_ value: UInt64, _ octets: Int) -> [UInt8] {
        (0..<octets).map { UInt8(truncatingIfNeeded: value >> (8 * (octets - 1 - $0))) }
    }

    // MARK: - STUN

    /// A STUN message with transaction ID `id`; attributes are padded, and FINGERPRINT is appended on request.
    static func stun(
        _ type: UInt16, id: UInt64, _ attributes: [(UInt16, [UInt8])] = [], fingerprint: Bool = false
    ) -> [UInt8] {
        var body: [UInt8] = []
        for (type, value) in attributes {
            body += big(UInt64(type), 2) + big(UInt64(value.count), 2) + value
            body += [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        }
        let length = body.count + (fingerprint ? 8 : 0)
        var message =
            big(UInt64(type), 2) + big(UInt64(length), 2) + big(0x2112_A442, 4) + big(0, 4) + big(id, 8) + body
        if fingerprint {
            message += big(0x8028, 2) + big(4, 2) + big(UInt64(CRC32.checksum(message.rawSpan) ^ 0x5354_554E), 4)
        }
        return message
    }

    /// A connectivity check to the agent `receiver`.
    static func check(
        _ receiver: String, _ sender: String, id: UInt64, controlling: Bool = true, nominates: Bool = false,
        priority: Bool = true, role: Bool = true
    ) -> [UInt8] {
        var attributes: [(UInt16, [UInt8])] = [(0x0006, Array("\(receiver):\(sender)".utf8))]
        if priority { attributes.append((0x0024, big(0x6E00_01FF, 4))) }
        if role { attributes.append((controlling ? 0x802A : 0x8029, big(7, 8))) }
        if nominates { attributes.append((0x0025, [])) }
        return stun(0x0001, id: id, attributes, fingerprint: true)
    }

    /// The success response to a check.
    static func granted(id: UInt64) -> [UInt8] {
        stun(0x0101, id: id, [(0x0020, address(192, 0, 2, 1, 50_000, mixed: true))], fingerprint: true)
    }

    /// An error response.
    static func refused(_ type: UInt16, _ code: Int, id: UInt64, unknown: [UInt16] = []) -> [UInt8] {
        var attributes: [(UInt16, [UInt8])] = [(0x0009, [0, 0, UInt8(code / 100), UInt8(code % 100)])]
        if !unknown.isEmpty { attributes.append((0x000A, unknown.flatMap { big(UInt64($0), 2) })) }
        return stun(type, id: id, attributes)
    }

    /// The value of an IPv4 address attribute.
    static func address(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ port: UInt16, mixed: Bool) -> [UInt8] {
        let mask: [UInt8] = mixed ? [0x21, 0x12, 0xA4, 0x42] : [0, 0, 0, 0]
        let port = port ^ (mixed ? 0x2112 : 0)
        return [0, 1] + big(UInt64(port), 2) + zip([a, b, c, d], mask).map { $0 ^ $1 }
    }

    // MARK: - DTLS

    /// A record with one handshake message or a fragment of one.
    static func handshake(
        _ type: UInt8, number: UInt64, _ body: [UInt8], part: Range<Int>? = nil, record: UInt64 = 0
    ) -> [UInt8] {
        let part = part ?? 0..<body.count
        let message =
            [type] + big(UInt64(body.count), 3) + big(number, 2) + big(UInt64(part.lowerBound), 3)
            + big(UInt64(part.count), 3) + body[part]
        return [22, 0xFE, 0xFD] + big(0, 2) + big(record, 6) + big(UInt64(message.count), 2) + message
    }

    /// An encrypted record.
    static func encrypted(_ type: UInt8) -> [UInt8] {
        [type, 0xFE, 0xFD] + big(1, 2) + big(0, 6) + big(16, 2) + [UInt8](repeating: 0xAA, count: 16)
    }

    /// The use_srtp extension.
    private static func extensions(_ profiles: [UInt16]?) -> [UInt8] {
        guard let profiles else { return [] }
        let list = profiles.flatMap { big(UInt64($0), 2) }
        let body = big(UInt64(list.count), 2) + list + [0]
        let all = big(14, 2) + big(UInt64(body.count), 2) + body
        return big(UInt64(all.count), 2) + all
    }

    static func clientHello(_ profiles: [UInt16]? = [1, 7]) -> [UInt8] {
        [0xFE, 0xFD] + [UInt8](repeating: 1, count: 32) + [0, 0] + big(2, 2) + big(0xC02B, 2) + [1, 0]
            + extensions(profiles)
    }

    static func serverHello(_ profiles: [UInt16]? = [7]) -> [UInt8] {
        [0xFE, 0xFD] + [UInt8](repeating: 2, count: 32) + [0] + big(0xC02B, 2) + [0] + extensions(profiles)
    }

    static func certificate(_ octets: [UInt8]) -> [UInt8] {
        big(UInt64(octets.count + 3), 3) + big(UInt64(octets.count), 3) + octets
    }

    // MARK: - RTP

    static func rtp(_ sequence: UInt16, ssrc: UInt32 = 0x0BAD_CAFE, payloadType: UInt8 = 96) -> [UInt8] {
        [0x80, payloadType] + big(UInt64(sequence), 2) + big(UInt64(sequence) * 960, 4) + big(UInt64(ssrc), 4)
            + [UInt8](repeating: 0x55, count: 40)
    }
}
