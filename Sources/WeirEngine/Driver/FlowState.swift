public import WeirPackets

/// The state of an open flow, in addition to its counters.
public final class FlowState {
    /// How the payload of a flow is processed.
    enum Role {
        /// The protocol is undecided; the opening is being probed.
        case undecided
        /// A dissector reads the flow.
        case dissected
        /// A packet reader reads the datagrams, each of which is independent.
        case packets
        /// The flow is not dissected.
        case ignored
    }

    /// The flow id in the report.
    public let id: Int
    /// TCP or UDP.
    public let transport: TransportProtocol
    // Stored privately, so that all accesses are known and none has to be checked at run time.
    private var ends: (client: Endpoint, server: Endpoint)
    private var isLate: Bool
    /// The endpoint that opened the flow, as far as known.
    public var client: Endpoint { ends.client }
    /// The other endpoint.
    public var server: Endpoint { ends.server }
    /// Whether the flow started before the capture, or after its session was evicted because of a limit.
    public var startsLate: Bool { isLate }
    /// The session of the flow; the first if there are several.
    public var session: Session? { allSessions.first }
    private var allSessions = FlowSessions()
    /// The claim that the flow matched.
    public internal(set) var claim: MatchedClaim? {
        get { matchedClaim }
        set { matchedClaim = newValue }
    }
    private var matchedClaim: MatchedClaim?
    /// Whether it matched a claim.
    package var isClaimed: Bool { matchedClaim != nil }
    /// How it is recorded among the flows that matched claims.
    var matchedFlow: MatchedFlow?
    /// Why the protocol was chosen, or nil if it was recognized from the content.
    public var because: Text?

    private let shared: SharedLimits
    /// Whether client and server are swapped compared to the flow table: the first sender of media is not necessarily
    /// the client of the session.
    private(set) var isTurned = false
    /// The index of the flow in the table.
    let index: Int
    /// The index of the capture interface of its latest packet that took no fast path.
    package internal(set) var interface: Int {
        get { latestInterface }
        set { latestInterface = newValue }
    }
    private var latestInterface = 0
    /// The number of the TCP connection; -1 for UDP.
    var connection: Int32 = -1
    var role = Role.undecided
    /// The reader of the stream or datagrams.
    var reader: StreamReader?
    /// The dissector that decodes the stream, if one does.
    private(set) var layer: StreamLayer?
    /// The packet readers, by protocol name; usually one.
    var packetReaders: [(name: String, reader: any PacketReader)] = []
    /// The names of the protocols found above the transport.
    private(set) var protocolNames: [String] = []
    var isCut = false
    /// Whether bytes are missing from the capture for another reason than the snap length.
    var hasGap = false
    /// Whether the capture stopped containing the flow before its end.
    private(set) var isEndNotCaptured = false
    /// Whether a side acknowledged bytes that had not been captured at that point.
    var isDisordered = false
    /// Whether segments of the connection are out of order in the file, by their timestamps.
    var isCaptureReordered = false
    /// Whether the capture does not contain all bytes of the flow.
    package var lacksOctets: Bool { isCut || hasGap }
    /// Whether a limit prevented complete tracking.
    private(set) var isLimited = false

    /// Created only for streams that are read.
    private var clientSide: StreamSide?
    private var serverSide: StreamSide?
    /// How its connection began, was delayed, and ended, if it is TCP.
    let history: ConnectionHistory?
    /// Whether bytes are missing from before the flow's first session.
    var lacksOpening = false
    /// How far the recognition of its protocol has come.
    var recognition = FlowRecognition()
    /// The recognizers of datagrams, once a datagram may belong to one.
    var recognizers: [any Recognizer] = []
    var isClosed = false

    /// The conversation that this flow carries together with others.
    var joined: Conversation?
    /// The conversation carried inside this flow's messages.
    var carried: CarriedConversation?
    /// Refused packets by destination, for flows without a session.
    package private(set) var refusals: [FlowRefusal] = []
    /// Whether nothing worth reporting has been found yet, which may remain so.
    private(set) var isQuiet = false
    /// Whether the dissector was replaced and has not yet read the other direction's buffered data.
    var handsOver = false
    /// Whether the dissector has given up on the flow.
    var isGivenUp = false

    init(
        id: Int, _ transport: TransportProtocol, _ ends: (client: Endpoint, server: Endpoint), index: Int,
        startsLate: Bool, shared: SharedLimits
    ) {
        self.id = id
        self.transport = transport
        self.ends = ends
        isLate = startsLate
        self.shared = shared
        self.index = index
        history = transport == .tcp ? ConnectionHistory() : nil
    }

