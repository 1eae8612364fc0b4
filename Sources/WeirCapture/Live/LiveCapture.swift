import WeirPackets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A live capture on one or more interfaces.
///
///     let capture = try LiveCapture(LiveCapture.Options(interfaces: ["eth0"]))
///     var batch = FrameBatch()
///     while try capture.read(into: &batch, waiting: 1_000) != .woken {
///         batch.forEach { frame, _ in analyzer.process(frame) }
///     }
///
/// Packets dropped by the kernel or the interface are counted in `statistics`.
package final class LiveCapture {
    /// The options of a live capture.
    package struct Options: Sendable {
        /// The names of the interfaces; `any` captures on all of them on Linux.
        package var interfaces: [String]
        /// The snap length, in octets.
        package var snapLength = 262_144
        /// The size of the kernel's buffer per interface, in octets.
        package var bufferOctets = 16 * 1024 * 1024
        /// Whether to use promiscuous mode.
        package var isPromiscuous = true
        /// The filter; packets that do not match are not captured.
        package var filter: CaptureFilter?
        /// How long the kernel may delay a packet to deliver it together with others, in milliseconds.
        package var latencyMilliseconds = 20

        /// Creates default options for these interfaces.
        package init(interfaces: [String]) {
            self.interfaces = interfaces
        }
    }

    /// A captured interface.
    package struct Interface: Sendable, Hashable {
        /// The name.
        package var name: String
        /// The link type.
        package var linkType: LinkType
        /// The snap length, in octets.
        package var snapLength: Int

        /// Creates the description of an interface.
        package init(name: String, linkType: LinkType, snapLength: Int) {
            self.name = name
            self.linkType = linkType
            self.snapLength = snapLength
        }
    }

    /// The result of `read`.
    package enum Arrival: Sendable {
        /// Frames; more may be available.
        case frames
        /// All available frames.
        case lastFrames
        /// No frames before the timeout.
        case nothing
        /// No frames; the wake descriptor is readable.
        case woken
    }

    /// The batch size, in octets, at which reading stops.
    private static let batchOctets = 1024 * 1024

    private let handles: [LiveHandle]
    private var lastNumber = 0
    private var noted: [Int]
    /// Whether each interface is still being captured.
    private var isOpen: [Bool]

    /// Errors of interfaces that disappeared, in order; the capture continues while another one is left.
    package private(set) var losses: [LiveError] = []

    /// The statistics of each interface at the latest `read`.
    package private(set) var statistics: [LiveStatistics]

    /// Starts capturing on all interfaces of `options`; throws if any of them fails.
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

    /// The interfaces in the order given; `FrameInfo.interface` is an index into it.
    package var interfaces: [Interface] {
        handles.map { Interface(name: $0.name, linkType: $0.linkType, snapLength: $0.snapLength) }
    }

    /// The names of the interfaces still being captured.
    package var remaining: [String] {
        zip(handles, isOpen).filter(\.1).map(\.0.name)
    }

    /// The warnings of libpcap at the start of the capture.
    package var warnings: [String] {
        handles.compactMap { handle in handle.warning.map { "\(handle.name): \($0)" } }
    }

    /// The number of frames delivered so far.
    package var count: Int { lastNumber }

    /// Dropped packets not yet recorded with a frame.
    package var unnotedDrops: Int { zip(statistics, noted).reduce(0) { $0 &+ $1.0.missing &- $1.1 } }

    /// Reads the available frames, waiting for the first one if necessary.
    ///
    /// - Parameters:
    ///   - batch: Its contents are replaced.
    ///   - milliseconds: The timeout; 0 does not wait.
    ///   - wake: A descriptor that ends the wait when it is readable.
    ///   - most: The maximum number of frames. Frames beyond it are lost.
    ///   - end: Frames captured after this time are omitted.
    /// - Throws: The latest of `losses` if no interface is left. Frames before that were delivered by an earlier call.
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
        // Read after the frames: if nothing was dropped by now, nothing is missing before them.
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

    /// Waits for packets. Returns true if `wake` is readable and no packet has arrived.
    private func wait(_ milliseconds: Int, _ wake: Int32?) -> Bool {
        var wanted = zip(handles, isOpen).filter(\.1).map {
            pollfd(fd: $0.0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        let count = wanted.count
        if let wake { wanted.append(pollfd(fd: wake, events: Int16(POLLIN), revents: 0)) }
        // Sound: the array has as many entries as passed, and is not used elsewhere in the meantime.
        guard unsafe poll(&wanted, nfds_t(wanted.count), Int32(clamping: milliseconds)) > 0, wake != nil else {
            return false
        }
        return wanted.prefix(count).allSatisfy { $0.revents == 0 } && wanted.last?.revents != 0
    }

    /// Returns how far the clock of packet timestamps is ahead of a monotonic clock, in nanoseconds: a difference
    /// between two calls is a clock change.
    package static func clockLead() -> Int64 {
        var before = steadyTime()
        while true {
            let now = now().nanoseconds
            let after = steadyTime()
            // If the process was suspended in between, the two readings are of different times.
            if after &- before < 10_000_000 { return now &- before }
            before = after
        }
    }

    /// Returns the time of a monotonic clock that continues during sleep, in nanoseconds.
    private static func steadyTime() -> Int64 {
        #if os(Linux)
            let clock = CLOCK_BOOTTIME
        #else
            let clock = CLOCK_MONOTONIC
        #endif
        var time = timespec()
        // Sound: the system fills the structure passed to it.
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Returns the current time of the clock of packet timestamps.
    package static func now() -> Timestamp {
        var time = timespec()
        // Sound: the system fills the structure passed to it.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
