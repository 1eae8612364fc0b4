package import WeirEngine

extension RTMPHandshakePart {
    /// `rtmp`.
    public var protocolName: String { "rtmp" }
    /// The session type.
    public var sessionType: Session.Type? { RTMPSession.self }
    /// `handshake`.
    public var kind: String { "handshake" }

    /// Returns the part with its details.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        var facts: [Wording] = []
        if let version { facts.append(isEncrypting ? "version \(version), RTMPE" : "version \(version)") }
        if isUnfinished { facts.append("only \(octets) of \(packet.octets) octets arrived") }
        if let time, answer != .digest { facts.append("time \(time)") }
        if let secondField, packet.isFirst {
            facts.append(secondField == 0 ? "zero field 0" : "zero field is \(Self.dotted(secondField))")
        }
        if packet.isFirst, let scheme, scheme != .simple {
            facts.append("digest verified (scheme \(scheme == .digest0 ? 0 : 1))")
        }
        if let filling, let words = filling.words { facts.append(words) }
        if let answer { facts.append(words(for: answer)) }
        if answer == .echo, echoesTime == false { facts.append("with another timestamp") }
        if let prematureOf { facts.append("sent before \(prematureOf.rawValue) arrived") }
        if isCut { facts.append("truncated in the capture") }
        return ([Wording(verbatim: packet.rawValue)] + facts).joined(separator: ", ")
    }

    private func words(for answer: Answer) -> Wording {
        let (peer, own) = packet == .c2 ? ("S1", "C1") : ("C1", "S1")
        switch answer {
        case .echo: return "echoes \(peer)"
        case .digest: return "answers the digest of \(peer)"
        case .ownFirstPart: return "\(own) repeated in place of \(packet.rawValue)"
        case .other(let first, let count):
            return "does not echo \(peer): \(count, "octet differs", "octets differ"), from octet \(first) on"
        }
    }

    /// The purpose of the part.
    public var note: Text? {
        if isUnfinished { return Text("rtmp.handshake.unfinished") }
        if isEncrypting { return Text("rtmp.handshake.encrypted") }
        switch answer {
        case .ownFirstPart: return Text("rtmp.handshake.repeats")
        case .digest: return Text("rtmp.handshake.digest")
        default: return Text("rtmp.handshake.\(packet.rawValue)")
        }
    }

    /// Returns the members of `fields` in the report.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("packet", packet.rawValue)
        fields.add("version", version.map { Int($0) })
        if packet.isFirst { fields.add("version", secondField.map(Self.dotted)) }
        fields.add("scheme", scheme?.rawValue)
        fields.add("echoes", echoes)
        if answer == .digest { fields.add("digest", "valid") }
        fields.add("time", answer == .digest ? nil : time.map { Int($0) })
        if packet.isAnswer, answer != .digest { fields.add("time2", secondField.map { Int($0) }) }
        fields.add("echoesTime", echoesTime)
        if answer == .ownFirstPart { fields.add("repeatsOwn", true) }
        if echoes == false { fields.add("mismatchOffset", mismatchOffset) }
        fields.add("random", filling?.name)
        fields.add("sentBefore", prematureOf?.rawValue)
        if isUnfinished { fields.add("octets", octets) }
        if isCut { fields.add("isCut", true) }
        return fields
    }

    private static func dotted(_ value: UInt32) -> String {
        "\(value >> 24).\(value >> 16 & 0xFF).\(value >> 8 & 0xFF).\(value & 0xFF)"
    }
}