    convenience init(_ flow: Flow, index: Int, startsLate: Bool, shared: SharedLimits) {
        self.init(
            id: flow.id, flow.transport, (flow.client, flow.server), index: index, startsLate: startsLate,
            shared: shared)
    }

    /// The flow information available to dissectors.
    public var context: FlowContext { context(showsEncrypted: false) }

    func context(showsEncrypted: Bool) -> FlowContext {
        shared.context(
            ofFlow: id, transport, client: client, server: server, startsLate: startsLate, layer: layer?.name,
            showsEncrypted: showsEncrypted)
    }

    /// The dissector of the flow's stream or datagrams.
    public var dissector: (any Dissector)? { reader?.dissector }

    // Created on demand.

    package var fromClient: StreamSide {
        if let clientSide { return clientSide }
        let made = StreamSide()
        clientSide = made
        return made
    }
    package var fromServer: StreamSide {
        if let serverSide { return serverSide }
        let made = StreamSide()
        serverSide = made
        return made
    }

    package func side(_ direction: Direction) -> StreamSide {
        direction == .clientToServer ? fromClient : fromServer
    }

    /// Returns the bytes consumed in one direction and received in the other, or nil if some are buffered.
    package func unbufferedPlace(_ direction: Direction) -> (consumed: Int, other: Int)? {
        let (side, other) = direction == .clientToServer ? (clientSide, serverSide) : (serverSide, clientSide)
        guard let side else { return (0, other?.received ?? 0) }
        return side.bufferedOctets == 0 ? (side.consumed, other?.received ?? 0) : nil
    }

    /// Sets the number of bytes consumed in one direction.
    package func consume(to octets: Int, _ direction: Direction) { side(direction).consumed = octets }

    /// Returns the bytes consumed in one direction; those of the conversation if the flow carries one with others.
    package func octetsUsed(_ direction: Direction) -> Int { spoken(direction).consumed }

    /// Returns the bytes received in one direction, including buffered ones. Must not be used for the direction being
    /// read.
    package func bytesReceived(_ direction: Direction) -> Int {
        spoken(direction).received
    }

    private func spoken(_ direction: Direction) -> StreamSide {
        if let joined { return joined.reader.side(direction) }
        if case .stream(let reader)? = carried?.reading { return reader.side(direction) }
        return side(direction)
    }

    /// The state of a direction of the connection itself, below a layer.
    func connectionSide(_ direction: Direction) -> StreamSide {
        layer?.reader.side(direction) ?? side(direction)
    }

    /// Puts a layer below the stream, which is undecided from here on.
    func begin(_ layer: StreamLayer) {
        self.layer = layer
        role = .undecided
        reader = nil
        (clientSide, serverSide) = (nil, nil)
        protocolNames = []
        because = nil
        (recognition.nextSearch, recognition.nextProbe) = (0, 0)
        history?.awaited = nil
    }

    /// Whether a side has received anything.
    var hasSides: Bool { clientSide != nil || serverSide != nil }

    /// The buffered bytes of both sides.
    var buffers: (client: StreamBuffer, server: StreamBuffer) {
        (clientSide?.buffer ?? StreamBuffer(), serverSide?.buffer ?? StreamBuffer())
    }

    /// Releases the stream state of a flow that will not be read.
    func forgetSides(_ budget: inout OctetBudget) {
        clientSide?.buffer.discard(&budget)
        serverSide?.buffer.discard(&budget)
        clientSide = nil
        serverSide = nil
    }

    /// All sessions of the flow.
    package var sessions: FlowSessions { allSessions }

    /// The most recent session of the flow.
    package var latestSession: Session? { sessions.last }

    /// Adds a session.
    func join(_ session: Session) { allSessions = allSessions.adding(session) }

    /// Removes a session that was evicted because of a limit; what follows counts as a late start.
    func lose(_ lost: Session) {
        let wasFirst = session === lost
        allSessions = allSessions.removing(lost)
        guard wasFirst else { return }
        if joined?.session === lost { joined?.session = nil }
        isLate = true
        isLimited = true
    }

    /// Marks the flow and its sessions as not completely tracked because of a limit.
    func noteLimit() {
        isLimited = true
        for session in sessions { session.noteLimit() }
        claim?.owner.noteLimit()
    }

    /// Records that an endpoint refused packets.
    func noteRefusal(_ refusal: FlowRefusal) {
        if let index = refusals.firstIndex(where: { $0.destination == refusal.destination }) {
            refusals[index].note(refusal.first)
        } else if refusal.destination == client || refusal.destination == server {
            refusals.append(refusal)
        }
    }

