import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Packets as they pass interfaces.
///
///     let capture = try LiveCapture(LiveCapture.Options(interfaces: ["eth0"]))
///     var batch = FrameBatch()
///     while try capture.read(into: &batch, waiting: 1_000) != .woken {
///         batch.forEach { frame, _ in analyzer.process(frame) }
///     }
///
/// Nothing is lost silently: what the kernel or the interface dropped stands in `statistics`.
package final class LiveCapture {
    /// What to capture, and how.
    package struct Options: Sendable {
        /// Names of interfaces; `any` stands for all of them on Linux.
        package var interfaces: [String]
        /// Octets kept of a frame at most.
        package var snapLength = 262_144
        /// Octets of the kernel's buffer, for each interface: what may wait while this program is busy.
        package var bufferOctets = 16 * 1024 * 1024
        /// Whether to take also what is not meant for this host.
        package var isPromiscuous = true
        /// Packets that do not pass are not captured.
        package var filter: CaptureFilter?
        /// How long the kernel may keep a packet to hand it over together with others.
        package var latencyMilliseconds = 20

        /// The defaults, for these interfaces.
        package init(interfaces: [String]) {
            self.interfaces = interfaces
        }
    }

    /// An interface that is captured on.
    package struct Interface: Sendable, Hashable {
        /// Its name.
        package var name: String
        /// What its frames begin with.
        package var linkType: LinkType
        /// Octets kept of a frame at most.
        package var snapLength: Int

        /// Describes an interface.
        package init(name: String, linkType: LinkType, snapLength: Int) {
            self.name = name
            self.linkType = linkType
            self.snapLength = snapLength
        }
    }

    /// What `read` came back with.
    package enum Arrival: Sendable {
        /// Frames, and perhaps there are more.
        case frames
        /// All frames that had come.
        case lastFrames
        /// Nothing in the time given.
        case nothing
        /// Nothing, but the descriptor to wake up for is readable.
        case woken
    }

    /// Octets of a batch after which it is handed over.
    private static let batchOctets = 1024 * 1024

    private let handles: [LiveHandle]
    private var lastNumber = 0
    private var noted: [Int]
    /// For each interface whether there is more to come of it.
    private var isOpen: [Bool]

    /// Interfaces that went away, in that order; capturing goes on while there is another one.
    package private(set) var losses: [LiveError] = []

    /// What was counted until the latest `read`, for each interface.
    package private(set) var statistics: [LiveStatistics]

    /// Begins to capture on all interfaces of `options`; on none if one of them refuses.
    package init(_ options: Options) throws(LiveError) {
        var handles: [LiveHandle] = []
        for (index, name) in options.interfaces.enumerated() {
            handles.append(try LiveHandle(name, index: index, options))
        }
        self.handles = handles
        noted = handles.map { _ in 0 }
        isOpen = handles.map { _ in true }
        statistics = handles.map { _ in LiveStatistics() }
    }

    /// The interfaces, in the order in which they were named; `FrameInfo.interface` counts in it.
    package var interfaces: [Interface] {
        handles.map { Interface(name: $0.name, linkType: $0.linkType, snapLength: $0.snapLength) }
    }

    /// The interfaces that are still captured on, by their names.
    package var remaining: [String] {
        zip(handles, isOpen).filter(\.1).map(\.0.name)
    }

    /// What libpcap had to say when capturing began.
    package var warnings: [String] {
        handles.compactMap { handle in handle.warning.map { "\(handle.name): \($0)" } }
    }

    /// Frames delivered so far.
    package var count: Int { lastNumber }

    /// Packets that were dropped, as far as no frame has come with the number.
    package var unnotedDrops: Int { zip(statistics, noted).reduce(0) { $0 &+ $1.0.missing &- $1.1 } }

    /// Takes the frames that have come; waits for the first one if there is none.
    ///
    /// - Parameters:
    ///   - batch: what is in it is replaced.
    ///   - milliseconds: how long to wait at most; 0 does not wait.
    ///   - wake: a descriptor that ends the waiting when it is readable.
    ///   - most: frames to take at most. Frames behind these are lost.
    ///   - end: frames captured after this moment are left out.
    /// - Throws: the latest of `losses` when no interface is left. What had come before was delivered by an earlier call.
    package func read(
        into batch: inout FrameBatch, waiting milliseconds: Int, wake: Int32? = nil, most: Int = .max,
        until end: Timestamp? = nil
    ) throws(LiveError) -> Arrival {
        batch.removeAll()
        var isMore = take(into: &batch)
        if batch.isEmpty, milliseconds > 0, isOpen.contains(true) {
            if wait(milliseconds, wake) { return .woken }
            isMore = take(into: &batch)
        }
        // After the frames were taken: nothing can be missing before those if nothing was dropped until now.
        for index in handles.indices where isOpen[index] { statistics[index] = handles[index].statistics() }
        if batch.isEmpty, !isOpen.contains(true), let last = losses.last { throw last }
        guard !batch.isEmpty else { return .nothing }
        if handles.count > 1 { batch.sortByTime() }
        batch.limit(to: most, until: end)
        for (index, counts) in statistics.enumerated() where counts.missing > noted[index] {
            if batch.noteDrops(counts.missing &- noted[index], interface: index) { noted[index] = counts.missing }
        }
        batch.number(after: lastNumber)
        lastNumber &+= batch.count
        return isMore ? .frames : .lastFrames
    }

    private func take(into batch: inout FrameBatch) -> Bool {
        var isMore = false
        for (index, handle) in handles.enumerated() where isOpen[index] {
            // Each interface has its share of the batch, however busy the others are.
            let most = Self.batchOctets / handles.count &* (index &+ 1)
            do throws(LiveError) {
                if try handle.take(into: &batch, most: most) { isMore = true }
            } catch {
                isOpen[index] = false
                losses.append(error)
            }
        }
        return isMore
    }

    /// Waits for packets; true when `wake` has something, and no packet has come.
    private func wait(_ milliseconds: Int, _ wake: Int32?) -> Bool {
        var wanted = zip(handles, isOpen).filter(\.1).map {
            pollfd(fd: $0.0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        let count = wanted.count
        if let wake { wanted.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
        // Sound: the array holds as many entries as are told, and is not used elsewhere in the meantime.
        guard unsafe poll(&wanted, nfds_t(wanted.count), Int32(clamping: milliseconds)) > 0, wake != nil else {
            return false
        }
        return wanted.prefix(count).allSatisfy { $0.revents == 0 } && wanted.last?.revents != 0
    }

    /// How far the clock that packets are stamped with is ahead of one that nobody sets, in nanoseconds: a change says
    /// that it was set.
    package static func clockLead() -> Int64 {
        var before = steadyTime()
        while true {
            let now = now().nanoseconds
            let after = steadyTime()
            // Where this program was not let run in between, the two belong to different moments.
            if after &- before < 10_000_000 { return now &- before }
            before = after
        }
    }

    /// Nanoseconds since some moment, by a clock that nobody sets and that goes on while the machine sleeps.
    private static func steadyTime() -> Int64 {
        #if os(Linux)
            let clock = CLOCK_BOOTTIME
        #else
            let clock = CLOCK_MONOTONIC
        #endif
        var time = timespec()
        // Sound: the system fills the structure that it is given.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The time by the clock that packets are stamped with.
    package static func now() -> Timestamp {
        var time = timespec()
        // Sound: the system fills the structure that it is given.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
