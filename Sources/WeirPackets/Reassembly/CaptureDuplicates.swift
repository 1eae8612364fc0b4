/// Recognises a packet that the capture recorded more than once, and tells it from one that was sent or carried twice.
///
/// The device `any` sees a packet on each interface it passes, a mirror port sees it come in and go out, merged captures
/// see it at two places. Such copies count once. A packet that the sender or the network really doubled counts twice.
/// Both have the same octets, so it is decided by where and when:
///
/// - Same packet, seen **elsewhere** (another interface, MAC address, hop count: `origin`): a copy of the capture, within
///   a second. Without an IPv4 identification two equal packets may be two packets, so a tenth of a second is allowed. Each
///   place counts once: equal octets at a place already noted are another packet, which may again be seen elsewhere.
/// - Same packet, seen at the **same place**: the network's duplicate, unless the capture does it to most packets of the
///   flow, or of all flows, which no network does: then a mirror port that records both ways. That is judged by tallies: at
///   least half of the packets that came before the original were doubled, this one after at most 20 ms (2 ms without an
///   identification). Packets behind the original do not count: in a burst, copies of those are still to come.
/// - Same packet **much later**: the capture's as well, if one packet after another comes again at the same distance, as
///   where two captures of one time were put together. That has to begin while the flow goes on: where all was silent
///   before, it may be another conversation, of which the connections are told, too. Without an IPv4 identification it takes
///   more packets in a row: hosts that ask again do so at equal distances as well.
///
/// The packets of all flows share one table of fixed size: 4,096 packets in sets of four, of which the first to come gives
/// way. A look-up is one cache line, and a flow costs eight octets. The answers depend only on the packets given.
public struct CaptureDuplicates: Sendable {
    /// What a packet is.
    public enum Verdict: UInt8, Sendable {
        /// Not seen before.
        case original
        /// The same packet, recorded again: count it nowhere but in `captureDuplicates`.
        case captureDuplicate
        /// The same octets again on the same path: the sender or the network doubled it.
        case networkDuplicate
    }

    /// Packets, and how many of them came again at the same place.
    public struct Tally: Sendable, Equatable {
        var packets: UInt32 = 0
        var doubled: UInt32 = 0

        /// Whether at least half of so many packets came again; of a burst, the first copies may come out of turn.
        func isDoubled(until packet: UInt32) -> Bool {
            UInt64(doubled) * 2 + CaptureDuplicates.burst >= UInt64(packet)
        }

        /// Creates the tally of a flow without packets.
        public init() {}
    }

    /// The four packets of a set, and which of them gives way next. A look-up touches nothing else.
    private struct Packets: Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
        var next: UInt8 = 0

        @inline(__always)
        func holds(_ key: UInt64) -> Bool {
            first == key || second == key || third == key || fourth == key
        }

        func key(_ way: Int) -> UInt64 {
            switch way {
            case 0: first
            case 1: second
            case 2: third
            default: fourth
            }
        }

