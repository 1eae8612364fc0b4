import WeirKit

/// An NTP packet in the timeline: its summary line, explanation and fields.
public struct NTPMessage: Message {
    /// The parsed header.
    public let header: NTPHeader
    /// Number of octets after the header: extension fields and message authentication code.
    public let trailing: Int

    /// The value of `protocol` in reports.
    public var protocolName: String { "ntp" }

    /// Requests and answers belong to a session; broadcasts do not.
    public var sessionType: Session.Type? { header.isQuestion || header.isAnswer ? NTPSession.self : nil }

    /// The value of `kind` in reports: the mode.
    public var kind: String { "\(header.mode)" }

    /// The summary line. NTP has no secrets.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        var parts: [Wording] = ["\(Wording(phrase: Self.names[header.mode] ?? kind)), version \(header.version)"]
        switch header.mode {
        case .client:
            break
        case .symmetricActive where !header.isSynchronized:
            parts.append("not synchronized")
        case .server, .broadcast, .symmetricActive, .symmetricPassive:
            if let code = header.kissCode {
                parts.append("kiss code \(code)")
            } else if header.isSynchronized {
                parts.append("stratum \(header.stratum) (\(header.referenceName))")
                parts.append("\(header.transmit)")
            } else {
                parts.append("not synchronized")
            }
        }
        if header.leap == 1 { parts.append("a leap second is coming") }
        if header.leap == 2 { parts.append("a second will be left out") }
        if trailing > 0 { parts.append("\(trailing) octets of extensions") }
        return parts.joined(separator: ", ")
    }

    /// The explanation of the step.
    public var note: Text? {
        switch header.mode {
        case .client:
            Text("ntp.note.question")
        case .server where header.kissCode != nil:
            Text("ntp.note.kiss")
        case .server where !header.isSynchronized:
            Text("ntp.note.unsynchronized")
        case .server:
            Text("ntp.note.answer")
        case .symmetricActive:
            Text("ntp.note.peerAsks")
        case .symmetricPassive:
            Text("ntp.note.peerAnswers")
        case .broadcast:
            Text("ntp.note.broadcast")
        }
    }

    /// The header's members, in wire order.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("leap", Int(header.leap))
        fields.add("version", Int(header.version))
        fields.add("mode", Int(header.mode.rawValue))
        fields.add("stratum", Int(header.stratum))
        fields.add("poll", Int(header.poll))
        fields.add("precision", Int(header.precision))
        fields.add("rootDelay", Double(header.rootDelay) / 65_536)
        fields.add("rootDispersion", Double(header.rootDispersion) / 65_536)
        fields.add("referenceId", header.referenceName)
        for (name, time) in [
            ("reference", header.reference), ("origin", header.origin), ("receive", header.receive),
            ("transmit", header.transmit),
        ] where time.value != 0 {
            fields.add(name, time.description)
        }
        if trailing > 0 { fields.add("trailingOctets", trailing) }
        return fields
    }

    private static let names: [NTPHeader.Mode: String] = [
        .symmetricActive: "peer asks", .symmetricPassive: "peer answers", .client: "client asks",
        .server: "server answers", .broadcast: "server broadcasts",
    ]
}
