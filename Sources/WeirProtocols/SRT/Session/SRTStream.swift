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
    private(set) var retransmitted = 0
    private(set) var retransmittedOctets = 0
    /// Packets that are encrypted and whose key is unknown, and those that were decrypted.
    private(set) var encrypted = 0
    private(set) var decrypted = 0
    /// Packets that a later one overtook or that are missing at the point of capture.
    private(set) var lost = 0
    /// Of these, those that arrived later.
    private(set) var recovered = 0
    /// Loss reports of the receiver, and the packets in them.
    private(set) var reports = 0
    private(set) var reported = 0
    private(set) var dropRequests = 0
    /// Times from a loss report to the retransmission, in nanoseconds.
    private(set) var service = (count: 0, sum: Int64(0), longest: Int64(0))
    /// Times from the packet that showed a loss to the retransmission that repaired it, in nanoseconds.
    private(set) var repair = (count: 0, sum: Int64(0), longest: Int64(0))
    /// Round-trip times that the receiver reported, in microseconds.
    private(set) var roundTrip = (count: 0, sum: 0, smallest: UInt32.max, largest: UInt32(0))
    private(set) var variation: UInt32 = 0
    private(set) var capacity: UInt32 = 0
    /// The latency agreed, in milliseconds.
    var latency: Int?
    /// The transport stream in the payloads, or nil for other data.
    private(set) var content: TransportStream?
    private(set) var faults = FaultLog()
    /// Whether a limit was reached.
    private(set) var isLimited = false

    private let limits: SRTLimits
    private var highest: UInt32
    /// The next packet to deliver.
    private var next: UInt32
    private var held: [UInt32: [UInt8]] = [:]
    private var heldOctets = 0
    /// Missing packets, and when they were skipped.
    private var missing: [UInt32: Timestamp] = [:]
    private var requested: [UInt32: Timestamp] = [:]
    /// Requested packets that may still be recorded; grows with the data, so that reports alone cost nothing.
    private var requestable: Int

    init(_ id: Int, _ first: SRTPacket.Payload, at place: EventContext, _ limits: Limits) {
        self.id = id
        startTime = place.time
        last = place
        self.limits = limits[SRTLimits.self]
        requestable = limits[SRTLimits.self].missingPackets
        highest = (first.sequence &- 1) & 0x7FFF_FFFF
        next = first.sequence
        if !first.isOpaque, MPEGTSDissector.consistsOfPackets(first.octets.rawSpan) {
            content = TransportStream(limits: limits[TransportStreamLimits.self])
        }
    }

    /// Processes a data packet, and returns the payloads that are now in order.
    mutating func take(_ data: SRTPacket.Payload, at place: EventContext) -> [[UInt8]] {
        packets &+= 1
        payloadOctets &+= data.length
        if data.isOpaque { encrypted &+= 1 }
        if data.isDecrypted { decrypted &+= 1 }
        last = place
        if data.isRetransmitted {
            retransmitted &+= 1
            retransmittedOctets &+= data.length
            if let asked = requested.removeValue(forKey: data.sequence) {
                let delay = place.time.nanoseconds &- asked.nanoseconds
                service = (service.count &+ 1, service.sum &+ delay, max(service.longest, delay))
            }
        }
        let steps = SRTPacket.distance(data.sequence, from: highest)
        if steps > 0 {
            if steps > 1 { skip(steps &- 1, before: data.sequence, at: place.time) }
            highest = data.sequence
        } else if let skipped = missing.removeValue(forKey: data.sequence) {
            recovered &+= 1
            let delay = place.time.nanoseconds &- skipped.nanoseconds
            repair = (repair.count &+ 1, repair.sum &+ delay, max(repair.longest, delay))
        }
        requestable = min(requestable &+ Self.requestsPerPacket, limits.missingPackets)
        guard SRTPacket.distance(data.sequence, from: next) >= 0 else { return [] }
        // Only transport streams are read.
        let isReadable = content != nil && data.octets.count == data.length && !data.isOpaque
        heldOctets &-= held[data.sequence]?.count ?? 0
        held[data.sequence] = isReadable ? data.octets : []
        if isReadable { heldOctets &+= data.octets.count }
        return deliver(at: place, all: false)
    }

    /// Requests recorded per data packet.
    private static let requestsPerPacket = 16

    /// Records packets that were skipped.
    private mutating func skip(_ count: Int, before sequence: UInt32, at time: Timestamp) {
        lost &+= count
        if count > limits.missingPackets { isLimited = true }
        for back in stride(from: min(count, limits.missingPackets), to: 0, by: -1) {
            guard missing.count < limits.missingPackets else {
                isLimited = true
                return
            }
            missing[(sequence &- UInt32(truncatingIfNeeded: back)) & 0x7FFF_FFFF] = time
        }
    }

    /// Returns the held payloads in order; with `all`, or if there are too many, across missing ones.
    mutating func deliver(at place: EventContext, all: Bool) -> [[UInt8]] {
        var delivered: [[UInt8]] = []
        while !held.isEmpty {
            if let octets = held.removeValue(forKey: next) {
                next = (next &+ 1) & 0x7FFF_FFFF
                heldOctets &-= octets.count
                pass(octets, at: place)
                if !octets.isEmpty { delivered.append(octets) }
            } else if all || held.count > limits.heldPackets || heldOctets > limits.heldOctets {
                let from = next
                let nearest = held.keys.min { SRTPacket.distance($0, from: from) < SRTPacket.distance($1, from: from) }
                guard let nearest else { break }
                next = nearest
                content?.lose()
            } else {
                break
            }
        }
        return delivered
    }

    private mutating func pass(_ octets: [UInt8], at place: EventContext) {
        guard content != nil else { return }
        guard !octets.isEmpty else {
            content?.lose()
            return
        }
        guard let found = content?.take(octets.rawSpan, at: place.time), !found.isEmpty else { return }
        faults.note(
            PacketFaults(found), sequence: UInt16(truncatingIfNeeded: next &- 1), time: place.time, frame: place.frame)
    }

    /// Records an acknowledgement of the receiver.
    mutating func take(_ ack: SRTPacket.Acknowledgement) {
        guard let time = ack.roundTrip, ack.rate != nil else { return }
        // Before the first measurement, receivers report the initial values (§4.10).
        if time == Self.initialRoundTrip.time, ack.variation == Self.initialRoundTrip.variation { return }
        roundTrip = (
            roundTrip.count &+ 1, roundTrip.sum &+ Int(time), min(roundTrip.smallest, time),
            max(roundTrip.largest, time)
        )
        variation = ack.variation ?? variation
        capacity = ack.capacity ?? capacity
    }

    /// Records a loss report of the receiver.
    mutating func take(lost ranges: [(first: UInt32, last: UInt32)], at time: Timestamp) {
        reports &+= 1
        for range in ranges {
            let count = SRTPacket.distance(range.last, from: range.first) &+ 1
            guard count > 0 else { continue }
            reported &+= count
            if count > limits.missingPackets { isLimited = true }
            for step in 0..<min(count, limits.missingPackets) {
                guard requestable > 0, requested.count < limits.missingPackets else {
                    isLimited = true
                    return
                }
                requestable &-= 1
                let number = (range.first &+ UInt32(truncatingIfNeeded: step)) & 0x7FFF_FFFF
                if requested[number] == nil { requested[number] = time }
            }
        }
    }

    /// Counts a drop request of the sender.
    mutating func takeDropRequest() { dropRequests &+= 1 }

    /// Packets that never arrived. Those skipped shortly before the last packet may arrive after the end of the capture.
    var unrecovered: Int {
        let grace = max(Self.leastGrace, Double(latency ?? 0) / 1_000)
        let open = missing.values.count { last.time.seconds(since: $0) < grace }
        return max(0, lost &- recovered &- open)
    }
    /// Seconds in which a missing packet may still be retransmitted; more if the latency is greater.
    private static let leastGrace = 1.0
    /// Round-trip time and variation before the first measurement, in microseconds.
    private static let initialRoundTrip = (time: UInt32(100_000), variation: UInt32(50_000))
    /// The least advisable latency as a multiple of the round-trip time: a report, a retransmission and a repetition.
    private static let advisedRatio = 2.5
    /// A larger multiple is not told.
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
        fields.add("retransmitted", retransmitted)
        fields.add("lost", lost)
        fields.add("recovered", recovered)
        fields.add("unrecovered", unrecovered)
        if encrypted > 0 { fields.add("encrypted", encrypted) }
        if decrypted > 0 { fields.add("decrypted", decrypted) }
        fields.add("naks", reports)
        fields.add("reportedLost", reported)
        if dropRequests > 0 { fields.add("dropRequests", dropRequests) }
        if service.count > 0 {
            fields.add("nakServiceMs", Double(service.sum) / Double(service.count) / 1_000_000)
            fields.add("maxNakServiceMs", Double(service.longest) / 1_000_000)
        }
        if repair.count > 0 {
            fields.add("repairTimeMs", Double(repair.sum) / Double(repair.count) / 1_000_000)
            fields.add("maxRepairTimeMs", Double(repair.longest) / 1_000_000)
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
        if let programs = content?.programFields { fields.add("programs", programs) }
        if let identifiers = content?.identifierFields { fields.add("pids", identifiers) }
        return fields
    }

    /// The facts for profiles: also latency as a multiple of the round-trip time.
    var facts: [Field] {
        var facts = fields(.masked)
        if let latency, let meanRoundTrip, meanRoundTrip > 0 {
            facts.add("latencyPerRtt", Double(latency) / meanRoundTrip)
        }
        return facts
    }

    var figures: StreamFigures {
        var name = Wording(verbatim: content == nil ? "SRT" : "SRT MPEG-TS")
        if let programs = content?.programSummary { name += " " + programs }
        var figures = StreamFigures(name: name, count: packets, .packets)
        figures.bitrate = bitrate
        figures.lost = lost
        figures.expected = packets &- retransmitted &+ lost
        if encrypted > 0 { figures.notes.append("encrypted") }
        if decrypted > 0 { figures.notes.append("decrypted") }
        if retransmitted > 0 { figures.notes.append("\(retransmitted) retransmitted") }
        if unrecovered > 0 { figures.notes.append("\(unrecovered) never recovered") }
        if let latency, let meanRoundTrip, meanRoundTrip > 0 {
            let ratio = Double(latency) / meanRoundTrip
            // On one machine or in one room, the multiple says nothing.
            figures.notes.append(
                ratio > Self.largestRatio
                    ? "latency \(latency) ms, RTT \(rounded(meanRoundTrip, places: 2)) ms"
                    : "latency \(latency) ms is \(rounded(ratio, places: 1)) × RTT (\(rounded(meanRoundTrip, places: 1)) ms)"
            )
            if ratio < Self.advisedRatio { figures.notes.append("2.5 to 4 × is advised") }
        }
        return figures
    }
}
