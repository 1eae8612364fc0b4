public import WeirPackets

/// What to analyse, and how.
public struct AnalyzerOptions: Sendable {
    /// A port whose flows are to be read as a protocol, whatever they look like.
    public struct DecodeAs: Sendable, Hashable {
        /// TCP or UDP.
        public var transport: TransportProtocol
        /// The port of either side.
        public var port: UInt16
        /// The dissector's name.
        public var protocolName: String
        /// What the capture does not say of the flow, in the protocol's own terms: each names a number and what it means, such
        /// as a payload type and its format.
        public var meanings: [Meaning]

        /// What a number of the protocol means.
        public struct Meaning: Sendable, Hashable {
            /// The number.
            public var number: UInt8
            /// What it means: a name, a rate and further parameters, as the protocol writes them.
            public var text: String
            /// What kind of thing that is, if it is said.
            public var kind: String?
            /// How much of it a packet holds, in milliseconds, if it is said.
            public var packetTime: Double?

            /// Creates a meaning.
            public init(number: UInt8, text: String, kind: String? = nil, packetTime: Double? = nil) {
                self.number = number
                self.text = text
                self.kind = kind
                self.packetTime = packetTime
            }
        }

        /// The file that says so; nil when the user does.
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

    /// The bounds to keep.
    public var limits = Limits()
    /// One event for each media packet, too.
    public var packets = false
    /// Ports with a protocol of the user's choice.
    public var decodeAs: [DecodeAs] = []
    /// Whether a filter keeps packets from being analysed: what is missing then proves nothing.
    public var isFiltered = false
    /// Whether checksums are verified; they are only counted.
    public var verifiesChecksums = true

    /// Whether packets may be taken without their dissector: it makes no difference but in time, and tests make sure of
    /// that.
    package var hasFastPaths = true

    /// Whether dissectors keep the media in messages, for who writes it into files.
    package var keepsMedia = false

    /// The defaults.
    public init() {}
}

extension AnalyzerOptions {
    /// What the user says a flow is.
    package func decodeAs(_ flow: FlowState) -> DecodeAs? {
        guard !decodeAs.isEmpty else { return nil }
        return decodeAs.first {
            $0.transport == flow.transport && ($0.port == flow.server.port || $0.port == flow.client.port)
        }
    }
}
