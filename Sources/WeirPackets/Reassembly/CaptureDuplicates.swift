/// Detects packets that were captured more than once, as opposed to packets that were sent or delivered twice.
///
/// The device `any` captures a packet on each interface, a mirror port on ingress and egress, merged captures at two
/// points. Such copies count once. A packet duplicated by the sender or the network counts twice. Both have the same
/// octets, so the decision depends on location and time:
///
/// - Same packet, **other location** (another interface, MAC address, hop limit: `origin`): a capture duplicate,
///   within one second. Without an IPv4 identification, equal octets may be two packets, so the limit is a tenth of a
///   second. Each location counts once: equal octets at a location already recorded are another packet, which may again
///   be captured elsewhere.
/// - Same packet, **same location**: a network duplicate, unless most packets of the flow, or of all flows, are
///   duplicated, as no network does: then a mirror port captures both directions. This is decided by tallies: at least
///   half of the packets before the original were duplicated, this one within 20 ms (2 ms without an identification).
///   Packets after the original do not count: in a burst, their copies are still to come.
/// - Same packet **much later**: a capture duplicate too, if consecutive packets recur at the same interval, as in
///   two merged captures of the same time. This has to start while the flow is active: after silence, it may be another
///   conversation, whose connections are reported as well. Without an IPv4 identification, more consecutive packets are
///   required, since hosts also retry at equal intervals.
///
/// All flows share tables of fixed size: 4,096 packets in sets of four, of which the oldest is replaced, among the latest 16,384. A
/// flow costs eight octets. The results depend only on the packets passed.
public struct CaptureDuplicates: Sendable {
    /// The classification of a packet.
    public enum Verdict: UInt8, Sendable {
        /// Not captured before.
        case original
        /// The same packet, captured again: count it only in `captureDuplicates`.
        case captureDuplicate
        /// The same octets on the same path: duplicated by the sender or the network.
        case networkDuplicate
    }

    /// The number of packets, and how many of them were repeated at the same location.
    public struct Tally: Sendable, Equatable {
        var packets: UInt32 = 0
        var doubled: UInt32 = 0

        /// Whether at least half of that many packets were repeated; in a burst, the first copies may be out of order.
        func isDoubled(until packet: UInt32) -> Bool {
            UInt64(doubled) * 2 + CaptureDuplicates.burst >= UInt64(packet)
        }

        /// Creates an empty tally.
        public init() {}
    }

    /// The four packets of a set, the latest in the lowest bits: all that is needed of a packet that was not captured before. All
    /// sets take 16 kB. What else is known of the packets is stored in their order, since the processor waits for stores to places
    /// that are not in its cache.
    private struct PacketSet: Sendable {
        /// The tag of each, in 16 bits.
        var tags: UInt64 = 0
        /// The place of each in `sightings`, in 16 bits.
        var places: UInt64 = 0

        /// Returns the tag of a key: bits that do not select the set.
        @inline(__always)
        static func tag(_ key: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: key >> 32) }

        /// Whether the set may contain a packet with this tag.
        @inline(__always)
        func mayHold(_ tag: UInt16) -> Bool {
            let ones: UInt64 = 0x0001_0001_0001_0001
            // A lane of equal tags is zero; subtracting one then sets its highest bit.
            let others = tags ^ UInt64(tag) &* ones
            return (others &- ones) & ~others & 0x8000_8000_8000_8000 != 0
        }

