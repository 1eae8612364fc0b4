import WeirPackets

/// Classifies SDP addresses (RFC 8866 §9).
package enum SDPAddress {
    /// Parses four dot-separated decimal numbers from 0 to 255.
    package static func octets(ipv4 text: some StringProtocol) -> [UInt8]? {
        String(text).withOctets { sent in
            var numbers: [UInt8] = []
            var (number, digits) = (0, 0)
            for index in 0...sent.count {
                if index < sent.count, sent[index] != 0x2E {
                    guard ASCII.isDigit(sent[index]), digits < 3 else { return nil }
                    number = number * 10 + Int(sent[index] & 15)
                    digits += 1
                } else {
                    guard digits > 0, numbers.count < 4, let octet = UInt8(exactly: number) else { return nil }
                    numbers.append(octet)
                    (number, digits) = (0, 0)
                }
            }
            return numbers.count == 4 ? numbers : nil
        }
    }

    /// Whether the text is an IPv6 address as in RFC 4291 §2.2, without brackets or zone.
    package static func isIPv6(_ text: some StringProtocol) -> Bool {
        var groups = String(text).split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard groups.count >= 3 else { return false }
        var units = 0
        var endsInIPv4 = false
        if let last = groups.last, last.utf8.contains(0x2E) {
            guard octets(ipv4: last) != nil else { return false }
            groups.removeLast()
            units = 2
            endsInIPv4 = true
        }
        // `::` produces one empty group; at either end it produces two, one of which is the end itself.
        var compressions = 0
        for (index, group) in groups.enumerated() {
            if group.isEmpty {
                let isFirst = index == 0
                let isLast = index == groups.count - 1 && !endsInIPv4
                if isFirst || isLast {
                    let neighbor = isFirst ? index + 1 : index - 1
                    guard groups.indices.contains(neighbor), groups[neighbor].isEmpty else { return false }
                    continue
                }
                compressions += 1
            } else {
                guard group.utf8.count <= 4, group.utf8.allSatisfy(TextSyntax.isHexDigit) else { return false }
                units += 1
            }
        }
        return compressions == 0 ? units == 8 && !groups.contains("") : compressions == 1 && units < 8
    }

    /// Whether the text may be a domain name: letters, digits, hyphens and dots, with at least one letter.
    package static func isName(_ text: some StringProtocol) -> Bool {
        text.utf8.count >= 1 && text.utf8.contains(where: ASCII.isLetter)
            && text.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
            }
    }

    /// Whether `address` matches `addrType` (`IP4`, `IP6`) or is a name; true for other types.
    package static func isValid(_ address: String, addrType: String) -> Bool {
        switch addrType {
        case "IP4": octets(ipv4: address) != nil || isFullName(address)
        case "IP6": isIPv6(address) || isFullName(address)
        default: true
        }
    }

    /// Whether `address` is multicast: 224.0.0.0 to 239.255.255.255 (RFC 5771), or starting with FF (RFC 4291 §2.7).
    package static func isMulticast(_ address: String, addrType: String) -> Bool {
        if addrType == "IP4" { return octets(ipv4: address).map { (224...239).contains($0[0]) } ?? false }
        return addrType == "IP6" && isIPv6(address) && TextSyntax.hasPrefix(address, "ff")
    }

    /// Whether the text is a name and not a malformed IPv4 address with numbers out of range; `x.y.z.w` is a
    /// placeholder.
    private static func isFullName(_ text: String) -> Bool {
        guard isName(text) else { return false }
        let labels = text.split(separator: ".")
        return !(labels.count == 4 && labels.allSatisfy { $0.utf8.count == 1 })
    }
}
