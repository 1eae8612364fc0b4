import WeirEngine
import WeirPackets

/// Steps in groups until it is known whether they are printed: printing all would cost more than it takes to analyze
/// them. Nothing is lost at the limits: what is printed earlier is sorted only up to there.
struct WaitingSteps {
    /// A step with its place in order of time.
    struct Entry {
        var step: StepReorderBuffer.Step
        var time: Int64
        /// The number of the step in order of arrival, for steps of the same time.
        var number: Int
    }

    /// The steps of a session, or of a flow without one. An object: changing a large value in a dictionary allocates room for
    /// a copy.
    final class Group {
        private var steps = Lent([Entry]())
        /// The steps in order of time: most arrive so, and a few are reported late.
        var entries: [Entry] { steps.current }
        /// The frame of the last step; nil for a finding without one.
        private(set) var lastFrame: Int?
        /// The octets of text in their messages.
        private(set) var octets = 0

        func insert(_ entry: Entry, frame: Int?, octets: Int) {
            self.octets &+= octets
            var entries = steps.take()
            if entries.isEmpty { entries.reserveCapacity(16) }
            var place = entries.count
            while place > 0, entries[place - 1].time > entry.time { place -= 1 }
            if place == entries.count { lastFrame = frame }
            entries.insert(entry, at: place)
            steps.put(consume entries)
        }

        func insert(_ removed: Group) {
            for entry in removed.entries {
                let frame: Int? = if case .event(let event, _, _) = entry.step { event.frame } else { nil }
                insert(entry, frame: frame, octets: 0)
            }
            octets &+= removed.octets
        }
    }

    /// The maximum number of steps.
    private static let most = 4096
    /// The maximum number of octets of text in their messages.
    private static let mostOctets = 1 << 20

    private var groups = NumberedObjects<Group>()
    private var count = 0
    private var octets = 0
    /// The number of steps so far.
    private var inserted = 0
    /// The latest time of a step.
    private var latest = Int64.min

    /// Whether steps have to be printed before more are added.
    var isFull: Bool { count > Self.most || octets > Self.mostOctets }

    /// Inserts a step into a group by its time.
    ///
    /// - Parameter octets: The octets of text in its message.
    mutating func insert(
        _ event: Event, _ session: SessionReference?, _ found: [Finding], to group: Int, octets: Int
    ) {
        latest = max(latest, event.time.nanoseconds)
        inserted += 1
        let entry = Entry(
            step: .event(event, session, found), time: event.time.nanoseconds, number: inserted)
        self.group(group).insert(entry, frame: event.frame, octets: octets)
        count += 1
        self.octets &+= octets
    }

    /// Inserts a finding without a step into a group, after all steps so far.
    mutating func insert(_ finding: StepReorderBuffer.Step, to group: Int) {
        inserted += 1
        self.group(group).insert(Entry(step: finding, time: latest, number: inserted), frame: nil, octets: 0)
        count += 1
    }

    private mutating func group(_ number: Int) -> Group { groups.object(number) { Group() } }

    /// Returns the frame of the last step of a group.
    func lastFrame(of group: Int) -> Int? { groups[group]?.lastFrame }

    /// Inserts the steps of a removed group into a group.
    mutating func insert(_ removed: Group?, to group: Int) {
        guard let removed else { return }
        self.group(group).insert(removed)
        count += removed.entries.count
        octets &+= removed.octets
    }

    /// Removes and returns the steps of a group, in order.
    mutating func take(_ group: Int) -> [Entry] { remove(group)?.entries ?? [] }

    /// Removes and returns the steps of all groups, in order of time.
    mutating func takeAll() -> [Entry] {
        let entries = groups.all.flatMap(\.entries).sorted { ($0.time, $0.number) < ($1.time, $1.number) }
        (groups, count, octets) = (NumberedObjects(), 0, 0)
        return entries
    }

    /// Removes and returns a group.
    mutating func remove(_ group: Int) -> Group? {
        guard let removed = groups.remove(group) else { return nil }
        count -= removed.entries.count
        octets &-= removed.octets
        return removed
    }
}
