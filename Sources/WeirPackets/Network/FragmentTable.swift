/// A table of incomplete fragmented datagrams.
///
/// Where fragments overlap, the first copy wins. The table is bounded by datagrams, buffered octets and time; at a
/// bound, the oldest datagram is dropped.
struct FragmentTable: Sendable {
    /// The fields shared by all fragments of a datagram (RFC 791 §3.2, RFC 8200 §4.5).
    struct Key: Hashable, Sendable {
        var source: IPAddress
        var destination: IPAddress
        var identification: UInt32
        var number: UInt8
        var context: UInt32

        /// A hash of the key, the same in every run.
        fileprivate var slot: Int {
            let addresses = mix(source.low ^ source.high, destination.low ^ destination.high)
            let rest = UInt64(identification) << 32 | UInt64(context ^ UInt32(number))
            return Int(truncatingIfNeeded: mix(addresses, rest) >> 1)
        }
    }

    /// A part of a datagram.
    struct Piece: Sendable {
        /// The offset in the datagram.
        var position: Int
        /// The length on the wire, in octets.
        var length: Int
        /// The protocol number.
        var number: UInt8
        /// The captured octets; at most `length`.
        var octets: [UInt8]

        var end: Int { position &+ length }
        /// The share of `Limits.fragmentTotalOctets`.
        var cost: Int { octets.count &+ 64 }

        /// Returns the part between two positions.
        func part(_ from: Int, _ to: Int) -> Self {
            let lower = min(from &- position, octets.count)
            let upper = min(to &- position, octets.count)
            return Self(position: from, length: to &- from, number: number, octets: Array(octets[lower..<upper]))
        }
    }

    /// A reassembled datagram.
    struct Datagram {
        /// The octets after the IP header, up to the first one that was not captured.
        var octets: [UInt8]
        /// The length on the wire, in octets.
        var length: Int
        /// The number of fragments.
        var fragments: Int
        /// The protocol number of the first fragment.
        var number: UInt8
    }

    private struct Unfinished: Sendable {
        let began: Timestamp
        let serial: Int
        /// The pieces in order, without overlaps.
        var pieces: [Piece] = []
        /// The end of the last fragment, or nil before it is received.
        var length: Int?
        var covered = 0
        var fragments = 0
        /// The share of `Limits.fragmentTotalOctets`: the octets and the bookkeeping.
        var cost = 256
    }

    private struct Finished: Sendable {
        var key: Key
        var time: Timestamp
    }

    /// Seconds during which duplicate fragments of a finished datagram are recognized. Short, since busy senders soon
    /// reuse their 65,536 identifications.
    private static let copySeconds = 0.5
    /// The maximum number of pieces per datagram: enough for 64 KiB at the minimum MTU of IPv4, and few enough to sort.
    private static let piecesPerDatagram = 1_024
    private static let finishedSlots = 1_024

    /// A sender and a receiver.
    private struct Hosts: Hashable, Sendable {
        var source: IPAddress
        var destination: IPAddress
    }

    /// The maximum number of pairs of hosts whose lost datagrams are counted.
    private static let mostHosts = 256

    private let limits: Limits
    /// The number of datagrams dropped while incomplete, by sender and receiver.
    private var lost: [Hosts: Int] = [:]
    private var unfinished: [Key: Unfinished] = [:]
    /// Datagrams in order of their first fragment. An entry whose serial number differs is stale.
    private var order: [(key: Key, serial: Int)] = []
    private var orderStart = 0
    private var serial = 0
    /// Recently finished datagrams, each in the slot of its key; allocated on first use.
    private var finished: [Finished?] = []
    private(set) var octets = 0

    /// The number of incomplete datagrams.
    var count: Int { unfinished.count }

    init(limits: Limits) {
        self.limits = limits
    }

    /// Returns the number of datagrams from one host to another that were not complete so far.
    func incomplete(from source: IPAddress, to destination: IPAddress) -> Int {
        guard !lost.isEmpty || !unfinished.isEmpty else { return 0 }
        let waiting = unfinished.keys.count { $0.source == source && $0.destination == destination }
        return waiting + (lost[Hosts(source: source, destination: destination)] ?? 0)
    }

