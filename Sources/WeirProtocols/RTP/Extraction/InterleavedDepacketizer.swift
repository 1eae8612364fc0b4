import WeirPackets

/// Writes H.264 in interleaved mode as a byte stream. NAL units are transmitted out of decoding order and are reordered
/// by decoding order number (DON; RFC 6184 §5.5, §7.2.2).
///
/// The queue holds as many units with slices as `sprop-interleaving-depth` says, and the lowest DON is emitted first.
/// When packets are missing, a picture next to a DON gap is omitted, since the missing units cannot be attributed.
struct InterleavedDepacketizer: Depacketizer {
    /// A NAL unit with its decoding order and the timestamp of its picture.
    private struct Unit: Comparable {
        var order: Int64
        /// Units received before it; units with equal DON keep the order of arrival.
        var arrival = 0
        var timestamp: UInt32
        var octets: [UInt8]
        var isSlice: Bool { octets.first.map { 1...5 ~= $0 & 0x1F } ?? false }

        static func < (one: Unit, other: Unit) -> Bool { (one.order, one.arrival) < (other.order, other.arrival) }
        static func == (one: Unit, other: Unit) -> Bool { one.arrival == other.arrival }
    }

    let fileExtension = "h264"
    var gathersPictures: Bool { true }
    /// All buffered octets, regardless of packet timestamps: queued units, the open fragmented unit, and the picture.
    var waitingOctets: Int { queuedOctets &+ (fragment?.octets.count ?? 0) &+ picture.count }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    /// Parameter sets from the session description.
    private let announced: [[UInt8]]
    private let depth: Int
    private let greatestDifference: Int64?

    /// Queued units, as a binary min-heap.
    private var waiting: [Unit] = []
    /// Octets of the queued units, with overhead.
    private var queuedOctets = 0
    private var arrivals = 0
    private var waitingSlices = 0
    /// The unwrapped DON of the last unit received, or nil before the first.
    private var latest: Int64?
    /// The unit being reassembled, or nil if none is open or a part of it is missing.
    private var fragment: Unit?
    /// Whether packets are missing or belong to another packetization mode.
    private var lacksPackets = false
    private var lastOrder: Int64?

    private var hasBegun = false
    private var timestamp: UInt32?
    private var picture: [UInt8] = []
    private var hasSlice = false
    private var isDamaged = false

    /// The maximum interleaving depth (RFC 6184 §8.1).
    private static let deepest = 32_767
    private static let startCode: [UInt8] = [0, 0, 0, 1]
    /// Memory overhead per unit: a packet may contain hundreds of units of one octet.
    private static let unitOverhead = 96

    init(_ format: MediaFormat) {
        announced = format.parameterSets
        depth = min(Self.deepest, max(0, format.parameter("sprop-interleaving-depth").flatMap { Int($0) } ?? 0))
        greatestDifference = format.parameter("sprop-max-don-diff").flatMap { Int64($0) }
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        if packet.missingBefore > 0 || packet.isCut {
            fragment = nil
            lacksPackets = true
        }
        // The buffer is full: queued units are emitted in their current order.
        if packet.isCut, packet.payload.isEmpty { return release(all: true) + giveUp() }
        guard !packet.isCut, let payload = H264Payload(packet.payload.rawSpan) else { return [] }
        switch payload.structure {
        case .stapB, .mtap16, .mtap24: readUnits(payload.structure, packet)
        case .fuA, .fuB: readFragment(payload, packet)
        // Single NAL unit packets and STAP-A are not allowed in this mode (RFC 6184 §5.4).
        case .single, .stapA: lacksPackets = true
        }
        return release(all: false)
    }

    mutating func finish() -> [UInt8] { release(all: true) + flush() }

    /// Parses the units of an aggregation packet. Units of a STAP-B have consecutive DONs (RFC 6184 §5.7.1); those of
    /// an MTAP have a DON difference and a timestamp offset each (§5.7.2).
    private mutating func readUnits(_ structure: H264Payload.Structure, _ packet: ExtractedPacket) {
        let bytes = packet.payload
        guard bytes.count > 3 else { return }
        let base = absolute(UInt16(bytes[1]) << 8 | UInt16(bytes[2]))
        var units = H264AggregatedUnits(structure, bytes.count)
        var count: Int64 = 0
        while let range = units.next(bytes.rawSpan) {
            var unit = Unit(order: base &+ count, timestamp: packet.timestamp, octets: Array(bytes[range]))
            let start = range.lowerBound
            if structure == .mtap16, start >= 3 {
                unit.order = base &+ Int64(bytes[start - 3])
                unit.timestamp &+= UInt32(bytes[start - 2]) << 8 | UInt32(bytes[start - 1])
            } else if structure == .mtap24, start >= 4 {
                unit.order = base &+ Int64(bytes[start - 4])
                let offset = bytes[(start - 3)..<start].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                unit.timestamp &+= offset
            }
            latest = max(latest ?? unit.order, unit.order)
            insert(unit)
            count &+= 1
        }
        if !units.addsUp { lacksPackets = true }
    }

