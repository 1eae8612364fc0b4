import WeirEngine
import WeirPackets

/// The figures of a stream per second, for drawing graphs.
///
/// The size is bounded: with more seconds than rows, a row covers 2 seconds, then 4, and so on.
package struct StreamSeries: Sendable {
    /// The figures of one interval.
    package struct Row: Sendable, Hashable {
        /// Packets, duplicates included.
        package var packets = 0
        /// Payload octets.
        package var octets = 0
        /// Missing sequence numbers, less those of earlier intervals that arrived late.
        package var lost = 0
        /// Lost packets that a repair mechanism recovered.
        package var recovered = 0
        /// Distinct timestamps.
        package var frames = 0
        /// The jitter at the end of the interval, in milliseconds.
        package var jitter = 0.0
        /// Maximum delay of a packet so far relative to the first one, by timestamps, in milliseconds.
        package var delay = 0.0
        /// Maximum such delay in the interval, at least 0.
        package var peak = 0.0
        /// That delay for the last packet of the interval, in milliseconds.
        package var transit = 0.0
        /// The longest time between two packets, in milliseconds.
        package var delta = 0.0
        /// Retransmitted packets.
        package var retransmitted = 0
        /// The latest round-trip time in milliseconds.
        package var roundTrip = 0.0

        /// Adds the following interval to this one.
        mutating func add(_ next: Row) {
            packets &+= next.packets
            octets &+= next.octets
            lost &+= next.lost
            recovered &+= next.recovered
            frames &+= next.frames
            jitter = next.jitter
            delay = max(delay, next.delay)
            peak = max(peak, next.peak)
            transit = next.transit
            delta = max(delta, next.delta)
            retransmitted &+= next.retransmitted
            roundTrip = next.roundTrip
        }
    }

    /// Maximum rows.
    static let most = 600

    /// End of the current row, in nanoseconds since 1970.
    private(set) var end = Int64.min
    /// Seconds per row.
    package private(set) var interval: Int64 = 1
    /// The completed rows.
    package private(set) var rows: [Row] = []
    /// The totals at the start of the current row.
    private var before = Row()

    /// Creates an empty series.
    package init() {}

    /// Starts the series at the first packet.
    mutating func begin(at time: Timestamp) {
        end = time.nanoseconds &+ 1_000_000_000
    }

    /// Completes rows, given the totals before the current packet, at or after the end of the current row.
    @inline(never)
    mutating func roll(_ totals: Row, at time: Timestamp) {
        close(totals)
        // A clock that jumped ahead by years does not add rows.
        var empty = 0
        while end <= time.nanoseconds {
            guard empty < Self.most else {
                end = time.nanoseconds &+ interval &* 1_000_000_000
                return
            }
            append(Row())
            empty &+= 1
        }
    }

    /// Returns all rows, including the incomplete last one.
    package func all(_ totals: Row) -> [Row] {
        var whole = self
        whole.close(totals)
        return whole.rows
    }

    private mutating func close(_ totals: Row) {
        append(
            Row(
                packets: totals.packets &- before.packets, octets: totals.octets &- before.octets,
                lost: totals.lost &- before.lost, recovered: totals.recovered &- before.recovered,
                frames: totals.frames &- before.frames, jitter: totals.jitter, delay: totals.delay, peak: totals.peak,
                transit: totals.transit, delta: totals.delta,
                retransmitted: totals.retransmitted &- before.retransmitted,
                roundTrip: totals.roundTrip))
        before = totals
    }

    private mutating func append(_ row: Row) {
        // A row for several seconds is filled by as many.
        if rows.isEmpty { rows.reserveCapacity(8) }
        rows.append(row)
        end &+= interval &* 1_000_000_000
        guard rows.count >= Self.most else { return }
        var merged: [Row] = []
        merged.reserveCapacity(Self.most)
        for index in stride(from: 0, to: rows.count &- 1, by: 2) {
            var pair = rows[index]
            pair.add(rows[index &+ 1])
            merged.append(pair)
        }
        rows = merged
        interval &*= 2
    }

    /// Returns the rows of a stream of messages, without loss, as columns.
    static func messageFields(_ rows: [Row], _ interval: Int64) -> FieldValue {
        func column(_ name: String, _ value: (Row) -> FieldValue) -> Field { Field(name, .array(rows.map(value))) }
        return .object([
            Field("intervalSeconds", .integer(Int(interval))),
            column("messages") { .integer($0.packets) },
            column("bytes") { .integer($0.octets) },
            column("frames") { .integer($0.frames) },
            column("transitMs") { .double($0.transit) },
            column("maxDeltaMs") { .double($0.delta) },
        ])
    }

    /// Returns the rows of a stream with retransmissions and without timestamps of media, as columns.
    static func repairFields(_ rows: [Row], _ interval: Int64) -> FieldValue {
        func column(_ name: String, _ value: (Row) -> FieldValue) -> Field { Field(name, .array(rows.map(value))) }
        return .object([
            Field("intervalSeconds", .integer(Int(interval))),
            column("packets") { .integer($0.packets) },
            column("bytes") { .integer($0.octets) },
            column("lost") { .integer($0.lost) },
            column("recovered") { .integer($0.recovered) },
            column("retransmitted") { .integer($0.retransmitted) },
            column("rttMs") { .double($0.roundTrip) },
        ])
    }

    /// Returns the rows as columns; that of recovered packets only if there were any.
    static func fields(_ rows: [Row], interval: Int64) -> FieldValue {
        func column(_ name: String, _ value: (Row) -> FieldValue) -> Field { Field(name, .array(rows.map(value))) }
        let recovered =
            rows.contains { $0.recovered != 0 } ? [column("recovered") { .integer($0.recovered) }] : []
        let measured = [
            Field("intervalSeconds", .integer(Int(interval))),
            column("packets") { .integer($0.packets) },
            column("bytes") { .integer($0.octets) },
            column("lost") { .integer($0.lost) },
        ]
        let timed = [
            column("frames") { .integer($0.frames) },
            column("jitterMs") { .double($0.jitter) },
            column("delayMs") { .double($0.delay) },
            column("maxTransitMs") { .double($0.peak) },
            column("transitMs") { .double($0.transit) },
            column("maxDeltaMs") { .double($0.delta) },
        ]
        return .object(measured + recovered + timed)
    }
}
