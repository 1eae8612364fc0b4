import WeirPackets

/// Replaces IP and MAC addresses. The mapping keeps prefixes: two addresses share as many leading octets (IPv6: digits) after it as
/// before. It keeps the length of an address as text, and what kind of address it is: private, link-local, loopback, multicast.
///
/// Multicast, loopback and unspecified addresses are kept: they name no host. Not thread-safe: it remembers results.
package final class AddressMapping {
    private let key: RedactionKey
    private var known: [IPAddress: IPAddress] = [:]
    private var knownMACs: [[UInt8]: [UInt8]] = [:]
    /// Permutations of the values of an octet by the octets before it.
    private var permutations: [[UInt8]: [UInt8]] = [:]
    /// Whether addresses are replaced at all.
    private let isKept: Bool
    /// Replacements that another run chose.
    private var given: [IPAddress: IPAddress] = [:]
    /// Another number gives other replacements.
    private var attempt: UInt8 = 0

    /// The number of results that are remembered; more are computed again.
    private static let mostKnown = 1 << 18

    /// Creates a mapping. `isKept` leaves all addresses as they are.
    package init(_ key: RedactionKey, isKept: Bool) {
        self.key = key
        self.isKept = isKept
    }

    /// The addresses that were replaced so far, with their replacements.
    package var replaced: [IPAddress: IPAddress] { known.filter { $0 != $1 } }
    /// The MAC addresses that were replaced so far, with their replacements.
    package var replacedMACs: [[UInt8]: [UInt8]] { knownMACs.filter { $0 != $1 } }

    /// Adds a replacement that another run chose.
    package func add(_ address: IPAddress, _ other: IPAddress) {
        given[address] = other
        known[address] = other
    }

    /// Chooses other replacements, except for those that another run chose.
    package func choose(attempt: Int) {
        self.attempt = UInt8(truncatingIfNeeded: attempt)
        known = given
        permutations = [:]
    }

    /// Returns the replacement of an address.
    package func callAsFunction(_ address: IPAddress) -> IPAddress {
        if isKept { return address }
        if let other = known[address] { return other }
        let other = address.isIPv4 ? ipv4(address) : ipv6(address)
        if known.count < Self.mostKnown { known[address] = other }
        return other
    }

    /// Returns the replacement of a MAC address of six octets.
    package func mac(_ octets: [UInt8]) -> [UInt8] {
        guard !isKept, octets.count == 6, octets[0] & 1 == 0, octets.contains(where: { $0 != 0 }) else { return octets }
        if let other = knownMACs[octets] { return other }
        var other = key.digest("vendor", octets.prefix(3)).prefix(3) + key.digest("mac", octets).prefix(3)
        // Group and local bits.
        other[0] = other[0] & 0xFC | octets[0] & 0x03
        if knownMACs.count < Self.mostKnown { knownMACs[octets] = Array(other) }
        return Array(other)
    }

    // MARK: - IPv4

    private func ipv4(_ address: IPAddress) -> IPAddress {
        let octets = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address.low >> UInt64($0)) }
        guard !Self.isFixed(octets) else { return address }
        var bits: UInt32 = 0
        for place in 0..<4 {
            let prefix = Array(octets.prefix(place))
            bits = bits << 8 | UInt32(permuted(octets[place], behind: prefix))
        }
        return IPAddress(ipv4: bits)
    }

    /// Whether an address names no host: this network, loopback, multicast, reserved, limited broadcast.
    private static func isFixed(_ octets: [UInt8]) -> Bool {
        octets[0] == 0 || octets[0] == 127 || octets[0] >= 224
    }

    private func permuted(_ value: UInt8, behind prefix: [UInt8]) -> UInt8 {
        let kind = Self.kind(value, behind: prefix)
        let place = prefix + [kind]
        let values = (0...255).map { UInt8($0) }.filter { Self.kind($0, behind: prefix) == kind }
        let permutation = remembered(place, values)
        guard let index = values.firstIndex(of: value), index < permutation.count else { return value }
        return permutation[index]
    }

    private func remembered(_ place: [UInt8], _ values: [UInt8]) -> [UInt8] {
        if let permutation = permutations[place] { return permutation }
        let permutation = shuffled(values, place)
        if permutations.count < Self.mostKnown { permutations[place] = permutation }
        return permutation
    }

    private func shuffled(_ values: [UInt8], _ place: [UInt8]) -> [UInt8] {
        let order = values.map { (key.number("octet", (attempt == 0 ? [] : [attempt]) + place + [$0]), $0) }.sorted {
            $0 < $1
        }
        return order.map(\.1)
    }

    /// Returns what an octet shares with those that may replace it: its decimal digits, and the special block that it is in
    /// (RFC 1918, RFC 3927, RFC 6598).
    private static func kind(_ value: UInt8, behind prefix: [UInt8]) -> UInt8 {
        let digits: UInt8 = value < 10 ? 1 : value < 100 ? 2 : 3
        var special: UInt8 = 0
        switch prefix.count {
        case 0:
            let blocks: [UInt8] = [0, 10, 100, 127, 169, 172, 192]
            special = blocks.firstIndex(of: value).map { UInt8($0 + 1) } ?? (value >= 224 ? 9 : 0)
        case 1:
            special =
                switch prefix[0] {
                case 172: (16...31).contains(value) ? 1 : 0
                case 192: value == 168 ? 1 : 0
                case 169: value == 254 ? 1 : 0
                case 100: (64...127).contains(value) ? 1 : 0
                default: 0
                }
        case 3: special = value == 0 ? 1 : value == 255 ? 2 : 0
        default: break
        }
        return special << 2 | digits
    }

    // MARK: - IPv6

    private func ipv6(_ address: IPAddress) -> IPAddress {
        // The unspecified address, loopback, multicast.
        if address.high == 0, address.low <= 1 { return address }
        if address.isMulticast { return address }
        if address.high == 0, address.low >> 32 == 0xFFFF {
            let inner = ipv4(IPAddress(ipv4: UInt32(truncatingIfNeeded: address.low)))
            return IPAddress(ipv6High: 0, low: 0xFFFF << 32 | inner.low)
        }
        // The first group shows the block: global, unique local (eight bits of a fixed prefix), link-local.
        let kept = address.high >> 57 == 0xFC >> 1 ? 2 : 4
        var digits = Self.digits(address)
        let original = digits
        for place in kept..<32 where original[place] != 0 {
            digits[place] = permutedDigit(original[place], behind: Array(original.prefix(place)))
        }
        let halves = digits.enumerated().reduce((UInt64(0), UInt64(0))) { halves, digit in
            digit.offset < 16
                ? (halves.0 << 4 | UInt64(digit.element), halves.1) : (halves.0, halves.1 << 4 | UInt64(digit.element))
        }
        return IPAddress(ipv6High: halves.0, low: halves.1)
    }

    /// Returns the 32 hexadecimal digits of an IPv6 address.
    static func digits(_ address: IPAddress) -> [UInt8] { (0..<32).map { digit(address, $0) } }

    private static func digit(_ address: IPAddress, _ place: Int) -> UInt8 {
        let half = place < 16 ? address.high : address.low
        return UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (place & 15)) & 0xF)
    }

    /// Returns the replacement of a hexadecimal digit; 0 stays 0, so that the length as text stays.
    private func permutedDigit(_ digit: UInt8, behind prefix: [UInt8]) -> UInt8 {
        let place = [0xFF] + prefix
        let permutation = remembered(place, Array(1...15))
        return permutation[Int(digit) - 1]
    }
}
