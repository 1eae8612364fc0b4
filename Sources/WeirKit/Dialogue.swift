public import WeirEngine
public import WeirPackets
public import WeirProtocols

/// A synthetic exchange between two endpoints: packets for tests of dissectors, sessions and rules, without a capture
/// file.
///
///     var dialogue = Dialogue(.udp, port: 123)
///     dialogue.client(question)
///     dialogue.server(answer)
///     let result = dialogue.analyzed(plugins: BuiltIn.plugins + [NTPProtocol.self])
///
/// Over TCP, the connection is opened before the first octet, and closed at the end. Data sent with `isCaptured: false`
/// is received by the peer but not captured: a case that every rule must handle.
public struct Dialogue {
    /// The maximum segment size, in octets.
    private static let segmentOctets = 1_400

    private let transport: TransportProtocol
    private let client: Endpoint
    private let server: Endpoint
    private var frames: [(octets: [UInt8], time: Int64)] = []
    /// The current time, in nanoseconds since 1970.
    private var now: Int64 = 1_700_000_000_000_000_000
    /// The next sequence numbers of both sides.
    private var next: (client: UInt32, server: UInt32) = (1_000, 5_000)
    private var isOpen = false

    /// Creates an exchange between 192.0.2.1 and a port of 192.0.2.2.
    public init(_ transport: TransportProtocol, port: UInt16, clientPort: UInt16 = 50_000) {
        self.transport = transport
        client = Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: clientPort)
        server = Endpoint(address: IPAddress(ipv4: 0xC000_0202), port: port)
    }

    /// Sends octets from the client, `seconds` after the previous message; over UDP at most 65,507.
    ///
    /// - Parameter isCaptured: Whether the capture contains them. If not, the server still receives them, and
    ///   acknowledges them over TCP.
    public mutating func client(_ octets: [UInt8], after seconds: Double = 0.001, isCaptured: Bool = true) {
        say(octets, .clientToServer, seconds, isCaptured)
    }

    /// Sends octets from the server, `seconds` after the previous message.
    ///
    /// - Parameter isCaptured: Whether the capture contains them. If not, the client still receives them.
    public mutating func server(_ octets: [UInt8], after seconds: Double = 0.001, isCaptured: Bool = true) {
        say(octets, .serverToClient, seconds, isCaptured)
    }

    /// Sends text from the client, with CR LF as line ending.
    public mutating func client(_ text: String, after seconds: Double = 0.001, isCaptured: Bool = true) {
        client(Self.lines(text), after: seconds, isCaptured: isCaptured)
    }

    /// Sends text from the server, with CR LF as line ending.
    public mutating func server(_ text: String, after seconds: Double = 0.001, isCaptured: Bool = true) {
        server(Self.lines(text), after: seconds, isCaptured: isCaptured)
    }

    /// Returns the results of analyzing the exchange.
    ///
    /// - Parameters:
    ///   - plugins: The protocols to detect.
    ///   - rules: The rules to check, or nil for those of `plugins`.
    ///   - options: The options of the analyzer.
    ///   - judging: The options of the rule engine: severities, limits of rules.
    public func analyzed(
        plugins: [any Plugin.Type] = BuiltIn.plugins, rules: [any Rule.Type]? = nil,
        options: AnalyzerOptions = AnalyzerOptions(), judging: RuleEngine.Options = RuleEngine.Options()
    ) -> AnalysisResult {
        var options = options
        // The checksums are 0.
        options.verifiesChecksums = false
        var whole = self
        if isOpen { whole.close() }
        let collector = ResultCollector(plugins: plugins)
        let judge = RuleEngine(
            rules: rules ?? plugins.flatMap { $0.rules }, of: plugins, options: judging, sink: collector)
        let analyzer = Analyzer(options: options, plugins: plugins, sink: judge)
        analyzer.begin(CaptureRecord(file: "dialogue", format: "made", linkTypes: [.raw], snapLength: nil))
        for (index, frame) in whole.frames.enumerated() {
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: frame.time), capturedLength: frame.octets.count,
                originalLength: frame.octets.count, linkType: .raw)
            analyzer.process(Frame(info: info, bytes: frame.octets.rawSpan))
        }
        analyzer.finish()
        return collector.result
    }

    private static func lines(_ text: String) -> [UInt8] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { Array(($0 + "\r\n").utf8) }
    }

    // MARK: - Packets

    /// The maximum payload of a UDP datagram over IPv4, in octets (RFC 768, RFC 791 §3.1).
    private static let mostOctets = 65_507

    private mutating func say(_ octets: [UInt8], _ direction: Direction, _ seconds: Double, _ isCaptured: Bool) {
        now += Int64(max(0, min(seconds, 1e6)) * 1e9)
        guard transport == .tcp else {
            let octets = Array(octets.prefix(Self.mostOctets))
            packet(direction, header: Self.big(UInt16(8 + octets.count)) + [0, 0], octets, isCaptured)
            return
        }
        if !isOpen { open() }
        var rest = octets[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.segmentOctets)
            rest = rest.dropFirst(some.count)
            segment(direction, flags: 0x18, Array(some), isCaptured)
            segment(direction.opposite, flags: 0x10, [])
        }
    }

    private mutating func open() {
        isOpen = true
        segment(.clientToServer, flags: 0x02, [])
        segment(.serverToClient, flags: 0x12, [])
        segment(.clientToServer, flags: 0x10, [])
    }

    private mutating func close() {
        segment(.clientToServer, flags: 0x11, [])
        segment(.serverToClient, flags: 0x11, [])
        segment(.clientToServer, flags: 0x10, [])
        isOpen = false
    }

    private mutating func segment(_ direction: Direction, flags: UInt8, _ octets: [UInt8], _ isCaptured: Bool = true) {
        let isClient = direction == .clientToServer
        let (own, other) = isClient ? (next.client, next.server) : (next.server, next.client)
        let acknowledged = flags & 0x10 == 0 ? 0 : other
        packet(
            direction,
            header: Self.big(own) + Self.big(acknowledged) + [0x50, flags] + Self.big(UInt16(0xFFFF)) + [0, 0, 0, 0],
            octets, isCaptured)
        // SYN and FIN also consume a sequence number.
        let step = UInt32(octets.count) &+ (flags & 0x03 == 0 ? 0 : 1)
        if isClient { next.client &+= step } else { next.server &+= step }
    }

    /// Appends a packet if it is captured; `header` is the transport header after the ports.
    private mutating func packet(_ direction: Direction, header: [UInt8], _ octets: [UInt8], _ isCaptured: Bool) {
        defer { now += 1_000 }
        guard isCaptured else { return }
        let (source, destination) = direction == .clientToServer ? (client, server) : (server, client)
        let payload = Self.big(source.port) + Self.big(destination.port) + header + octets
        let internet: [UInt8] =
            [0x45, 0] + Self.big(UInt16(20 + payload.count)) + [0, 0, 0x40, 0, 64, transport == .tcp ? 6 : 17, 0, 0]
            + [192, 0, 2, direction == .clientToServer ? 1 : 2] + [192, 0, 2, direction == .clientToServer ? 2 : 1]
        frames.append((internet + payload, now))
    }

    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 * ($0 + 1))) }
    }
}
