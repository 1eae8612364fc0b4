public import WeirPackets

/// Consumes packets that need no message, before other processing.
///
/// The result is the same as without it: what it does not consume is read by the dissector or packet reader. There is
/// one object per analysis; each flow, or direction of a flow, has a slot. It only receives complete, ordered data
/// without duplicates, and must not access flows except through `SessionOutlet`.
public protocol FastPath: SharedState {
    /// Consumes bytes that arrived for a slot: a datagram as a whole, or as much of a stream as it can.
    func take(
        _ octets: RawSpan, _ slot: Int32, _ direction: Direction, _ frame: FrameInfo, budget: inout OctetBudget
    ) -> Taken
    /// Opens a slot for a connection whose dissector uses this path, or returns nil if it cannot consume anything yet.
    /// What is read is emitted to `outlet`.
    func open(_ flow: FlowState, _ outlet: Outlet) -> Int32?
    /// Reads of the octets that `take` left, or returns what it has read of them, and emits what it found; the messages are in
    /// the outlet. Nil if the dissector has to read them all. Called again for what follows, as long as `FastRead.goesOn`.
    func finishRead(_ slot: Int32, _ octets: RawSpan, at place: EventContext) -> FastRead?
    /// Returns the state to the dissector, which continues.
    ///
    /// - Returns: The client's and the server's bytes consumed since then, which the driver has not yet counted.
    func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int)
    /// Borrows the state after the dissector has read all available data of a direction, so that packets can be
    /// consumed again.
    func borrow(_ slot: Int32, _ direction: Direction)
    /// Removes the slot of a flow that has ended.
    func remove(_ slot: Int32)
}

/// The result of a fast path.
public struct Taken: Sendable {
    /// The number of bytes consumed.
    public var octets: Int
    /// Whether some of them are in the buffer for the dissector although all were consumed.
    public var needReader = false

    /// Creates a result.
    @inline(__always)
    public init(_ octets: Int, needReader: Bool = false) {
        self.octets = octets
        self.needReader = needReader
    }
}

/// What a fast path has read of the octets that it left.
public struct FastRead: Sendable {
    /// The bytes of the sender that it consumed before, which the driver has not yet counted; ignored if `goesOn`.
    public var taken: Int
    /// The bytes read.
    public var used: Int
    /// Whether it has counted them itself, and `take` can process what follows.
    public var goesOn: Bool

    /// Creates the result of reading.
    public init(taken: Int, used: Int, goesOn: Bool = false) {
        self.taken = taken
        self.used = used
        self.goesOn = goesOn
    }
}

extension FastPath {
    /// The default: slots are only for datagrams, and requested by their reader.
    public func open(_ flow: FlowState, _ outlet: Outlet) -> Int32? { nil }
    /// The default: the dissector reads everything.
    public func finishRead(_ slot: Int32, _ octets: RawSpan, at place: EventContext) -> FastRead? { nil }
    /// The default: nothing to return.
    public func returnBorrowed(_ slot: Int32) -> (client: Int, server: Int) { (0, 0) }
    /// The default implementation does nothing.
    public func borrow(_ slot: Int32, _ direction: Direction) {}
    /// The default implementation does nothing.
    public func remove(_ slot: Int32) {}
}

/// The state that a protocol keeps for the whole analysis, created on first use by `SessionOutlet.shared`.
public protocol SharedState: AnyObject {
    /// Creates the state for an analysis.
    init(_ outlet: SessionOutlet)
}
