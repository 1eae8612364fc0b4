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

        /// Creates a rule.
        public init(transport: TransportProtocol, port: UInt16, protocolName: String) {
            self.transport = transport
            self.port = port
            self.protocolName = protocolName
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

    /// The defaults.
    public init() {}
}
