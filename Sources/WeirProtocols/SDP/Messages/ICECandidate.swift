import WeirPackets

/// An ICE candidate as SDP and signaling write it (RFC 8839 §5.1).
public struct ICECandidate: Sendable, Hashable {
    /// An extension: a name and a value.
    public struct Extension: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String
    }

    /// Equal for candidates of the same kind, base and server.
    public var foundation: String
    /// 1 for RTP, 2 for RTCP.
    public var component: Int
    /// `UDP` or `TCP`, as sent.
    public var transport: String
    /// The priority.
    public var priority: UInt32
    /// The address; browsers send a name that ends in `.local` to hide theirs.
    public var address: String
    /// The port.
    public var port: UInt16
    /// `host`, `srflx`, `prflx` or `relay`.
    public var type: String
    /// The address it derives from.
    public var relatedAddress: String?
    /// The port it derives from.
    public var relatedPort: UInt16?
    /// What else follows, in order: `tcptype`, `generation`, `ufrag`, ….
    public var extensions: [Extension]

    /// Whether the address is a name of multicast DNS.
    public var isMDNS: Bool { TextSyntax.lowercased(address).hasSuffix(".local") }
    /// `active`, `passive` or `so` for TCP (RFC 6544).
    public var tcpType: String? { extensions.first { $0.name == "tcptype" }?.value }
    /// The user name fragment that some peers add.
    public var ufrag: String? { extensions.first { $0.name == "ufrag" }?.value }

    /// Reads a candidate, with or without `a=` and `candidate:` before it; nil when it is not one.
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