    /// Returns the refusals not yet reported, and marks them as reported.
    func takeRefusals() -> [FlowRefusal] {
        let unreported = refusals.filter { !$0.isReported }
        for index in refusals.indices { refusals[index].isReported = true }
        return unreported
    }

    /// Records that bytes from the start of the flow are missing.
    func beginLate() { isLate = true }

    /// Records that the capture does not contain the end of the flow.
    func noteEndNotCaptured() {
        isEndNotCaptured = true
        for session in sessions { session.completeness.lacksOctets = true }
    }

    /// Resets the protocol state after the session of the flow has ended and its ports were reassigned.
    func forgetPackets() {
        role = .undecided
        (claim, matchedFlow) = (nil, nil)
        because = nil
        packetReaders = []
        recognizers = []
        recognition.claimsGeneration = -1
    }

    /// Swaps client and server.
    public func swapRoles() {
        isTurned.toggle()
        ends = (ends.server, ends.client)
    }

    /// The name of the protocol being read.
    var protocolName: String {
        reader.map { type(of: $0.dissector).descriptor.name } ?? protocolNames.last ?? "tcp"
    }

    /// Adds a protocol found on the flow.
    public func addProtocol(_ name: String) {
        if let layer, protocolNames.isEmpty, layer.name != name { protocolNames = [layer.name] }
        if !protocolNames.contains(name) { protocolNames = shared.protocolNames(protocolNames, and: name) }
    }

    /// Marks the flow as quiet: its dissector usually has nothing to report.
    func listen() { isQuiet = true }

    /// Ends the quiet state, and adds the dissector's protocol to the flow.
    func speak() {
        isQuiet = false
        if let reader { addProtocol(type(of: reader.dissector).descriptor.name) }
    }

    /// Switches the flow to independent datagrams, read by the packet reader of the named protocol.
    func read(packetsBy reader: any PacketReader, named name: String) {
        role = .packets
        packetReaders = [(name, reader)]
    }

    /// Returns the existing packet reader of a protocol.
    func packetReader(_ name: String) -> (any PacketReader)? {
        for known in packetReaders where known.name == name { return known.reader }
        return nil
    }

    /// The first packet reader, for packets in the flow's messages or for its datagrams.
    public var packets: (any PacketReader)? { packetReaders.first?.reader }

    /// Returns the context of an event on the flow.
    public func place(_ direction: Direction, _ frame: FrameInfo) -> EventContext {
        moment(direction, frame: frame.number, time: frame.time)
    }

    @inline(__always)
    func moment(_ direction: Direction, frame: Int, time: Timestamp) -> EventContext {
        let (client, server) = ends
        let isForward = direction == .clientToServer
        return EventContext(
            frame: frame, time: time, flow: id, direction: direction,
            source: isForward ? client : server,
            destination: isForward ? server : client)
    }
}

/// Limits and budgets shared by all flows.
final class SharedLimits {
    let context: SharedContext
    private var servers = KnownServers()
    /// Whether there is any server with recognized messages.
    private var hasServers = false

    init(_ options: AnalyzerOptions) {
        context = SharedContext(options.limits, showsPackets: options.packets, keepsMedia: options.keepsMedia)
    }

    /// Returns the context of a flow.
    @inline(__always)
    func context(
        ofFlow id: Int, _ transport: TransportProtocol, client: Endpoint, server: Endpoint, startsLate: Bool = false,
        layer: String? = nil, showsEncrypted: Bool = false
    ) -> FlowContext {
        FlowContext(
            id: id, transport: transport, client: client, server: server, startsLate: startsLate, shared: context,
            layer: layer, showsEncrypted: showsEncrypted, isKnownServer: isKnown(client: client.address, server))
    }

    /// Lists of protocol names that flows have: most flows share one.
    private var protocolLists: [[String]] = []
    private static let mostLists = 16

    /// Returns a list of protocol names with another one.
    func protocolNames(_ names: [String], and name: String) -> [String] {
        for list in protocolLists
        where list.count == names.count &+ 1 && list.last == name && list.starts(with: names) { return list }
        let list = names + [name]
        if protocolLists.count < Self.mostLists { protocolLists = protocolLists + [list] }
        return list
    }

    /// Whether messages between a client and a server were recognized.
    private func isKnown(client: IPAddress, _ server: Endpoint) -> Bool {
        hasServers && servers.contains(client: client, server)
    }

    /// Records that messages between a client and a server were recognized.
    func recordKnown(client: IPAddress, _ server: Endpoint) {
        servers.add(client: client, server)
        hasServers = true
    }
}
