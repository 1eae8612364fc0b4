import WeirPackets

/// Tracks an MPEG transport stream: its programs, and the measurements of the first two priorities of ETSI TR 101 290,
/// as far as network packets permit.
///
/// Times are capture times. Faults explained by packet loss are not attributed to the stream.
package struct TransportStream: Sendable {
    /// The measured faults (ETSI TR 101 290).
    package struct Faults: OptionSet, Sendable, Hashable {
        /// The bit mask.
        package let rawValue: UInt16
        /// Creates a set from a bit mask.
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        /// A packet does not start with 0x47 (1.1, 1.2).
        package static let sync = Self(rawValue: 1)
        /// The program association table is missing for half a second, or damaged (1.3).
        package static let association = Self(rawValue: 2)
        /// The continuity counter of a PID does not increase by one (1.4).
        package static let continuity = Self(rawValue: 4)
        /// A program map table is missing for half a second, or damaged (1.5).
        package static let map = Self(rawValue: 8)
        /// `transport_error_indicator` is set (2.1).
        package static let transport = Self(rawValue: 16)
        /// The CRC of a table is wrong (2.2).
        package static let checksum = Self(rawValue: 32)
        /// No PCR arrives for 100 ms (2.3).
        package static let clock = Self(rawValue: 64)
        /// The PTS is missing for 700 ms (2.5).
        package static let presentation = Self(rawValue: 128)
        /// The PCR goes back, or jumps by more than 100 ms without a discontinuity indicator (2.3).
        package static let clockJump = Self(rawValue: 256)
    }

    /// A periodic element of the stream.
    private enum Regular: Hashable {
        case association
        case map(UInt16)
        case clock(UInt16)
    }

    /// The size of a packet in octets.
    static let packetLength = 188
    /// The first octet of a packet (§2.4.3.3).
    static let syncByte: UInt8 = 0x47
    private static let tables: Int64 = 500_000_000
    private static let clocks: Int64 = 100_000_000
    /// The PID of null packets (§2.4.3.3).
    private static let nullPID: UInt16 = 0x1FFF
    private static let presentations: Int64 = 700_000_000
    /// The tolerance for late elements, since packets arrive in bursts.
    private static let slack: Int64 = 50_000_000

    private let limits: TransportStreamLimits
    /// Whether a limit for tracked elements was exceeded.
    package private(set) var hasMore = false
    private(set) var pids: [UInt16: TransportStreamPID] = [:]
    private var sections: [UInt16: SectionBuffer] = [:]
    /// The time of the latest association table, or the time since which it is awaited.
    private var lastAssociation: Int64?
    /// The same for the map tables listed in the association table.
    private var lastMap: [UInt16: Int64] = [:]
    /// PIDs of the map tables listed in the latest association table.
    private var maps: Set<UInt16> = []
    /// The program clocks by PID.
    private(set) var clocks: [UInt16: ProgramClock] = [:]
    /// The time since which the first PCR of a PID is awaited.
    private var awaitedClock: [UInt16: Int64] = [:]
    /// Whether any PCR was received.
    package private(set) var hasClock = false
    /// Tables and clocks already reported as missing, and not reported again when they arrive.
    private var overdue: Set<Regular> = []
    /// The time of the next check for missing elements.
    private var nextLook: Int64 = .min
    /// The programs, in order of first appearance.
    package private(set) var programs: [TransportStreamProgram] = []
    /// Names and numbers of the network and its services.
    private(set) var information = ServiceInformation()
    /// The number of 188-octet packets.
    package private(set) var packets = 0
    /// Those without content (PID 0x1FFF).
    private(set) var nullPackets = 0
    /// Times of the first and the last packet.
    private(set) var times: ClosedRange<Timestamp>?
    /// The longest interval between PCRs, in nanoseconds.
    package private(set) var longestClockInterval: Int64 = 0

    /// What payloads that are cut within packets need.
    var joint = Joint()

    /// Creates the initial state.
    package init(limits: TransportStreamLimits = TransportStreamLimits()) { self.limits = limits }

    /// Returns the number of packets of a PID.
    package func packets(of pid: UInt16) -> Int { pids[pid]?.packets ?? 0 }

    /// The PIDs, in ascending order.
    package var identifiers: [UInt16] { pids.keys.sorted() }

    /// Handles packet loss: earlier packets do not determine what follows.
    package mutating func lose() {
        joint.lose()
        for pid in pids.keys { pids[pid]?.loseCounter() }
        for pid in sections.keys { sections[pid]?.clear() }
        forgetTimes()
    }

    /// Resets the expected times, since an expected element may have been lost.
    private mutating func forgetTimes() {
        lastAssociation = nil
        lastMap = [:]
        for pid in clocks.keys { clocks[pid]?.lose() }
        awaitedClock = [:]
        overdue = []
        for pid in pids.keys { pids[pid]?.loseTimes() }
    }

    /// Processes the packets of a datagram that arrived at `time`; returns their faults.
    package mutating func take(_ bytes: RawSpan, at time: Timestamp) -> Faults {
        var found: Faults = []
        var offset = 0
        let start = min(times?.lowerBound ?? time, time)
        times = start...max(times?.upperBound ?? time, time)
        while offset &+ Self.packetLength <= bytes.byteCount {
            let packet = bytes.clamped(offset, offset &+ Self.packetLength)
            if packet.byte(at: 0) == Self.syncByte {
                take(packet, time.nanoseconds, &found)
            } else {
                recordReset(&found)
            }
            offset &+= Self.packetLength
        }
        if offset != bytes.byteCount { recordReset(&found) }
        if time.nanoseconds >= nextLook { look(time.nanoseconds, &found) }
        return found
    }

    /// Handles data that is not a packet: it may have been a damaged one, so the counters are unknown.
    private mutating func recordReset(_ found: inout Faults) {
        found.insert(.sync)
        lose()
    }

    /// Checks for a missing table or PCR, which may never be repeated.
    private mutating func look(_ time: Int64, _ found: inout Faults) {
        nextLook = time &+ Self.slack
        waitForFirst(time)
        if let last = lastAssociation, time &- last > Self.tables &+ Self.slack, overdue.insert(.association).inserted {
            found.insert(.association)
        }
        for (pid, last) in lastMap where time &- last > Self.tables &+ Self.slack {
            if overdue.insert(.map(pid)).inserted { found.insert(.map) }
        }
        for program in programs {
            let pid = program.clockPID
            let clock = clocks[pid]?.latest?.time
            guard let last = clock ?? awaitedClock[pid], time &- last > Self.clocks &+ Self.slack else {
                continue
            }
            if clock != nil { longestClockInterval = max(longestClockInterval, time &- last) }
            if overdue.insert(.clock(pid)).inserted { found.insert(.clock) }
        }
    }

    /// Starts waiting for elements not yet received.
    private mutating func waitForFirst(_ time: Int64) {
        if lastAssociation == nil { lastAssociation = time }
        for program in programs {
            if maps.contains(program.mapPID), lastMap[program.mapPID] == nil { lastMap[program.mapPID] = time }
            guard program.clockPID != Self.nullPID, clocks[program.clockPID]?.latest == nil else { continue }
            awaitedClock[program.clockPID] = awaitedClock[program.clockPID] ?? time
        }
    }

    private mutating func take(_ packet: RawSpan, _ time: Int64, _ found: inout Faults) {
        guard let word = packet.uint32(at: 0) else { return }
        packets &+= 1
        let number = UInt16(truncatingIfNeeded: word >> 8) & 0x1FFF
        guard word & 0x80_0000 == 0 else {
            // Any of its octets may be wrong, so it and what depends on it is ignored.
            found.insert(.transport)
            return lose()
        }
        guard number != Self.nullPID else {
            nullPackets &+= 1
            return
        }
        guard isWithinLimit(pids[number] != nil || pids.count < limits.identifiers) else { return }
        let (hasPayload, isScrambled) = (word & 0x10 != 0, word & 0xC0 != 0)
        var payloadStart = 4
        var isDiscontinuous = false
        var clock: Int64?
        if word & 0x20 != 0, let length = packet.byte(at: 4) {
            payloadStart = 5 &+ Int(length)
            if length > 0, let flags = packet.byte(at: 5) {
                isDiscontinuous = flags & 0x80 != 0
                if flags & 0x10 != 0, let high = packet.uint32(at: 6), let low = packet.uint16(at: 10) {
                    // 33 bits at 90 kHz, 6 reserved, 9 bits at 27 MHz (§2.4.3.5).
                    let base = Int64(high) << 1 | Int64(low >> 15)
                    clock = base &* 300 &+ Int64(low & 0x1FF)
                }
            }
        }
        follow(
            number, counter: UInt8(truncatingIfNeeded: word & 0x0F), hasPayload: hasPayload, isDiscontinuous, &found)
        if isScrambled { pids[number]?.scrambled &+= 1 }
        if let clock { follow(clock, of: number, time, isDiscontinuous, &found) }
        guard hasPayload, payloadStart < Self.packetLength else { return }
        let payload = packet.clamped(payloadStart)
        let starts = word & 0x40_0000 != 0
        if number == 0 || programs.contains(where: { $0.mapPID == number }) {
            read(payload, starts: starts, number, time, isScrambled: isScrambled, &found)
        } else if number == ServiceInformation.servicePID || number == information.networkPID {
            if !isScrambled { readInformation(payload, starts: starts, number, &found) }
        } else if starts, !isScrambled {
            followPresentation(payload, number, time, &found)
        }
    }

    /// Checks the continuity counter, and records a break.
    private mutating func follow(
        _ number: UInt16, counter: UInt8, hasPayload: Bool, _ isDiscontinuous: Bool, _ found: inout Faults
    ) {
        let isBroken = pids[number, default: TransportStreamPID()].take(
            counter: counter, hasPayload: hasPayload, isDiscontinuous: isDiscontinuous)
        guard isBroken else { return }
        found.insert(.continuity)
        sections[number]?.clear()
        forgetTimes()
    }

    private mutating func follow(
        _ clock: Int64, of number: UInt16, _ time: Int64, _ isDiscontinuous: Bool, _ found: inout Faults
    ) {
        hasClock = true
        let wasMissed = overdue.remove(.clock(number)) != nil
        guard isWithinLimit(clocks[number] != nil || clocks.count < limits.programs) else { return }
        if isDiscontinuous { clocks[number]?.lose() }
        let point = ProgramClock.Point(value: clock, time: time, packet: packets)
        if let last = clocks[number]?.latest {
            longestClockInterval = max(longestClockInterval, time &- last.time)
            let step = point.step(since: last)
            // Already reported as missing.
            let longest = Self.clocks &+ Self.slack
            if time &- last.time > longest {
                if !wasMissed { found.insert(.clock) }
                if step < 0 { found.insert(.clockJump) }
            } else if step > longest && !wasMissed || step < 0 {
                found.insert(.clockJump)
            }
        }
        clocks[number, default: ProgramClock()].take(point)
    }

    private mutating func followPresentation(
        _ payload: RawSpan, _ number: UInt16, _ time: Int64, _ found: inout Faults
    ) {
        guard let times = PresentationTimes(payload),
            let (program, element) = programs.lazy.compactMap({ program in
                program.elements.first { $0.pid == number }.map { (program, $0) }
            }).first
        else { return }
        let clock = clocks[program.clockPID]?.latest?.value
        guard let interval = pids[number]?.take(times, at: time, clock: clock) else { return }
        // Subtitles and data are sent as they occur.
        if element.isContinuous, interval > Self.presentations &+ Self.slack { found.insert(.presentation) }
    }

    // MARK: - Tables

    private mutating func read(
        _ payload: RawSpan, starts: Bool, _ number: UInt16, _ time: Int64, isScrambled: Bool, _ found: inout Faults
    ) {
        guard !isScrambled else {
            found.insert(number == 0 ? .association : .map)
            return
        }
        guard isWithinLimit(sections[number] != nil || sections.count < limits.programs) else { return }
        for section in sections[number, default: SectionBuffer()].take(payload, starts: starts) {
            // Other tables may share the PID of a map table.
            guard section.count >= 12, let table = section.first, number == 0 || table == 2 else {
                if number == 0 { found.insert(.association) }
                continue
            }
            guard SectionBuffer.isIntact(section) else {
                found.insert(.checksum)
                continue
            }
            if number == 0 {
                guard table == 0 else {
                    found.insert(.association)
                    continue
                }
                let wasMissed = overdue.remove(.association) != nil
                if let last = lastAssociation, !wasMissed, time &- last > Self.tables &+ Self.slack {
                    found.insert(.association)
                }
                lastAssociation = time
                readAssociation(section)
            } else {
                let wasMissed = overdue.remove(.map(number)) != nil
                if let last = lastMap[number], !wasMissed, time &- last > Self.tables &+ Self.slack {
                    found.insert(.map)
                }
                lastMap[number] = time
                readMap(section, number)
            }
        }
    }

    /// Returns whether the limit permits another element, and records if it does not.
    private mutating func isWithinLimit(_ isFree: Bool) -> Bool {
        if !isFree { hasMore = true }
        return isFree
    }

    /// Reads tables that name services and the network.
    private mutating func readInformation(
        _ payload: RawSpan, starts: Bool, _ number: UInt16, _ found: inout Faults
    ) {
        guard isWithinLimit(sections[number] != nil || sections.count < limits.programs) else { return }
        for section in sections[number, default: SectionBuffer()].take(payload, starts: starts)
        where ServiceInformation.isRead(section, pid: number, network: information.networkPID) {
            guard SectionBuffer.isIntact(section) else {
                found.insert(.checksum)
                continue
            }
            if !information.take(section, limit: limits.programs) { hasMore = true }
        }
    }

    private mutating func readAssociation(_ section: [UInt8]) {
        information.streamID = UInt16(section[3]) << 8 | UInt16(section[4])
        // A program removed from the table has no map to wait for; a table of several sections lists programs in parts.
        if section[7] == 0 {
            let pids = stride(from: 8, to: section.count - 7, by: 4).map {
                (UInt16(section[$0 + 2]) << 8 | UInt16(section[$0 + 3])) & 0x1FFF
            }
            for pid in lastMap.keys where !pids.contains(pid) { lastMap[pid] = nil }
            maps = []
        }
        for offset in stride(from: 8, to: section.count - 7, by: 4) {
            let number = UInt16(section[offset]) << 8 | UInt16(section[offset + 1])
            let pid = (UInt16(section[offset + 2]) << 8 | UInt16(section[offset + 3])) & 0x1FFF
            guard number != 0 else {
                information.networkPID = pid
                continue
            }
            guard isWithinLimit(maps.contains(pid) || maps.count < limits.programs) else { continue }
            maps.insert(pid)
            guard !programs.contains(where: { $0.number == number }),
                isWithinLimit(programs.count < limits.programs)
            else { continue }
            programs.append(TransportStreamProgram(number: number, mapPID: pid))
        }
    }

    private mutating func readMap(_ section: [UInt8], _ pid: UInt16) {
        let number = UInt16(section[3]) << 8 | UInt16(section[4])
        guard section.count >= 16, let index = programs.firstIndex(where: { $0.number == number && $0.mapPID == pid })
        else { return }
        // A table that applies later (§2.4.4.9).
        guard section[5] & 1 == 1 else { return }
        programs[index].clockPID = (UInt16(section[8]) << 8 | UInt16(section[9])) & 0x1FFF
        let length = Int(section[10] & 0x0F) << 8 | Int(section[11])
        let end = section.count - 4
        programs[index].descriptors = TransportStreamDescriptors(section[12..<min(12 + length, end)])
        var elements: [TransportStreamProgram.Element] = []
        var offset = 12 + length
        while offset + 5 <= end, isWithinLimit(elements.count < limits.elements) {
            let element = (UInt16(section[offset + 1]) << 8 | UInt16(section[offset + 2])) & 0x1FFF
            let length = Int(section[offset + 3] & 0x0F) << 8 | Int(section[offset + 4])
            elements.append(
                TransportStreamProgram.Element(
                    type: section[offset], pid: element,
                    descriptors: TransportStreamDescriptors(section[offset + 5..<min(offset + 5 + length, end)])))
            offset += 5 + length
        }
        programs[index].elements = elements
    }
}
