import WeirEngine
import WeirPackets

/// The figures of the data packets in one direction of a connection.
struct SRTStream: TransportStreamDetails {
    /// The stream number in the report.
    let id: Int
    /// Time of the first packet.
    let startTime: Timestamp
    /// Context of the last packet.
    private(set) var last: EventContext
    /// Data packets, retransmissions included.
    private(set) var packets = 0
    private(set) var payloadOctets = 0
    private(set) var retransmittedOctets = 0
    /// Packets that are encrypted and whose key is unknown, and those that were decrypted.
    private(set) var encrypted = 0
    private(set) var decrypted = 0
    /// Loss and repair.
    private(set) var recovery: SRTRecovery
    /// Messages whose packets are all there, and those of which some are missing.
    private(set) var messages = 0
    private(set) var incompleteMessages = 0
    /// Packets of messages that may be delivered before earlier ones.
    private(set) var unordered = 0
    /// Round-trip times that the receiver reported, in microseconds.
    private(set) var roundTrip = (count: 0, sum: 0, smallest: UInt32.max, largest: UInt32(0))
    private(set) var variation: UInt32 = 0
    private(set) var capacity: UInt32 = 0
    /// The latest one in milliseconds.
    private var latestRoundTrip: Double?
    /// The latency agreed, in milliseconds.
    var latency: Int?
    /// Whether retransmissions are marked as such.
    var marksRetransmissions: Bool {
        get { recovery.marksRetransmissions }
        set { recovery.marksRetransmissions = newValue }
    }
    /// Whether a packet filter was agreed on, which repairs loss without retransmissions.
    var hasFilter = false
    /// Packets of the filter.
    private(set) var filterPackets = 0
    /// Packets that the network duplicated.
    private(set) var duplicates = 0
    /// Whether the content is known: the first readable packet shows it.
    private var isContentKnown = false
    /// The transport stream in the payloads, or nil for other data.
    private(set) var content: TransportStream?
    private(set) var faults = FaultLog()
    /// The figures per second.
    private var series = StreamSeries()

    private let limits: SRTLimits
    private let contentLimits: TransportStreamLimits
    private var clock: SRTSenderClock
    private var highest: UInt32
    /// The next packet to deliver.
    private var next: UInt32
    /// A packet that waits for an earlier one.
    private struct Held {
        var octets: [UInt8]
        var position: UInt8
        /// When it was sent.
        var time: Timestamp
    }
    private var held: [UInt32: Held] = [:]
    private var heldOctets = 0
    /// Whether a message has begun and not ended.
    private var isMessageOpen = false

    init(_ id: Int, _ first: SRTPacket.Payload, _ timestamp: UInt32, at place: EventContext, _ limits: Limits) {
        self.id = id
        startTime = place.time
        last = place
        self.limits = limits[SRTLimits.self]
        recovery = SRTRecovery(limits[SRTLimits.self])
        clock = SRTSenderClock(timestamp, at: place.time)
        highest = (first.sequence &- 1) & 0x7FFF_FFFF
        next = first.sequence
        series.begin(at: place.time)
        contentLimits = limits[TransportStreamLimits.self]
    }

    /// Determines the content by the first readable packet.
    private mutating func examine(_ data: SRTPacket.Payload) {
        guard !isContentKnown, !data.isOpaque, data.octets.count == data.length else { return }
        isContentKnown = true
        if Self.holdsTransportStream(data.octets.rawSpan) { content = TransportStream(limits: contentLimits) }
    }

    /// Counts a packet of the packet filter.
    mutating func countFilterPacket(_ data: SRTPacket.Payload) {
        filterPackets &+= 1
        hasFilter = true
    }

    /// Returns whether a number is not ahead of all others.
    func isBehind(_ sequence: UInt32) -> Bool { SRTPacket.distance(sequence, from: highest) <= 0 }

    /// Octets from which on the sync bytes alone show a transport stream.
    private static let enough = 3 * TransportStream.packetLength

    /// Returns whether the first payload is of a transport stream, which in file mode is cut anywhere.
    private static func holdsTransportStream(_ payload: RawSpan) -> Bool {
        MPEGTSDissector.consistsOfPackets(payload)
            || payload.byteCount >= enough && TransportStream.mayBegin(payload)
    }

