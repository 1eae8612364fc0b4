import CYAML
import Synchronization

/// A node of a YAML document, with its line.
struct YAMLNode: Sendable {
    /// The contents of a node.
    enum Content: Sendable {
        /// A scalar as written; its tag is not resolved.
        case scalar(String)
        case sequence([YAMLNode])
        /// A mapping; keys and values in order.
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    var content: Content
    /// The line on which the node starts, from 1.
    var line: Int

    /// The text of a scalar.
    var scalar: String? { if case .scalar(let text) = content { text } else { nil } }
    /// The items of a sequence.
    var sequence: [YAMLNode]? { if case .sequence(let items) = content { items } else { nil } }
    /// The members of a mapping.
    var mapping: [(key: YAMLNode, value: YAMLNode)]? {
        if case .mapping(let members) = content { members } else { nil }
    }
}

/// Why a document cannot be read.
struct YAMLError: Error {
    var line: Int
    var reason: String
    /// Whether the text is no YAML, rather than a document that is not accepted.
    var isSyntax = true
}

/// Composes nodes from the events of libyaml, as its C interface delivers them.
struct YAMLDocument {
    /// Only one text is read at a time; see `yaml_reader.h`.
    private static let reader = Mutex(())
    /// The maximum depth of nodes.
    private static let mostDepth = 64

    private var anchors: [String: YAMLNode] = [:]

    /// Returns the root of the only document of a text, or nil if it is empty.
    static func root(_ text: String) throws(YAMLError) -> YAMLNode? {
        let result = reader.withLock { _ in
            yaml_reader_begin()
            defer { yaml_reader_finish() }
            for octet in text.utf8 { yaml_reader_append(octet) }
            return Result<YAMLNode?, YAMLError> { () throws(YAMLError) in
                var document = YAMLDocument()
                return try document.compose()
            }
        }
        return try result.get()
    }

    private mutating func compose() throws(YAMLError) -> YAMLNode? {
        guard try Self.next() == yaml_reader_document_start else { return nil }
        let root = try node(try Self.next(), depth: 0)
        _ = try Self.next()
        guard try Self.next() == yaml_reader_end_of_text else {
            throw YAMLError(line: Int(yaml_reader_line()), reason: "but found another document")
        }
        return root
    }

    /// Reads the next event.
    private static func next() throws(YAMLError) -> yaml_reader_event {
        let event = yaml_reader_next()
        guard event != yaml_reader_malformed else {
            throw YAMLError(line: Int(yaml_reader_line()), reason: text(yaml_reader_octet))
        }
        return event
    }

    private static func text(_ octet: (Int32) -> Int32) -> String {
        var octets: [UInt8] = []
        while let next = UInt8(exactly: octet(Int32(octets.count))) { octets.append(next) }
        return String(decoding: octets, as: UTF8.self)
    }

    /// Composes the node that starts with an event.
    private mutating func node(_ event: yaml_reader_event, depth: Int) throws(YAMLError) -> YAMLNode {
        let line = Int(yaml_reader_line())
        guard depth < Self.mostDepth else { throw YAMLError(line: line, reason: "it is nested too deeply") }
        if event == yaml_reader_alias {
            guard let node = anchors[Self.text(yaml_reader_octet)] else {
                throw YAMLError(line: line, reason: "found undefined alias")
            }
            return node
        }
        let anchor = Self.text(yaml_reader_anchor_octet)
        var node = YAMLNode(content: .scalar(""), line: line)
        switch event {
        case yaml_reader_sequence_start: node.content = .sequence(try items(depth: depth))
        case yaml_reader_mapping_start: node.content = .mapping(try members(depth: depth, line: line))
        default: node.content = .scalar(Self.text(yaml_reader_octet))
        }
        if !anchor.isEmpty { anchors[anchor] = node }
        return node
    }

    private mutating func items(depth: Int) throws(YAMLError) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            let event = try Self.next()
            guard event != yaml_reader_sequence_end else { return items }
            items.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func members(depth: Int, line: Int) throws(YAMLError) -> [(key: YAMLNode, value: YAMLNode)] {
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        var names: Set<String> = []
        while true {
            let event = try Self.next()
            guard event != yaml_reader_mapping_end else { return members }
            let key = try node(event, depth: depth + 1)
            if let name = key.scalar, !names.insert(name).inserted {
                throw YAMLError(line: key.line, reason: "the key '\(name)' stands twice", isSyntax: false)
            }
            members.append((key, try node(try Self.next(), depth: depth + 1)))
        }
    }
}
