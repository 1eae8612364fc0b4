import Crypto
import WeirPackets
import WeirProtocols

/// Replaces the addresses and texts of STUN and TURN messages (RFC 8489, RFC 8656), and computes their integrity again where the
/// password is known.
struct STUNRedactor {
    let text: TextRedactor
    let addresses: AddressMapping
    /// Passwords by user name fragment, before and after.
    let passwords: [String: String]
    let newPassword: (String) -> String

    /// Whether octets are a message: the magic cookie is at its place (RFC 8489 §5).
    static func accepts(_ octets: [UInt8], _ start: Int) -> Bool {
        octets.uint32(start + 4) == 0x2112_A442 && (octets.byte(start) ?? 0xFF) < 0x40
    }

    private struct Attribute {
        let type: UInt16
        let value: Range<Int>
    }

    /// Replaces the content of a message. `inner` replaces a datagram that it carries.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>, inner: (inout [UInt8], Range<Int>) -> Void) {
        let original = octets
        let attributes = Self.attributes(octets, range)
        for attribute in attributes {
            switch attribute.type {
            // MAPPED-ADDRESS, ALTERNATE-SERVER, RESPONSE-ORIGIN, OTHER-ADDRESS.
            case 0x0001, 0x8023, 0x802B, 0x802C, 0x0004, 0x0005:
                address(&octets, attribute.value, range.lowerBound, isMixed: false)
            // XOR-PEER-ADDRESS, XOR-RELAYED-ADDRESS, XOR-MAPPED-ADDRESS, and its old type.
            case 0x0012, 0x0016, 0x0020, 0x8020: address(&octets, attribute.value, range.lowerBound, isMixed: true)
            // USERNAME, ERROR-CODE.
            case 0x0006, 0x0009: text.redact(&octets, attribute.value)
            // REALM, ALTERNATE-DOMAIN, and NONCE behind its features (RFC 8489 §9.2).
            case 0x0014, 0x8003: text.redactAll(&octets, attribute.value)
            case 0x0015:
                let hasFeatures = octets[attribute.value].starts(with: Array("obMatJos2".utf8))
                let start = min(attribute.value.upperBound, attribute.value.lowerBound + (hasFeatures ? 13 : 0))
                text.redactAll(&octets, start..<attribute.value.upperBound)
            case 0x0013: inner(&octets, attribute.value)
            default: break
            }
        }
        for attribute in attributes where attribute.type == 0x0008 {
            integrity(&octets, original, range, attribute, attributes)
        }
        for attribute in attributes where attribute.type == 0x8028 && attribute.value.count == 4 {
            let start = attribute.value.lowerBound - 4
            guard Self.fingerprint(original[range.lowerBound..<start]) == original.uint32(start + 4) else { continue }
            let value = Self.fingerprint(octets[range.lowerBound..<start])
            octets.put([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }, at: start + 4)
        }
    }

    private static func attributes(_ octets: [UInt8], _ range: Range<Int>) -> [Attribute] {
        var found: [Attribute] = []
        var place = range.lowerBound + 20
        let end = min(range.upperBound, range.lowerBound + 20 + Int(octets.uint16(range.lowerBound + 2) ?? 0))
        while place + 4 <= end, let type = octets.uint16(place), let length = octets.uint16(place + 2) {
            let stop = min(end, place + 4 + Int(length))
            found.append(Attribute(type: type, value: place + 4..<stop))
            place += 4 + (Int(length) + 3) / 4 * 4
        }
        return found
    }

    /// Replaces an address: family, port, address, the latter mixed with the cookie and the transaction (RFC 8489 §14.2).
    private func address(_ octets: inout [UInt8], _ value: Range<Int>, _ message: Int, isMixed: Bool) {
        let isIPv4 = octets.byte(value.lowerBound + 1) == 1
        let place = value.lowerBound + 4
        let count = isIPv4 ? 4 : 16
        guard place + count <= value.upperBound else { return }
        let mask = isMixed ? Array(octets.part(message + 4, message + 4 + count)) : [UInt8](repeating: 0, count: count)
        guard mask.count == count else { return }
        let plain = zip(octets[place..<place + count], mask).map { $0 ^ $1 }
        guard let address = PacketAddresses.address(plain, 0, isIPv4: isIPv4) else { return }
        octets.put(zip(PacketAddresses.octets(addresses(address)), mask).map { $0 ^ $1 }, at: place)
    }

    /// Computes the integrity again if it was right with a known password (RFC 8489 §14.5).
    private func integrity(
        _ octets: inout [UInt8], _ original: [UInt8], _ range: Range<Int>, _ attribute: Attribute,
        _ attributes: [Attribute]
    ) {
        let start = attribute.value.lowerBound - 4
        let code = Array(original.part(attribute.value.lowerBound, attribute.value.upperBound))
        for password in passwords.values {
            let covered = Self.covered(original, range.lowerBound, start)
            guard Self.code(covered, password) == code else { continue }
            octets.put(
                Self.code(Self.covered(octets, range.lowerBound, start), newPassword(password)),
                at: attribute.value.lowerBound)
            return
        }
    }

    /// Returns the octets before an integrity attribute, with the length as if the message ended behind it.
    private static func covered(_ octets: [UInt8], _ message: Int, _ end: Int) -> [UInt8] {
        var covered = Array(octets.part(message, end))
        covered.put(UInt16(truncatingIfNeeded: end - message - 20 + 24), at: 2)
        return covered
    }

    private static func code(_ octets: [UInt8], _ password: String) -> [UInt8] {
        Array(HMAC<Insecure.SHA1>.authenticationCode(for: octets, using: SymmetricKey(data: Array(password.utf8))))
    }

    /// Returns the value of FINGERPRINT: the CRC-32 of the message, mixed (RFC 8489 §14.7).
    private static func fingerprint(_ octets: ArraySlice<UInt8>) -> UInt32 {
        CRC32.checksum(Array(octets).rawSpan) ^ 0x5354_554E
    }
}
