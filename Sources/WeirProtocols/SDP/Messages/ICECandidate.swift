import WeirPackets

/// An ICE candidate in SDP and signaling (RFC 8839 §5.1).
public struct ICECandidate: Sendable, Hashable {
    /// An extension: a name and a value.
    public struct Extension: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
    }

    /// The foundation: equal for candidates of the same type, base and server.
    public var foundation: String
    /// The component: 1 for RTP, 2 for RTCP.
    public var component: Int
    /// The transport, `UDP` or `TCP`, as sent.
    public var transport: String
    /// The priority.
    public var priority: UInt32
    /// The address; browsers send an mDNS name in `.local` to hide theirs.
    public var address: String
    /// The port.
    public var port: UInt16
    /// The type: `host`, `srflx`, `prflx` or `relay`.
    public var type: String
    /// The related address.
    public var relatedAddress: String?
    /// The related port.
    public var relatedPort: UInt16?
    /// The extensions, in order: `tcptype`, `generation`, `ufrag`, ….
    public var extensions: [Extension]

    /// Whether the address is an mDNS name.
    public var isMDNS: Bool { TextSyntax.lowercased(address).hasSuffix(".local") }
    /// The TCP type, `active`, `passive` or `so` (RFC 6544).
    public var tcpType: String? { extensions.first { $0.name == "tcptype" }?.value }
    /// The user name fragment, which some peers add.
    public var ufrag: String? { extensions.first { $0.name == "ufrag" }?.value }

    /// Parses a candidate, with or without leading `a=` and `candidate:`; returns nil if it is malformed.
    public init?(_ text: String) {
        var words = TextSyntax.words(text)
        guard words.count >= 8 else { return nil }
        for prefix in ["a=", "candidate:"] where words[0].hasPrefix(prefix) {
            words[0].removeFirst(prefix.count)
        }
        guard !words[0].isEmpty, let component = TextSyntax.decimal(words[1]),
            let priority = TextSyntax.decimal(words[3], as: UInt32.self),
            let port = TextSyntax.decimal(words[5], as: UInt16.self), words[6] == "typ"
        else { return nil }
        foundation = words[0]
        self.component = component
        transport = words[2]
        self.priority = priority
        address = words[4]
        self.port = port
        type = words[7]
        extensions = []
        var index = 8
        while index + 1 < words.count {
            switch words[index] {
            case "raddr": relatedAddress = words[index + 1]
            case "rport": relatedPort = TextSyntax.decimal(words[index + 1], as: UInt16.self)
            default: extensions.append(Extension(name: words[index], value: words[index + 1]))
            }
            index += 2
        }
    }
}