    /// Parses a fragment: FU-B with the DON for the first, FU-A for the rest (RFC 6184 §5.8).
    private mutating func readFragment(_ payload: H264Payload, _ packet: ExtractedPacket) {
        let bytes = packet.payload
        if payload.startsUnit {
            guard payload.structure == .fuB, bytes.count >= 4 else {
                lacksPackets = true
                return
            }
            let order = absolute(UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
            let header = bytes[0] & 0xE0 | payload.firstType
            fragment = Unit(
                order: order, timestamp: packet.timestamp, octets: [header] + bytes.dropFirst(4))
        } else {
            fragment?.octets.append(contentsOf: bytes.dropFirst(2))
        }
        guard payload.endsUnit, let whole = fragment else { return }
        fragment = nil
        insert(whole)
    }

    /// Returns the unwrapped DON, within half the number space of the previous one (RFC 6184 §5.5).
    private mutating func absolute(_ number: UInt16) -> Int64 {
        let before = latest ?? Int64(number)
        let order = before &+ Int64(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: before)))
        latest = max(before, order)
        return order
    }

    private mutating func insert(_ unit: Unit) {
        guard !unit.octets.isEmpty else { return }
        var unit = unit
        unit.arrival = arrivals
        arrivals += 1
        waiting.append(unit)
        var place = waiting.count - 1
        while place > 0, waiting[place] < waiting[(place - 1) / 2] {
            exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        queuedOctets &+= unit.octets.count &+ Self.unitOverhead
        if unit.isSlice { waitingSlices += 1 }
    }

    /// Emits the units that need not wait any longer.
    private mutating func release(all: Bool) -> [UInt8] {
        var written: [UInt8] = []
        while let first = waiting.first {
            let isFar = greatestDifference.map { (latest ?? 0) &- first.order > $0 } ?? false
            guard all || waitingSlices > depth || isFar else { break }
            removeFirst()
            queuedOctets &-= first.octets.count &+ Self.unitOverhead
            if first.isSlice { waitingSlices -= 1 }
            written += write(first)
        }
        return written
    }

    /// Exchanges two units. The code that the compiler makes of `swapAt` here differs from build to build.
    private mutating func exchange(_ one: Int, _ other: Int) {
        let moved = waiting[one]
        waiting[one] = waiting[other]
        waiting[other] = moved
    }

    private mutating func removeFirst() {
        let last = waiting.removeLast()
        guard !waiting.isEmpty else { return }
        waiting[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < waiting.count && waiting[child] < waiting[least] {
                least = child
            }
            guard least != place else { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func write(_ unit: Unit) -> [UInt8] {
        var written: [UInt8] = []
        // Senders may skip DONs; with packets missing, the gap may be loss.
        let hasUnfilledGap = lacksPackets && lastOrder.map { unit.order > $0 &+ 1 } ?? true
        if hasUnfilledGap { isDamaged = true }
        if unit.timestamp != timestamp {
            written = flush()
            timestamp = unit.timestamp
            if hasUnfilledGap { isDamaged = true }
        }
        if let last = lastOrder, unit.order < last { isDamaged = true }
        lastOrder = unit.order
        if unit.isSlice { hasSlice = true }
        picture += Self.startCode
        picture += unit.octets
        return written
    }

    /// Omits the current picture and the rest of it that arrives later.
    private mutating func giveUp() -> [UInt8] {
        isDamaged = true
        defer { isDamaged = true }
        return flush()
    }

    /// Ends the current picture.
    private mutating func flush() -> [UInt8] {
        defer {
            picture = []
            isDamaged = false
            hasSlice = false
        }
        guard timestamp != nil, !picture.isEmpty else { return [] }
        if hasSlice { framesIn += 1 }
        guard !isDamaged else { return [] }
        if hasSlice { framesOut += 1 }
        guard !hasBegun else { return picture }
        hasBegun = true
        return announced.filter { !$0.isEmpty }.flatMap { Self.startCode + $0 } + picture
    }
}