    /// Processes a data packet, and returns the payloads that are now in order.
    mutating func take(_ data: SRTPacket.Payload, _ timestamp: UInt32, at place: EventContext) -> [[UInt8]] {
        if place.time.nanoseconds >= series.end { series.roll(totals, at: place.time) }
        last = place
        let steps = SRTPacket.distance(data.sequence, from: highest)
        guard steps > 0 || data.isRetransmitted || recovery.awaits(data.sequence) else {
            duplicates &+= 1
            return []
        }
        examine(data)
        packets &+= 1
        payloadOctets &+= data.length
        if data.isOpaque { encrypted &+= 1 }
        if data.isDecrypted { decrypted &+= 1 }
        if !data.isOrdered { unordered &+= 1 }
        let sent = clock.sent(timestamp, isRetransmitted: data.isRetransmitted, at: place.time)
        if data.isRetransmitted {
            retransmittedOctets &+= data.length
            let delay = place.time.nanoseconds &- sent.nanoseconds
            recovery.retransmit(data.sequence, delay: delay, latency: latency, at: place)
        }
        if steps > 0 {
            if steps > 1 { recovery.skip(steps &- 1, before: data.sequence, at: place.time) }
            highest = data.sequence
        } else {
            recovery.arrive(data.sequence, isRetransmitted: data.isRetransmitted, at: place.time)
        }
        recovery.permitRequests()
        guard SRTPacket.distance(data.sequence, from: next) >= 0 else { return [] }
        // Only transport streams are read.
        let isReadable = content != nil && data.octets.count == data.length && !data.isOpaque
        heldOctets &-= held[data.sequence]?.octets.count ?? 0
        held[data.sequence] = Held(octets: isReadable ? data.octets : [], position: data.position, time: sent)
        if isReadable { heldOctets &+= data.octets.count }
        return deliver(at: place, all: false)
    }

    /// The totals, for the figures per second.
    private var totals: StreamSeries.Row {
        var row = StreamSeries.Row()
        (row.packets, row.octets) = (packets, payloadOctets)
        (row.lost, row.recovered) = (recovery.lost, recovery.recovered)
        (row.retransmitted, row.roundTrip) = (recovery.retransmitted, latestRoundTrip ?? 0)
        return row
    }

    /// Returns the held payloads in order; with `all`, or if there are too many, across missing ones.
    mutating func deliver(at place: EventContext, all: Bool) -> [[UInt8]] {
        var delivered: [[UInt8]] = []
        while !held.isEmpty {
            if let packet = held.removeValue(forKey: next) {
                next = (next &+ 1) & 0x7FFF_FFFF
                heldOctets &-= packet.octets.count
                join(packet.position)
                pass(packet, at: place)
                if !packet.octets.isEmpty { delivered.append(packet.octets) }
            } else if all || held.count > limits.heldPackets || heldOctets > limits.heldOctets {
                let from = next
                let nearest = held.keys.min { SRTPacket.distance($0, from: from) < SRTPacket.distance($1, from: from) }
                guard let nearest else { break }
                next = nearest
                content?.lose()
                if isMessageOpen { incompleteMessages &+= 1 }
                isMessageOpen = false
            } else {
                break
            }
        }
        return delivered
    }

    /// Joins packets to messages (§4.2.1): a position of 2 is the first packet of a message, 0 one in the middle, 1 the
    /// last, and 3 the only one.
    private mutating func join(_ position: UInt8) {
        if position & 2 != 0 {
            if isMessageOpen { incompleteMessages &+= 1 }
            isMessageOpen = true
        } else if !isMessageOpen {
            // The message began with a packet that is missing.
            if position == 1 { incompleteMessages &+= 1 }
            return
        }
        guard position & 1 != 0 else { return }
        messages &+= 1
        isMessageOpen = false
    }

    private mutating func pass(_ packet: Held, at place: EventContext) {
        guard content != nil else { return }
        guard !packet.octets.isEmpty else {
            content?.lose()
            return
        }
        // The receiver restores the intervals of sending (§4.5).
        guard let found = content?.take(joining: packet.octets.rawSpan, at: packet.time), !found.isEmpty else { return }
        faults.note(
            PacketFaults(found), sequence: UInt16(truncatingIfNeeded: next &- 1), time: place.time, frame: place.frame)
    }

