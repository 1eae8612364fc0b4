public import WeirPackets

/// Takes packets that need no message, before anything else looks at them.
///
/// Both ways tell the same: what it does not take is read by the dissector, or the packet reader. One object lives for each
/// analysis; a flow, or a direction of it, has a slot in it. It is asked only for what is whole, in order, and no
/// duplicate, and must not touch any flow but through `StoryOutlet`.
public protocol FastPath: SharedState {
    /// Takes octets that arrived for a slot: a datagram as a whole, of a stream as many as it can.
    func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken
    /// Opens a slot for a connection whose dissector names this path; nil when there is nothing to take yet.
    func open(_ flow: FlowState) -> Int32?
    /// Reads what `take` left of a segment, before the dissector does; returns how many octets were used.
    func read(_ octets: RawSpan, _ slot: Int32, _ flow: FlowState, at: EventContext, _ outlet: Outlet) -> Int
    /// The dissector goes on: gives back what it has to know.
    ///
    /// - Returns: octets of the client and of the server that were taken since, and that the driver has not counted yet.
    func giveBack(_ slot: Int32) -> (client: Int, server: Int)
    /// The dissector has read all that came of a side; from now on packets may be taken again.
    func borrow(_ slot: Int32, _ direction: Direction)
    /// The flow has ended.
    func remove(_ slot: Int32)
}

/// What a fast path took.
public struct Taken: Sendable {
    /// How many octets.
    public var octets: Int
    /// Whether some of them wait in the side's buffer for the dissector, although all were taken.
    public var needReader = false

    /// Says how much was taken.
    @inline(__always)
    public init(_ octets: Int, needReader: Bool = false) {
        self.octets = octets
        self.needReader = needReader
    }
}

extension FastPath {
    /// By default slots are for datagrams, whose reader asks for them.
    public func open(_ flow: FlowState) -> Int32? { nil }
    /// By default the dissector reads all that is left.
    public func read(_ octets: RawSpan, _ slot: Int32, _ flow: FlowState, at: EventContext, _ outlet: Outlet) -> Int {
        0
    }
    /// By default the dissector does not notice.
    public func giveBack(_ slot: Int32) -> (client: Int, server: Int) { (0, 0) }
    /// By default there is nothing to lend.
    public func borrow(_ slot: Int32, _ direction: Direction) {}
    /// By default nothing is kept for a slot.
    public func remove(_ slot: Int32) {}
}

/// What a protocol keeps for a whole analysis: `StoryOutlet.shared` makes it when it is first asked for.
public protocol SharedState: AnyObject {
    /// Begins an analysis.
    init(_ outlet: StoryOutlet)
}
