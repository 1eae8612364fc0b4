public import WeirEngine
import WeirPackets

/// A goodbye (BYE): sources that leave (RFC 3550 §6.6).
public struct Bye: Message {
    /// The leaving sources.
    public private(set) var sources: [UInt32] = []
    /// The reason for leaving, if present.
    public private(set) var reason: String?

    /// Parses the body of a BYE with `count` sources.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, count: Int) throws(DecodeError) {
        for _ in 0..<count { sources.append(try reader.uint32()) }
        if !reader.isAtEnd {
            let length = try reader.uint8()
            if length > 0 { reason = try reader.span(Int(length)).text() }
        }
    }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `bye`.
    public var kind: String { "bye" }

    /// Returns the sources and the reason.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        let list = sources.map(hexadecimal).joined(separator: ", ")
        let words: Wording = list.isEmpty ? "goodbye without a source" : "goodbye from SSRC \(list)"
        return words + (reason.map { ": \($0)" } ?? "")
    }

    /// An explanation of the packet type.
    public var note: Text? { Text("rtcp.bye") }

    /// Returns sources and reason.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", sources.first.map(hexadecimal))
        fields.add("sources", .array(sources.map { .string(hexadecimal($0)) }))
        fields.add("reason", reason)
        return fields
    }
}

extension Bye {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