    /// Records an acknowledgement of the receiver.
    mutating func take(_ ack: SRTPacket.Acknowledgement, at place: EventContext) {
        recovery.acknowledge(before: ack.nextSequence, latency: latency, at: place)
        guard let time = ack.roundTrip, ack.rate != nil else { return }
        // Before the first measurement, receivers report the initial values (§4.10).
        if time == Self.initialRoundTrip.time, ack.variation == Self.initialRoundTrip.variation { return }
        roundTrip = (
            roundTrip.count &+ 1, roundTrip.sum &+ Int(time), min(roundTrip.smallest, time),
            max(roundTrip.largest, time)
        )
        latestRoundTrip = Double(time) / 1_000
        variation = ack.variation ?? variation
        capacity = ack.capacity ?? capacity
    }

    /// Records a loss report of the receiver.
    mutating func take(lost ranges: [(first: UInt32, last: UInt32)], at time: Timestamp) {
        recovery.report(ranges, at: time)
    }

    /// Records a drop request of the sender.
    mutating func takeDropRequest(first: UInt32, last: UInt32) { recovery.drop(first: first, last: last) }

    /// Whether a limit was reached.
    var isLimited: Bool { recovery.isLimited }
    /// Packets that never arrived. Those skipped shortly before the last packet may arrive after the end of the capture.
    var unrecovered: Int {
        recovery.unrecovered(at: last.time, grace: max(Self.leastGrace, Double(latency ?? 0) / 1_000))
    }
    /// Seconds in which a missing packet may still be retransmitted; more if the latency is greater.
    private static let leastGrace = 1.0
    /// Round-trip time and variation before the first measurement, in microseconds.
    private static let initialRoundTrip = (time: UInt32(100_000), variation: UInt32(50_000))
    /// The least advisable latency as a multiple of the round-trip time: a report, a retransmission and a repetition.
    private static let advisedRatio = 2.5
    /// A larger multiple says nothing: both sides are on one machine or in one room.
    private static let largestRatio = 100.0
    /// Seconds from the first packet to the last.
    var seconds: Double { last.time.seconds(since: startTime) }
    var transportStream: TransportStream? { content }
    var isNumbered: Bool { true }
    /// The mean round-trip time in milliseconds, or nil if none was reported.
    var meanRoundTrip: Double? {
        roundTrip.count > 0 ? Double(roundTrip.sum) / Double(roundTrip.count) / 1_000 : nil
    }
    private var bitrate: Double? { seconds > 0 ? Double(payloadOctets) * 8 / seconds : nil }
    private var overhead: Double? {
        let original = payloadOctets &- retransmittedOctets
        return original > 0 ? Double(retransmittedOctets) * 100 / Double(original) : nil
    }

    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("packets", packets)
        fields.add("payloadBytes", payloadOctets)
        fields.add("retransmitted", recovery.retransmitted)
        fields.add("lost", recovery.lost)
        fields.add("recovered", recovery.recovered)
        fields.add("unrecovered", unrecovered)
        if recovery.uncaptured > 0 { fields.add("uncaptured", recovery.uncaptured) }
        if recovery.skipped > 0 { fields.add("skippedByReceiver", recovery.skipped) }
        if recovery.late > 0 { fields.add("tooLate", recovery.late) }
        if recovery.reordered > 0 { fields.add("reordered", recovery.reordered) }
        if duplicates > 0 { fields.add("duplicates", duplicates) }
        if filterPackets > 0 { fields.add("filterPackets", filterPackets) }
        if encrypted > 0 { fields.add("encrypted", encrypted) }
        if decrypted > 0 { fields.add("decrypted", decrypted) }
        fields.add("messages", messages)
        if incompleteMessages > 0 { fields.add("incompleteMessages", incompleteMessages) }
        if unordered > 0 { fields.add("unordered", unordered) }
        fields.add("naks", recovery.reports)
        fields.add("reportedLost", recovery.reported)
        if recovery.dropRequests > 0 {
            fields.add("dropRequests", recovery.dropRequests)
            fields.add("droppedBySender", recovery.dropped)
        }
        if let service = recovery.service.milliseconds {
            fields.add("nakServiceMs", service.mean)
            fields.add("maxNakServiceMs", service.longest)
        }
        if let repair = recovery.repair.milliseconds {
            fields.add("repairTimeMs", repair.mean)
            fields.add("maxRepairTimeMs", repair.longest)
        }
        if let delay = recovery.delay.milliseconds {
            fields.add("retransmissionDelayMs", delay.mean)
            fields.add("maxRetransmissionDelayMs", delay.longest)
        }
        fields.add("latencyMs", latency)
        if let meanRoundTrip {
            fields.add("rttMs", meanRoundTrip)
            fields.add("minRttMs", Double(roundTrip.smallest) / 1_000)
            fields.add("maxRttMs", Double(roundTrip.largest) / 1_000)
            fields.add("rttVariationMs", Double(variation) / 1_000)
        }
        if capacity > 0 { fields.add("linkCapacity", Int(capacity)) }
        fields.add("repairOverheadPercent", overhead)
        fields.add("bitrate", bitrate)
        if packets > 1 { fields.add("series", StreamSeries.repairFields(series.all(totals), series.interval)) }
        return fields + (content?.fields ?? [])
    }

    /// The programs and PIDs of the transport stream.
    var tables: [StreamTable] { content?.tables ?? [] }

    /// The latency as a multiple of the round-trip time, or nil if either is unknown.
    var latencyPerRoundTrip: Double? {
        guard let latency, let meanRoundTrip, meanRoundTrip > 0 else { return nil }
        return Double(latency) / meanRoundTrip
    }

    var figures: StreamFigures {
        var name = Wording(verbatim: content == nil ? "SRT" : "SRT MPEG-TS")
        if let programs = content?.programSummary { name += " " + programs }
        var figures = StreamFigures(name: name, count: packets, .packets)
        figures.bitrate = bitrate
        figures.lost = max(0, recovery.lost &- (hasFilter ? 0 : recovery.uncaptured))
        figures.expected = packets &- recovery.retransmitted &+ recovery.lost
        if encrypted > 0 { figures.notes.append("encrypted") }
        if decrypted > 0 { figures.notes.append("decrypted") }
        figures.notes += repairNotes
        if let latency, let meanRoundTrip, let ratio = latencyPerRoundTrip {
            figures.notes.append(
                ratio > Self.largestRatio
                    ? "latency \(latency) ms, RTT \(rounded(meanRoundTrip, places: 2)) ms"
                    : "latency \(latency) ms is \(rounded(ratio, places: 1)) × RTT (\(rounded(meanRoundTrip, places: 1)) ms)"
            )
            if ratio < Self.advisedRatio { figures.notes.append("2.5 to 4 × is advised") }
        }
        return figures
    }
    /// Loss and repair in words.
    private var repairNotes: [Wording] {
        var notes: [Wording] = []
        if recovery.uncaptured > 0 {
            notes.append(
                hasFilter
                    ? "\(grouped(recovery.uncaptured)) rebuilt by the packet filter, or not captured"
                    : "\(grouped(recovery.uncaptured)) not captured")
        }
        if filterPackets > 0 { notes.append("\(grouped(filterPackets)) packets of the packet filter") }
        if recovery.reordered > 0 { notes.append("\(grouped(recovery.reordered)) out of order") }
        if duplicates > 0 { notes.append("\(grouped: duplicates, "duplicate", "duplicates")") }
        if recovery.retransmitted > 0 {
            var words: Wording = "\(recovery.retransmitted) retransmitted"
            if let delay = recovery.delay.milliseconds {
                words += " \(rounded(delay.mean, places: 0)) ms after first sending"
            }
            notes.append(words)
        }
        if recovery.late > 0 { notes.append("\(recovery.late) too late to play") }
        if recovery.skipped > 0 { notes.append("\(recovery.skipped) skipped by the receiver (TLPKTDROP)") }
        if recovery.dropped > 0 { notes.append("\(recovery.dropped) dropped by the sender (TLPKTDROP)") }
        if unrecovered > recovery.skipped { notes.append("\(unrecovered &- recovery.skipped) never recovered") }
        if incompleteMessages > 0 {
            notes.append("\(grouped: incompleteMessages, "message", "messages") incomplete")
        }
        return notes
    }
}
