import WeirKit

/// One NTP packet in the timeline: its one line, its explanation and its fields.
public struct NTPMessage: Message {
    /// What it says.
    public let header: NTPHeader
    /// Octets behind the header: extension fields and message authentication code.
    public let trailing: Int

    /// As in the report's `protocol`.
    public var protocolName: String { "ntp" }

    /// As in the report's `kind`: the mode.
    public var kind: String { "\(header.mode)" }

    /// Who says what, in one line. There is nothing secret in NTP.
    public func summary(_ secrets: SecretPolicy) -> String {
        var parts = ["\(Self.names[header.mode] ?? kind), version \(header.version)"]
        switch header.mode {
        case .client:
            break
        case .symmetricActive where !header.isSynchronized:
            parts.append("not synchronised")
        case .server, .broadcast, .symmetricActive, .symmetricPassive:
            if let code = header.kissCode {
                parts.append("kiss code \(code)")
            } else if header.isSynchronized {
                parts.append("stratum \(header.stratum) (\(header.referenceName))")
                parts.append("\(header.transmit)")
            } else {
                parts.append("not synchronised")
            }
        }
        if header.leap == 1 { parts.append("a leap second is coming") }
        if header.leap == 2 { parts.append("a second will be left out") }
        if trailing > 0 { parts.append("\(trailing) octets of extensions") }
        return parts.joined(separator: ", ")
    }

    /// What the step does. Weir has no such keys, so the sentences are printed as they are.
    public var note: Text? {
        switch header.mode {
        case .client:
            Text("Asks for the time; the server is to send the transmit timestamp back as it is.")
        case .server where header.kissCode != nil:
            Text("A kiss of death: the server tells the client to go away, or to ask less often.")
        case .server where !header.isSynchronized:
            Text("The server answers, but does not know the time itself.")
        case .server:
            Text("Tells when the question arrived and when this answer left: two of the four times of an exchange.")
        case .symmetricActive:
            Text("A peer offers its time and asks for the other's.")
        case .symmetricPassive:
            Text("The other peer answers with its time.")
        case .broadcast:
            Text("Tells everybody on the network the time; nobody asked.")
        }
    }

    /// The header's members, in the order of the wire.
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
