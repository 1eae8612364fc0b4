import WeirEngine
import WeirPackets

/// The steps of a session, or of a flow without one, until it is known whether they are printed: printing all would cost
/// more than it takes to analyze them.
struct WaitingSteps {
    /// A step with its place in order of time.
    struct Entry {
        var step: StepReorderBuffer.Step
        var time: Int64
        /// The number of the step in order of arrival, for steps of the same time.
        var number: Int
    }

    /// The number of steps in a block.
    private static let blockSize = 8

    /// The steps in order of arrival, in blocks: steps are large, and would be moved as a single list grows.
    private var blocks: [[Entry]] = []
    /// The number of steps.
    private(set) var count = 0
    /// The latest time of a step, and its frame; nil for a finding without one.
    private var latest = Int64.min
    private(set) var lastFrame: Int?
    /// Whether the steps are in order of time: most arrive so, and a few are reported late.
    private var isSorted = true
    /// The octets of text in their messages.
    private(set) var octets = 0

    /// The step at a position in order of arrival. Read in place: a copy counts many references.
    subscript(position: Int) -> Entry {
        _read { yield blocks[position / Self.blockSize][position % Self.blockSize] }
    }

    /// The positions of the steps in order of time.
    var order: [Int] {
        let positions = Array(0..<count)
        return isSorted ? positions : positions.sorted { (self[$0].time, $0) < (self[$1].time, $1) }
    }

    /// The steps in order of time.
    var sorted: [Entry] { order.map { self[$0] } }

    /// Inserts a step by its time.
    ///
    /// - Parameter octets: The octets of text in its message.
    mutating func insert(_ entry: consuming Entry, frame: Int?, octets: Int) {
        self.octets &+= octets
        if entry.time >= latest {
            (latest, lastFrame) = (entry.time, frame)
        } else {
            isSorted = false
        }
        if count % Self.blockSize == 0 {
            var block: [Entry] = []
            block.reserveCapacity(Self.blockSize)
            block.append(entry)
            blocks.append(block)
        } else {
            blocks[blocks.count - 1].append(entry)
        }
        count &+= 1
    }

    /// Inserts other steps.
    mutating func insert(_ others: WaitingSteps) {
        for entry in others.sorted { insert(entry, frame: entry.step.frame, octets: 0) }
        octets &+= others.octets
    }
}

/// The number of waiting steps. Nothing is lost at its limits: what is printed earlier is sorted only up to there.
struct WaitingTotal {
    /// The maximum number of steps.
    private static let most = 2048
    /// The maximum number of octets of text in their messages.
    private static let mostOctets = 1 << 20

    private var count = 0
    private var octets = 0
    /// The number of steps so far.
    private var inserted = 0
    /// The latest time of a step.
    private var latest = Int64.min

    /// Whether steps have to be printed before more are added.
    var isFull: Bool { count > Self.most || octets > Self.mostOctets }

    /// Counts a step, and returns it with its place: after all so far if it has no time.
    mutating func entry(
        _ step: consuming StepReorderBuffer.Step, at time: Int64?, octets: Int = 0
    ) -> WaitingSteps.Entry {
        if let time { latest = max(latest, time) }
        inserted &+= 1
        count &+= 1
        self.octets &+= octets
        return WaitingSteps.Entry(step: step, time: time ?? latest, number: inserted)
    }

    /// Adds steps that another total contained.
    mutating func add(_ steps: WaitingSteps) {
        count &+= steps.count
        octets &+= steps.octets
    }

    /// Subtracts steps that wait no longer.
    mutating func remove(_ steps: WaitingSteps) {
        count &-= steps.count
        octets &-= steps.octets
    }
}
