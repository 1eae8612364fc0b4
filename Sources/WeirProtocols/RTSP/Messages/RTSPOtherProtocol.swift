import WeirEngine

/// The answer of a server that speaks another protocol than RTSP.
package struct RTSPOtherProtocol: Message, Hashable {
    /// The protocol.
    package let found: OtherProtocol

    /// The protocol name, `rtsp`: that of the session.
    package var protocolName: String { "rtsp" }
    /// The message kind, `otherProtocol`.
    package var kind: String { "otherProtocol" }

    /// The protocol and its first line as text.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        guard let line = found.line else { return "\(found.name) instead of RTSP" }
        return "\(found.name) instead of RTSP: \(secrets.apply(text: line))"
    }

    /// An explanation.
    package var note: Text? { Text("rtsp.otherProtocol") }

    /// The protocol and its first line as fields.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields = [Field("found", .string(found.name))]
        fields.add("line", found.line.map { secrets.apply(text: $0) })
        return fields
    }
}
