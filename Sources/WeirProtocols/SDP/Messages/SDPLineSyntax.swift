import WeirPackets

/// Syntax of individual lines (RFC 8866 §5 and §9).
extension SDPParser {
    /// Parses `username sess-id sess-version nettype addrtype unicast-address` (§5.2).
    mutating func origin(_ value: String) -> SDPOrigin {
        let fields = TextSyntax.words(value)
        // Five fields mean a missing address: a known deviation of some cameras, with a problem kind of its own.
        if fields.count == 5 {
            note(.originAddressMissing)
        } else if fields.count != 6 {
            note(.originFieldCount)
        }
        func field(_ index: Int) -> String { index < fields.count ? fields[index] : "" }
        let origin = SDPOrigin(
            username: field(0), sessionId: field(1), sessionVersion: field(2), netType: field(3), addrType: field(4),
            address: fields.count > 5 ? fields[5] : nil)
        if fields.count > 2, !TextSyntax.isDigits(origin.sessionId) || !TextSyntax.isDigits(origin.sessionVersion) {
            note(.originNumber)
        }
        if let address = origin.address, !SDPAddress.isValid(address, addrType: origin.addrType) {
            note(.originAddressInvalid)
        }
        return origin
    }

    /// Parses `nettype addrtype connection-address` (§5.7).
    mutating func connection(_ value: String) -> SDPConnection {
        let fields = TextSyntax.words(value)
        if fields.count == 2 {
            note(.connectionAddressMissing)
        } else if fields.count != 3 {
            note(.connectionFieldCount)
        }
        var connection = SDPConnection(
            netType: fields.first ?? "", addrType: fields.count > 1 ? fields[1] : "", address: nil)
        guard fields.count > 2 else { return connection }
        let parts = fields[2].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let address = parts[0]
        connection.address = address
        if !SDPAddress.isValid(address, addrType: connection.addrType) { note(.connectionAddressInvalid) }
        let suffixes = parts.dropFirst().map { TextSyntax.decimal($0) }
        let isGroup = SDPAddress.isMulticast(address, addrType: connection.addrType)
        if !isGroup {
            // A name may also be a multicast address.
            let isNumber = SDPAddress.octets(ipv4: address) != nil || SDPAddress.isIPv6(address)
            if !suffixes.isEmpty, isNumber { note(.connectionSlashOnUnicast) }
        } else if connection.addrType == "IP6" {
            if suffixes.count > 1 { note(.connectionTTLOnIPv6) }
            connection.count = suffixes.first ?? nil
            if let first = suffixes.first, first.map({ $0 < 1 }) ?? true { note(.connectionTTLInvalid) }
            return connection
        } else if suffixes.isEmpty {
            note(.connectionTTLMissing)
        } else if suffixes.count > 2 || suffixes[0].map({ $0 > 255 }) ?? true
            || (suffixes.count == 2 && suffixes[1].map({ $0 < 1 }) ?? true)
        {
            note(.connectionTTLInvalid)
        }
        connection.ttl = suffixes.first ?? nil
        connection.count = suffixes.count > 1 ? suffixes[1] : nil
        return connection
    }

    /// Parses `bwtype:bandwidth` (§5.8).
    mutating func bandwidth(_ value: String) -> SDPBandwidth {
        let (type, text) = TextSyntax.pair(value, at: ASCII.colon)
        let number = text.flatMap { TextSyntax.decimal(TextSyntax.trim($0)) }
        if number == nil || type.isEmpty { note(.bandwidthMalformed) }
        return SDPBandwidth(type: TextSyntax.trim(type), value: number)
    }

    /// Parses `start-time stop-time` (§5.9).
    mutating func time(_ value: String) {
        let fields = TextSyntax.words(value)
        if fields.count != 2 || !fields.allSatisfy({ TextSyntax.isDigits($0) }) { note(.timeMalformed) }
        description.times.append(SDPTime(start: fields.first ?? "", stop: fields.count > 1 ? fields[1] : nil))
    }

    /// Parses `media port["/"integer] proto fmt …` (§5.14).
    mutating func media(_ value: String) {
        let fields = TextSyntax.words(value)
        let (port, count) = TextSyntax.pair(fields.count > 1 ? fields[1] : "", at: ASCII.slash)
        description.media.append(
            MediaDescription(
                type: fields.first ?? "", port: TextSyntax.decimal(port, as: UInt16.self),
                portCount: count.flatMap { TextSyntax.decimal($0) },
                proto: fields.count > 2 ? fields[2] : "", formats: Array(fields.dropFirst(3)), line: line.number))
        if fields.count < 4 { note(.mediaFieldCount) }
        if value.utf8.split(separator: ASCII.space, omittingEmptySubsequences: false).count > fields.count {
            note(.doubleBlank)
        }
        guard fields.count > 1, let medium = description.media.last else { return }
        if medium.port == nil || (count != nil && medium.portCount ?? 0 < 1) { note(.mediaPort) }
        let isNumbered = medium.proto.hasPrefix("RTP/")
        if isNumbered,
            medium.formats.contains(where: { TextSyntax.decimal($0, as: UInt8.self).map { $0 > 127 } ?? true })
        {
            note(.mediaFormat)
        }
    }

    /// Parses `attribute-name[":"attribute-value]` (§5.13).
    mutating func attribute(_ value: String) -> SDPAttribute {
        let (name, text) = TextSyntax.pair(value, at: ASCII.colon)
        if name.isEmpty || !name.utf8.allSatisfy(TextSyntax.isToken) { note(.attributeName) }
        return SDPAttribute(name: TextSyntax.trim(name), value: text, line: line.number)
    }

    /// Checks the attributes that define payload formats.
    mutating func check(_ attribute: SDPAttribute, in medium: MediaDescription) {
        let value = attribute.value ?? ""
        switch attribute.name {
        case "rtpmap": checkRTPMap(value, in: medium)
        case "fmtp": checkFormatParameters(value, in: medium)
        case "candidate": if ICECandidate(value) == nil { note(.candidateMalformed) }
        default: break
        }
    }

    private mutating func checkRTPMap(_ value: String, in medium: MediaDescription) {
        guard let map = RTPMap(value) else {
            note(.rtpmapMalformed)
            return
        }
        if TextSyntax.words(value).count != 2 { note(.rtpmapMalformed) }
        if map.clockRate == nil { note(.rtpmapClockRate) }
        if !medium.formats.contains(String(map.payloadType)) { note(.rtpmapPayloadType) }
        if medium.rtpMaps.contains(where: { $0.payloadType == map.payloadType }) { note(.rtpmapRepeated) }
    }

    private mutating func checkFormatParameters(_ value: String, in medium: MediaDescription) {
        guard let parameters = FormatParameters.parts(value), !parameters.raw.isEmpty else {
            note(.fmtpMalformed)
            return
        }
        if !medium.formats.contains(parameters.format) { note(.fmtpFormat) }
        if medium.formatParameters.contains(where: { $0.format == parameters.format }) { note(.fmtpRepeated) }
    }
}
