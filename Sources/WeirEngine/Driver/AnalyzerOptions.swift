public import WeirPackets

/// Options of an analysis.
public struct AnalyzerOptions: Sendable {
    /// A port whose flows are decoded as the given protocol regardless of their content.
    public struct DecodeAs: Sendable, Hashable {
        /// TCP or UDP.
        public var transport: TransportProtocol
        /// The port of either endpoint.
        public var port: UInt16
        /// The dissector's name.
        public var protocolName: String
        /// Out-of-band parameters that the capture does not contain, such as payload types and their formats.
        public var meanings: [Meaning]

        /// The meaning of a number in the protocol.
        public struct Meaning: Sendable, Hashable {
            /// The number.
            public var number: UInt8
            /// A name, a rate and further parameters, in the notation of the protocol.
            public var text: String
            /// The kind, such as a media type, if specified.
            public var kind: String?
            /// The media duration per packet in milliseconds, if specified.
            public var packetTime: Double?

            /// Creates a meaning.
            public init(number: UInt8, text: String, kind: String? = nil, packetTime: Double? = nil) {
                self.number = number
                self.text = text
                self.kind = kind
                self.packetTime = packetTime
            }
        }

        /// The numbers that may occur, with a known meaning or not; empty if others may occur, too.
        public var numbers: [UInt8] = []
        /// The file that contains the rule, or nil if the user specified it.
        public var file: String?

        /// Creates a rule.
        public init(
            transport: TransportProtocol, port: UInt16, protocolName: String, meanings: [Meaning] = []
        ) {
            self.transport = transport
            self.port = port
            self.protocolName = protocolName
            self.meanings = meanings
        }
    }

    /// The limits of the analysis.
    public var limits = Limits()
    /// Whether each media packet also results in an event.
    public var packets = false
    /// Ports with a user-defined protocol.
    public var decodeAs: [DecodeAs] = []
    /// Whether a filter excludes packets from the analysis; missing data then proves nothing.
    public var isFiltered = false
    /// Whether encrypted connections are reported even if nothing indicates their purpose.
    public var showsEncrypted = false
    /// Whether checksums are verified; errors are only counted.
    public var verifiesChecksums = true

    /// Whether packets may bypass their dissector. This only affects speed, which tests verify.
    package var hasFastPaths = true

    /// Whether dissectors keep the media in messages, for extraction to files.
    package var keepsMedia = false

    /// Creates the default options.
    public init() {}
}

extension AnalyzerOptions {
    /// Returns the user-defined protocol of a flow.
    package func decodeAs(_ flow: FlowState) -> DecodeAs? {
        guard !decodeAs.isEmpty else { return nil }
        return decodeAs.first {
            $0.transport == flow.transport && ($0.port == flow.server.port || $0.port == flow.client.port)
        }
    }
}
