import WeirPackets

/// H.264 in the interleaved mode as a byte stream: NAL units come in another order than they are decoded in, and their decoding
/// order numbers (DON) put it right (RFC 6184 §5.5, §7.2.2).
///
/// As many units with slices wait as `sprop-interleaving-depth` says; the lowest number goes out first. A picture beside which
/// numbers are missing is left out once packets are: nothing says whose they were.
struct InterleavedDepacketizer: Depacketizer {
    /// A NAL unit, where it stands in the order, and the time of its picture.
    private struct Unit: Comparable {
        var order: Int64
        /// How many came before it: those of one number stay in the order in which they came.
        var arrival = 0
        var timestamp: UInt32
        var octets: [UInt8]
        var isSlice: Bool { octets.first.map { 1...5 ~= $0 & 0x1F } ?? false }

        static func < (one: Unit, other: Unit) -> Bool { (one.order, one.arrival) < (other.order, other.arrival) }
        static func == (one: Unit, other: Unit) -> Bool { one.arrival == other.arrival }
    }

    let fileExtension = "h264"
    var gathersPictures: Bool { true }
    /// All that is kept, whatever the timestamps of the packets that brought it: units, the one that is open, and the picture.
    var waitingOctets: Int { queuedOctets &+ (fragment?.octets.count ?? 0) &+ picture.count }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    /// What the session description gives of parameter sets.
    private let announced: [[UInt8]]
    private let depth: Int
    private let greatestDifference: Int64?

    /// Units that wait, as a heap: none stands before a lower one that it leads to.
    private var waiting: [Unit] = []
    /// Octets of the units that wait, and what it takes to keep each.
    private var queuedOctets = 0
    private var arrivals = 0
    private var waitingSlices = 0
    /// The number of the unit that came last, without wrap; nil before the first.
    private var latest: Int64?
    /// The unit whose fragments come: nil while none is open, or where a part of it is missing.
    private var fragment: Unit?
    /// Whether packets are missing, or are none of this mode.
    private var lacksPackets = false
    private var lastOrder: Int64?

    private var hasBegun = false
    private var timestamp: UInt32?
    private var picture: [UInt8] = []
    private var hasSlice = false
    private var isDamaged = false

    /// The highest depth that can be said (RFC 6184 §8.1).
    private static let deepest = 32_767
    private static let startCode: [UInt8] = [0, 0, 0, 1]
    /// What a unit takes beside its octets: a packet may hold hundreds of one octet.
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
        // No room is left for more: what waits goes out as it is.
        if packet.isCut, packet.payload.isEmpty { return release(all: true) + giveUp() }
        guard !packet.isCut, let payload = H264Payload(packet.payload.rawSpan) else { return [] }
        switch payload.structure {
        case .stapB, .mtap16, .mtap24: readUnits(payload.structure, packet)
        case .fuA, .fuB: readFragment(payload, packet)
        // A packet of one unit, and aggregation without a number, are none of this mode (RFC 6184 §5.4).
        case .single, .stapA: lacksPackets = true
        }
        return release(all: false)
    }

    mutating func finish() -> [UInt8] { release(all: true) + flush() }

    /// The units of an aggregation packet: of a STAP-B each has the number behind the one before (RFC 6184 §5.7.1), of an MTAP a
    /// difference of its own, and of the timestamp (§5.7.2).
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

    /// A fragment: the first is an FU-B with the number of the unit, those behind it are FU-A (RFC 6184 §5.8).
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

    /// The number without wrap: within half of the numbers of the one before (RFC 6184 §5.5).
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
            waiting.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
        queuedOctets &+= unit.octets.count &+ Self.unitOverhead
        if unit.isSlice { waitingSlices += 1 }
    }

    /// Hands out what need not wait any longer.
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

    private mutating func removeFirst() {
        waiting.swapAt(0, waiting.count - 1)
        waiting.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < waiting.count && waiting[child] < waiting[least] {
                least = child
            }
            guard least != place else { return }
            waiting.swapAt(place, least)
            place = least
        }
    }

    private mutating func write(_ unit: Unit) -> [UInt8] {
        var written: [UInt8] = []
        // Numbers may be left out by the sender; where packets are missing, too, they may be those.
        let hasHole = lacksPackets && lastOrder.map { unit.order > $0 &+ 1 } ?? true
        if hasHole { isDamaged = true }
        if unit.timestamp != timestamp {
            written = flush()
            timestamp = unit.timestamp
            if hasHole { isDamaged = true }
        }
        if let last = lastOrder, unit.order < last { isDamaged = true }
        lastOrder = unit.order
        if unit.isSlice { hasSlice = true }
        picture += Self.startCode
        picture += unit.octets
        return written
    }

    /// Leaves out the picture at hand, and what else of it comes.
    private mutating func giveUp() -> [UInt8] {
        isDamaged = true
        defer { isDamaged = true }
        return flush()
    }

    /// Ends the picture.
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