        /// Replaces the oldest packet.
        @inline(__always)
        mutating func insert(_ tag: UInt16, at place: Int) {
            tags = tags &<< 16 | UInt64(tag)
            places = places &<< 16 | UInt64(UInt16(truncatingIfNeeded: place))
        }
    }

    /// The time and locations of a packet; location 0 means none.
    private struct Sighting: Sendable {
        var key: UInt64 = 0
        var time: Int64 = .min
        var places: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        /// The packets of its flow, and of all flows, up to then.
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

    /// Consecutive packets that recur at one interval.
    private struct Train: Sendable {
        /// The latest interval between a packet and its copy, in nanoseconds.
        var distance = Int64.min
        /// The latest packet that recurred. A packet that repeats forever does not form a train.
        var key: UInt64 = 0
        /// The number of packets after the first one.
        var count = 0
        var beginsInSilence = false
    }

    private static let sets = 1_024
    private static let ways = 4
    /// The latest packets whose times and locations are kept: a power of two, and so many that sets hold hardly any earlier one.
    private static let latest = 16_384
    private static let elsewhere: Int64 = 1_000_000_000
    private static let elsewhereUnidentified: Int64 = 100_000_000
    private static let same: Int64 = 20_000_000
    private static let sameUnidentified: Int64 = 2_000_000
    /// The allowed change of the interval from one copy to the next, in nanoseconds.
    private static let unevenness: Int64 = 20_000_000
    /// The number of packets after the first one that form a train.
    private static let copies = 1
    private static let copiesUnidentified = 32
    /// The number of packets of a burst that may precede the first copy.
    fileprivate static let burst: UInt64 = 8
    /// The number of packets of all flows from which their tally is significant.
    private static let dialectPackets: UInt32 = 32
    /// A flow idle for longer, in nanoseconds, may have ended, as a closed connection has (`FlowTable.lingerSeconds`).
    private static let silence: Int64 = 5_000_000_000

    /// The sets, of which the lowest bits of the key select one.
    private var packetSets = [PacketSet](repeating: PacketSet(), count: sets)
    /// The latest packets, each in the place of the one so many before. The first one is none.
    private var sightings = [Sighting()]

    private var train = Train()
    /// The tally of all flows.
    private var all = Tally()

    /// The number of capture duplicates.
    public private(set) var count = 0

    /// Creates an empty table.
    public init() {
        // Memory that a short capture does not use is not touched.
        sightings.reserveCapacity(Self.latest)
    }

    /// Classifies a packet.
    ///
    /// `fingerprint` is equal for equal packets wherever they were captured; `origin` identifies the location. `flow`
    /// is the ID of the flow, `latest` the time of its previous packet. `isIdentified` is true if the IP header has an
    /// identification other than 0.
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
        if packetSets[set].mayHold(PacketSet.tag(key)) {
            return judgeAgain(key, place, isIdentified, latest, time, set, &tally)
        }
        insert(key, place, time, set, &tally)
        return .original
    }

    /// Whether a packet that recurs after `distance` nanoseconds is part of a train.
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
        _ key: UInt64, _ location: UInt32, _ time: Timestamp, _ set: Int, _ tally: inout Tally
    ) {
        tally.packets &+= 1
        all.packets &+= 1
        let place = Int(all.packets) & (Self.latest &- 1)
        packetSets[set].insert(PacketSet.tag(key), at: place)
        let sighting = Sighting(
            key: key, time: time.nanoseconds, places: (location, 0, 0, 0), ofFlow: tally.packets, ofAll: all.packets)
        if place < sightings.count {
            sightings[place] = sighting
        } else {
            sightings.append(sighting)
        }
    }

    /// Classifies a packet that is in the set, or whose octets are.
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
        let places = packetSets[set].places
        // The oldest first.
        for way in (0..<Self.ways).reversed() {
            let index = Int(places &>> UInt64(way &* 16)) & (Self.latest &- 1)
            guard sightings[index].key == key else { continue }
            let sighting = sightings[index]
            let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(sighting.time)
            let age = overflow ? Int64.max : Int64(clamping: difference.magnitude)
            if !sighting.wasSeen(at: place) {
                guard age <= (isIdentified ? Self.elsewhere : Self.elsewhereUnidentified) else {
                    longAgo = longAgo ?? difference
                    continue
                }
                sightings[index].note(place)
                count &+= 1
                return .captureDuplicate
            }
            if age <= (isIdentified ? Self.same : Self.sameUnidentified) {
                soonAgain = sighting
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
            let isOfAll = soonAgain.ofAll >= Self.dialectPackets && all.isDoubled(until: soonAgain.ofAll)
            if isOfAll || tally.isDoubled(until: soonAgain.ofFlow) {
                count &+= 1
                return .captureDuplicate
            }
        }
        insert(key, place, time, set, &tally)
        return soonAgain != nil ? .networkDuplicate : .original
    }
}