    /// Adds a fragment. Returns the datagram once it is complete.
    mutating func add(
        _ piece: Piece,
        isLast: Bool,
        to key: Key,
        at now: Timestamp,
        _ counters: inout DecodeCounters
    ) -> Datagram? {
        expire(now, &counters)
        if isFinished(key, now) {
            counters.overlappingFragments &+= 1
            return nil
        }
        var datagram = take(key) ?? begin(key, now)
        datagram.fragments &+= 1
        if isLast, datagram.length == nil { datagram.length = piece.end }
        if !Self.insert(piece, into: &datagram) { counters.overlappingFragments &+= 1 }
        if let length = datagram.length, datagram.covered >= length {
            finish(key, now)
            return Self.join(datagram, length)
        }
        if datagram.pieces.count > Self.piecesPerDatagram {
            counters.evictedDatagrams &+= 1
            return nil
        }
        put(datagram, key)
        evict(&counters)
        return nil
    }

    private mutating func begin(_ key: Key, _ now: Timestamp) -> Unfinished {
        serial &+= 1
        if order.count > 2 * limits.fragmentedDatagrams + 64 {
            order = order[orderStart...].filter { unfinished[$0.key]?.serial == $0.serial }
            orderStart = 0
        }
        order.append((key, serial))
        return Unfinished(began: now, serial: serial)
    }

    /// Removes a datagram from the table, so that it is modified without a copy.
    private mutating func take(_ key: Key) -> Unfinished? {
        guard let datagram = unfinished.removeValue(forKey: key) else { return nil }
        octets &-= datagram.cost
        return datagram
    }

    private mutating func put(_ datagram: Unfinished, _ key: Key) {
        octets &+= datagram.cost
        unfinished[key] = datagram
    }

    private mutating func finish(_ key: Key, _ now: Timestamp) {
        if finished.isEmpty { finished = [Finished?](repeating: nil, count: Self.finishedSlots) }
        finished[key.slot % Self.finishedSlots] = Finished(key: key, time: now)
    }

    private func isFinished(_ key: Key, _ now: Timestamp) -> Bool {
        guard !finished.isEmpty, let last = finished[key.slot % Self.finishedSlots], last.key == key else {
            return false
        }
        return abs(now.seconds(since: last.time)) <= Self.copySeconds
    }

    /// Inserts the new parts of a piece between the others. Returns false if some or all of it was already present.
    private static func insert(_ piece: Piece, into datagram: inout Unfinished) -> Bool {
        if piece.position >= datagram.pieces.last?.end ?? 0 {
            datagram.pieces.append(piece)
            datagram.covered &+= piece.length
            datagram.cost &+= piece.cost
            return true
        }
        var pieces: [Piece] = []
        pieces.reserveCapacity(datagram.pieces.count + 1)
        var position = piece.position
        var added = 0
        for old in datagram.pieces {
            if position < piece.end, position < old.position {
                let part = piece.part(position, min(piece.end, old.position))
                added &+= part.length
                datagram.cost &+= part.cost
                pieces.append(part)
            }
            position = max(position, old.end)
            pieces.append(old)
        }
        if position < piece.end {
            let part = piece.part(position, piece.end)
            added &+= part.length
            datagram.cost &+= part.cost
            pieces.append(part)
        }
        datagram.pieces = pieces
        datagram.covered &+= added
        return added == piece.length
    }

    private static func join(_ datagram: Unfinished, _ length: Int) -> Datagram {
        var whole: [UInt8] = []
        whole.reserveCapacity(length)
        for piece in datagram.pieces where piece.position == whole.count {
            whole += piece.octets
        }
        if whole.count > length { whole.removeLast(whole.count - length) }
        return Datagram(
            octets: whole,
            length: length,
            fragments: datagram.fragments,
            number: datagram.pieces.first?.number ?? 0
        )
    }

    private mutating func expire(_ now: Timestamp, _ counters: inout DecodeCounters) {
        while let (key, datagram) = oldest(), now.seconds(since: datagram.began) > limits.fragmentSeconds {
            counters.expiredDatagrams &+= 1
            remove(key)
        }
    }

    private mutating func evict(_ counters: inout DecodeCounters) {
        while unfinished.count > limits.fragmentedDatagrams || octets > limits.fragmentTotalOctets,
            let (key, _) = oldest()
        {
            counters.evictedDatagrams &+= 1
            remove(key)
        }
    }

    private mutating func remove(_ key: Key) {
        _ = take(key)
        orderStart &+= 1
        let hosts = Hosts(source: key.source, destination: key.destination)
        if lost.count < Self.mostHosts || lost[hosts] != nil { lost[hosts, default: 0] &+= 1 }
    }

    /// Returns the oldest datagram, and drops stale entries.
    private mutating func oldest() -> (key: Key, datagram: Unfinished)? {
        while orderStart < order.count {
            let (key, serial) = order[orderStart]
            if let datagram = unfinished[key], datagram.serial == serial { return (key, datagram) }
            orderStart &+= 1
        }
        order.removeAll(keepingCapacity: true)
        orderStart = 0
        return nil
    }
}