        /// Puts a packet in the place of the oldest, and returns which place that is.
        @inline(__always)
        mutating func insert(_ key: UInt64) -> Int {
            let way = next
            switch way {
            case 0: first = key
            case 1: second = key
            case 2: third = key
            default: fourth = key
            }
            next = (way &+ 1) & 3
            return Int(way)
        }
    }

    /// When a packet was seen, and the places where; 0 is none.
    private struct Sighting: Sendable {
        var time: Int64 = .min
        var places: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        /// How many packets its flow, and all flows, had by then.
        var ofFlow: UInt32 = 0
        var ofAll: UInt32 = 0

        func wasSeen(at place: UInt32) -> Bool {
            places.0 == place || places.1 == place || places.2 == place || places.3 == place
        }

        mutating func note(_ place: UInt32) {
            if places.1 == 0 {
                places.1 = place
            } else if places.2 == 0 {
                places.2 = place
            } else {
                places.3 = place
            }
        }
    }

    /// Packets that come again at one distance, one after another.
    private struct Train: Sendable {
        /// Nanoseconds between a packet and its copy, as it was last.
        var distance = Int64.min
        /// The packet that came again last: one that is repeated for ever makes no train.
        var key: UInt64 = 0
        /// How many there are behind the first.
        var count = 0
        var beginsInSilence = false
    }

    private static let sets = 1_024
    private static let ways = 4
    private static let elsewhere: Int64 = 1_000_000_000
    private static let elsewhereUnidentified: Int64 = 100_000_000
    private static let same: Int64 = 20_000_000
    private static let sameUnidentified: Int64 = 2_000_000
    /// How much the distance of copies may change from one to the next.
    private static let unevenness: Int64 = 20_000_000
    /// How many packets behind the first make a train.
    private static let copies = 1
    private static let copiesUnidentified = 32
    /// So many packets of a burst may come before the first copy.
    fileprivate static let burst: UInt64 = 8
    /// So many packets of all flows tell something of the capture.
    private static let tellingPackets: UInt32 = 32
    /// A flow without a packet for longer may be over, as a connection then is that was closed (`FlowTable.lingerSeconds`).
    private static let silence: Int64 = 5_000_000_000

    private var packets = [Packets](repeating: Packets(), count: sets)
    private var sightings = [Sighting](repeating: Sighting(), count: sets * ways)

    private var train = Train()
    /// The packets of all flows.
    private var all = Tally()

    /// Packets that were recorded again.
    public private(set) var count = 0

    /// Creates a table that has seen nothing.
    public init() {}

    /// Judges a packet. `fingerprint` is equal for equal packets, wherever they were seen; `origin` says where. `flow`
    /// is the flow's id, `latest` the time of its last packet. `isIdentified` says that the IP header carries an identification other
    /// than 0.
    @inline(__always)
    public mutating func judge(
        fingerprint: UInt64,
        origin: UInt32,
        isIdentified: Bool,
        flow: Int,
        latest: Timestamp,
        time: Timestamp,
        tally: inout Tally
    ) -> Verdict {
        let key = fold(fingerprint ^ 0x9E37_79B9_7F4A_7C15, UInt64(truncatingIfNeeded: flow) &+ 0xC2B2_AE3D_27D4_EB4F)
        let place = origin | 1
        let set = Int(truncatingIfNeeded: key & UInt64(Self.sets &- 1))
        if packets[set].holds(key) { return judgeAgain(key, place, isIdentified, latest, time, set, &tally) }
        insert(key, place, time, set, &tally)
        return .original
    }

    /// Whether a packet that comes again after so many nanoseconds is one of a train of such.
    private mutating func isCopied(
        _ key: UInt64, after distance: Int64, since latest: Timestamp, _ time: Timestamp, isIdentified: Bool
    ) -> Bool {
        let change = distance.subtractingReportingOverflow(train.distance)
        guard distance > 0, !change.overflow, change.partialValue.magnitude <= UInt64(Self.unevenness) else {
            let silence = time.nanoseconds.subtractingReportingOverflow(latest.nanoseconds)
            train = Train(
                distance: distance, key: key, beginsInSilence: silence.overflow || silence.partialValue > Self.silence)
            return false
        }
        if key != train.key { train.count &+= 1 }
        train.distance = distance
        train.key = key
        let least = isIdentified ? Self.copies : Self.copiesUnidentified
        return train.count >= least && !train.beginsInSilence
    }

    @inline(__always)
    private mutating func insert(
        _ key: UInt64, _ place: UInt32, _ time: Timestamp, _ set: Int, _ tally: inout Tally
    ) {
        tally.packets &+= 1
        all.packets &+= 1
        let way = packets[set].insert(key)
        sightings[set &* Self.ways &+ way] = Sighting(
            time: time.nanoseconds, places: (place, 0, 0, 0), ofFlow: tally.packets, ofAll: all.packets)
    }

    /// The packet, or one with the same octets, is in the set.
    private mutating func judgeAgain(
        _ key: UInt64,
        _ place: UInt32,
        _ isIdentified: Bool,
        _ latest: Timestamp,
        _ time: Timestamp,
        _ set: Int,
        _ tally: inout Tally
    ) -> Verdict {
        var soonAgain: Sighting?
        var longAgo: Int64?
        for way in 0..<Self.ways where packets[set].key(way) == key {
            let index = set &* Self.ways &+ way
            let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(sightings[index].time)
            let age = overflow ? Int64.max : Int64(clamping: difference.magnitude)
            if !sightings[index].wasSeen(at: place) {
                guard age <= (isIdentified ? Self.elsewhere : Self.elsewhereUnidentified) else {
                    longAgo = longAgo ?? difference
                    continue
                }
                sightings[index].note(place)
                count &+= 1
                return .captureDuplicate
            }
            if age <= (isIdentified ? Self.same : Self.sameUnidentified) {
                soonAgain = sightings[index]
            } else {
                longAgo = longAgo ?? difference
            }
        }
        if soonAgain == nil, let longAgo,
            isCopied(key, after: longAgo, since: latest, time, isIdentified: isIdentified)
        {
            count &+= 1
            return .captureDuplicate
        }
        if let soonAgain {
            tally.doubled &+= 1
            all.doubled &+= 1
            let isOfAll = soonAgain.ofAll >= Self.tellingPackets && all.isDoubled(until: soonAgain.ofAll)
            if isOfAll || tally.isDoubled(until: soonAgain.ofFlow) {
                count &+= 1
                return .captureDuplicate
            }
        }
        insert(key, place, time, set, &tally)
        return soonAgain != nil ? .networkDuplicate : .original
    }
}
