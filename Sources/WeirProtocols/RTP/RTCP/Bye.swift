public import WeirEngine
import WeirPackets

/// A goodbye: sources leave (RFC 3550 §6.6).
public struct Bye: Message {
    /// Who leaves.
    public private(set) var sources: [UInt32] = []
    /// Why, if it was said.
    public private(set) var reason: String?

    /// Reads the body of a BYE of `count` sources.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, count: Int) throws(DecodeError) {
        for _ in 0..<count { sources.append(try reader.uint32()) }
        if !reader.isAtEnd {
            let length = try reader.uint8()
            if length > 0 { reason = try reader.span(Int(length)).text() }
        }
    }

    /// `rtcp`.
    public var protocolName: String { "rtcp" }
    /// `bye`.
    public var kind: String { "bye" }

    /// Who leaves, and why.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        let list = sources.map(hexadecimal).joined(separator: ", ")
        let words: Wording = list.isEmpty ? "goodbye from nobody" : "goodbye from SSRC \(list)"
        return words + (reason.map { ": \($0)" } ?? "")
    }

    /// Says what a goodbye is for.
    public var note: Text? { Text("rtcp.bye") }

    /// Sources and reason.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", sources.first.map(hexadecimal))
        fields.add("sources", .array(sources.map { .string(hexadecimal($0)) }))
        fields.add("reason", reason)
        return fields
    }
}

extension Bye {
    /// They come all the time.
    public var recurrence: String? { kind }
}
