extension IPAddress: CustomStringConvertible {
    /// The address as text: dotted decimal for IPv4; for IPv6 the canonical form of RFC 5952 §4, and `::ffff:192.0.2.1`
    /// for IPv4-mapped addresses (RFC 5952 §5).
    public var description: String {
        if isIPv4 { return Self.dotted(low) }
        if high == 0, low >> 32 == 0xFFFF { return "::ffff:" + Self.dotted(low) }
        let zeros = longestZeros()
        var text = ""
        var index = 0
        while index < 8 {
            if index == zeros.start, zeros.count > 1 {
                text += "::"
                index += zeros.count
                continue
            }
            if !text.isEmpty, !text.hasSuffix(":") { text += ":" }
            text += String(group(index), radix: 16)
            index += 1
        }
        return text
    }

    /// Appends the address as text.
    package func write(to text: inout [UInt8]) {
        if isIPv4 { Self.appendDotted(low, to: &text) } else { text.append(description) }
    }

    /// Returns the 16-bit group at `index`; 0 is the first group.
    private func group(_ index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> UInt64(48 - 16 * (index & 3)))
    }

    /// Returns the longest run of zero groups, the first one if several are equally long.
    private func longestZeros() -> (start: Int, count: Int) {
        var best = (start: 0, count: 0)
        var run = (start: 0, count: 0)
        for index in 0..<8 {
            run = group(index) != 0 ? (index + 1, 0) : (run.start, run.count + 1)
            if run.count > best.count { best = run }
        }
        return best
    }

    private static func dotted(_ bits: UInt64) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(15)
        appendDotted(bits, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends an IPv4 address in dotted decimal.
    fileprivate static func appendDotted(_ bits: UInt64, to text: inout [UInt8]) {
        var shift: UInt64 = 32
        while shift > 0 {
            if shift < 32 { text.append(UInt8(ascii: ".")) }
            shift &-= 8
            text.appendDecimal(Int(truncatingIfNeeded: bits >> shift & 0xFF))
        }
    }
}

extension Endpoint: CustomStringConvertible {
    /// The endpoint as text, such as `192.0.2.1:554` or `[2001:db8::1]:554`.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(21)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the endpoint as text.
    package func write(to text: inout [UInt8]) {
        if !address.isIPv4 { text.append(UInt8(ascii: "[")) }
        address.write(to: &text)
        if !address.isIPv4 { text.append(UInt8(ascii: "]")) }
        text.append(ASCII.colon)
        text.appendDecimal(Int(port))
    }
}

extension IPAddress {
    /// Parses a textual address: dotted decimal without leading zeros, or any form of RFC 4291 §2.2. Returns nil for
    /// anything else, including names, ports, brackets and zones.
    public init?(_ text: String) {
        // The longest form has 45 characters.
        guard text.utf8.count <= 45 else { return nil }
        let octets = Array(text.utf8)
        if octets.contains(ASCII.colon) {
            self.init(ipv6Text: octets[...])
        } else if let bits = Self.dottedBits(octets[...]) {
            self.init(ipv4: bits)
        } else {
            return nil
        }
    }

    /// Parses the textual address in a part of a text.
    public init?(_ text: Substring) { self.init(String(text)) }

    /// Parses dotted decimal: four numbers up to 255.
    private static func dottedBits(_ text: ArraySlice<UInt8>) -> UInt32? {
        var bits: UInt32 = 0
        var (number, digits, dots) = (UInt32(0), 0, 0)
        for octet in text {
            if octet == UInt8(ascii: ".") {
                guard digits > 0, dots < 3 else { return nil }
                bits = bits << 8 | number
                (number, digits, dots) = (0, 0, dots + 1)
            } else {
                // No leading zero, and no number above 255.
                guard ASCII.isDigit(octet), digits == 0 || number > 0 else { return nil }
                number = number * 10 + UInt32(octet & 15)
                digits += 1
                guard number <= 255 else { return nil }
            }
        }
        return digits > 0 && dots == 3 ? bits << 8 | number : nil
    }

    /// Parses the groups before and after `::`, which occurs at most once.
    private init?(ipv6Text text: ArraySlice<UInt8>) {
        var front: [UInt16] = []
        var back: [UInt16] = []
        if let gap = text.indices.dropLast().first(where: { text[$0] == ASCII.colon && text[$0 + 1] == ASCII.colon }) {
            guard let before = Self.groups(text[..<gap]), let behind = Self.groups(text[(gap + 2)...]),
                before.count + behind.count < 8, !Self.endsDotted(text[..<gap])
            else { return nil }
            (front, back) = (before, behind)
        } else {
            guard let all = Self.groups(text), all.count == 8 else { return nil }
            front = all
        }
        let groups = front + [UInt16](repeating: 0, count: 8 - front.count - back.count) + back
        let halves = groups.reduce((UInt64(0), UInt64(0))) { ($0.0 << 16 | $0.1 >> 48, $0.1 << 16 | UInt64($1)) }
        self.init(ipv6High: halves.0, low: halves.1)
    }

    private static func endsDotted(_ text: ArraySlice<UInt8>) -> Bool { text.contains(UInt8(ascii: ".")) }

    /// Parses up to eight groups of one to four hexadecimal digits; the last may be an IPv4 address, which counts as
    /// two.
    private static func groups(_ text: ArraySlice<UInt8>) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        guard parts.count <= 8 else { return nil }
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let bits = dottedBits(part) {
                groups += [UInt16(truncatingIfNeeded: bits >> 16), UInt16(truncatingIfNeeded: bits)]
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var group: UInt16 = 0
            for octet in part {
                guard let digit = hexadecimal(octet) else { return nil }
                group = group << 4 | digit
            }
            groups.append(group)
        }
        return groups.count <= 8 ? groups : nil
    }

    private static func hexadecimal(_ octet: UInt8) -> UInt16? {
        if ASCII.isDigit(octet) { return UInt16(octet &- 0x30) }
        let letter = ASCII.lowercased(octet)
        return letter >= 0x61 && letter <= 0x66 ? UInt16(letter &- 0x61 &+ 10) : nil
    }
}
