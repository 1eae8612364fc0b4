public import WeirEngine
import WeirPackets

/// A source description (SDES) (RFC 3550 §6.5).
public struct SourceDescription: Message {
    /// The items of one source.
    public struct Chunk: Sendable, Hashable {
        /// The source.
        public var ssrc: UInt32
        /// The items, in order.
        public var items: [Item]
    }

    /// A source description item.
    public struct Item: Sendable, Hashable {
        /// The item type: 1 CNAME, 2 NAME, 3 EMAIL, 4 PHONE, 5 LOC, 6 TOOL, 7 NOTE, 8 PRIV (RFC 3550 §6.5.1–§6.5.8).
        public var type: UInt8
        /// The item text.
        public var text: String

        /// The item name as in RFC 3550, such as `CNAME`.
        public var name: String {
            switch type {
            case 1: "CNAME"
            case 2: "NAME"
            case 3: "EMAIL"
            case 4: "PHONE"
            case 5: "LOC"
            case 6: "TOOL"
            case 7: "NOTE"
            case 8: "PRIV"
            default: "item \(type)"
            }
        }
    }

    /// The chunks of a description, and the canonical names in them. An object, which repeated descriptions share: rules ask for
    /// it in each datagram.
    final class Chunks: Sendable {
        /// One chunk per source.
        let all: [Chunk]
        /// The canonical name of each source that has one, in the order of the chunks: it stays the same when the SSRC changes
        /// (RFC 3550 §6.5.1).
        let canonicalNames: [(ssrc: UInt32, name: String)]

        fileprivate init(_ chunks: [Chunk]) {
            all = chunks
            canonicalNames = chunks.compactMap { chunk in
                // Of several chunks of a source, the first.
                let items = chunks.first { $0.ssrc == chunk.ssrc }?.items ?? []
                return items.first { $0.type == 1 }.map { (chunk.ssrc, $0.text) }
            }
        }
    }

    /// One chunk per source.
    public var chunks: [Chunk] { contents.all }
    let contents: Chunks
    /// Whether it has a canonical name.
    var hasCanonicalName: Bool { !contents.canonicalNames.isEmpty }

    /// Parses the body of a source description with `count` chunks. Chunks end on a multiple of four octets.
    @_lifetime(reader: copy reader)
    package init(_ reader: inout ByteReader, count: Int) throws(DecodeError) {
        var chunks: [Chunk] = []
        for _ in 0..<count {
            let start = reader.offset
            var chunk = Chunk(ssrc: try reader.uint32(), items: [])
            while true {
                let type = try reader.uint8()
                if type == 0 { break }
                let length = try reader.uint8()
                chunk.items.append(Item(type: type, text: try reader.span(Int(length)).text()))
            }
            // Null octets pad to the next multiple of four (RFC 3550 §6.5); some senders omit them at the end.
            let used = reader.offset &- start
            try reader.skip(min((4 &- used % 4) % 4, reader.remaining))
            chunks.append(chunk)
        }
        contents = Chunks(chunks)
    }

    /// Returns the chunks, for rules.
    public func view(of event: Event) -> AnyObject? { contents }

    /// The protocol name, `rtcp`.
    public var protocolName: String { "rtcp" }
    /// The message kind, `sourceDescription`.
    public var kind: String { "sourceDescription" }

    /// Returns the names of each source.
    public func wording(_ secrets: SecretPolicy) -> Wording {
        guard !chunks.isEmpty else { return "source description: empty" }
        let sources = chunks.map { chunk -> Wording in
            let items = chunk.items.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
            return items.isEmpty
                ? "SSRC \(hexadecimal(chunk.ssrc)) without items" : "SSRC \(hexadecimal(chunk.ssrc)) is \(items)"
        }
        return "source description: " + sources.joined(separator: "; ")
    }

    /// Writes the same summary without interpolation, since these packets are frequent.
    public func writeSummary(_ secrets: SecretPolicy, to line: inout [UInt8]) {
        line.append(chunks.isEmpty ? "source description: empty" : "source description: ")
        for (index, chunk) in chunks.enumerated() {
            line.append(index > 0 ? "; SSRC " : "SSRC ")
            line.appendIdentifier(chunk.ssrc)
            line.append(chunk.items.isEmpty ? " without items" : " is ")
            for (index, item) in chunk.items.enumerated() {
                if index > 0 { line.append(", ") }
                line.append(item.name)
                line.append(ASCII.space)
                line.append(item.text)
            }
        }
    }

    /// An explanation of the packet type.
    public var note: Text? { Text("rtcp.sourceDescription") }

    /// Returns the chunks with their items.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("ssrc", chunks.first.map { hexadecimal($0.ssrc) })
        let list = chunks.map { chunk in
            FieldValue.object([
                Field("ssrc", .string(hexadecimal(chunk.ssrc))),
                Field(
                    "items",
                    .array(
                        chunk.items.map {
                            .object([
                                Field("type", .integer(Int($0.type))), Field("name", .string($0.name)),
                                Field("text", .string($0.text)),
                            ])
                        })),
            ])
        }
        fields.add("chunks", .array(list))
        return fields
    }
}

extension SourceDescription {
    /// The recurrence key: packets of this kind repeat throughout a session.
    public var recurrence: String? { kind }
}
