import WeirEngine
import WeirPackets

/// A stream's figures for each second, so that a graph can be drawn from a report.
///
/// It is bounded: where there are more seconds than rows, the rows stand for 2 seconds, then for 4, and so on.
package struct StreamSeries: Sendable {
    /// The figures of one stretch.
    package struct Row: Sendable, Hashable {
        /// Packets, duplicates included.
        package var packets = 0
        /// Payload octets.
        package var octets = 0
        /// Sequence numbers that are missing, less those of earlier stretches that came late.
        package var lost = 0
        /// Different timestamps.
        package var frames = 0
        /// The jitter at the end of the stretch, in milliseconds.
        package var jitter = 0.0
        /// The most that a packet came later than the first one did, by its timestamp, in milliseconds.
        package var delay = 0.0

        /// Adds the stretch behind this one.
        mutating func add(_ next: Row) {
            packets &+= next.packets
            octets &+= next.octets
            lost &+= next.lost
            frames &+= next.frames
            jitter = next.jitter
            delay = max(delay, next.delay)
        }
    }

    /// Most rows.
    static let most = 600

    /// Seconds of a row.
    package private(set) var interval: Int64 = 1
    /// The rows that are over.
    package private(set) var rows: [Row] = []
    /// Where the current row ends, in nanoseconds since 1970.
    private(set) var end = Int64.min
    /// The totals at the beginning of the current row.
    private var before = Row()

    /// Begins before the first packet.
    package init() {}

    /// The first packet comes.
    mutating func begin(at time: Timestamp) {
        end = time.nanoseconds &+ 1_000_000_000
    }

    /// The totals at a time at or behind the end of the current row: those before the packet at hand.
    @inline(never)
    mutating func roll(_ totals: Row, at time: Timestamp) {
        close(totals)
        // A clock that jumped ahead by years makes no rows.
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

    /// All rows, the last one not whole.
    package func all(_ totals: Row) -> [Row] {
        var whole = self
        whole.close(totals)
        return whole.rows
    }

    private mutating func close(_ totals: Row) {
        append(
            Row(
                packets: totals.packets &- before.packets, octets: totals.octets &- before.octets,
                lost: totals.lost &- before.lost, frames: totals.frames &- before.frames, jitter: totals.jitter,
                delay: totals.delay))
        before = totals
    }

    private mutating func append(_ row: Row) {
        // A row that stands for several seconds is filled by as many.
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

    /// The rows as columns.
    static func fields(_ rows: [Row], interval: Int64) -> FieldValue {
        func column(_ name: String, _ value: (Row) -> FieldValue) -> Field { Field(name, .array(rows.map(value))) }
        return .object([
            Field("intervalSeconds", .integer(Int(interval))),
            column("packets") { .integer($0.packets) },
            column("bytes") { .integer($0.octets) },
            column("lost") { .integer($0.lost) },
            column("frames") { .integer($0.frames) },
            column("jitterMs") { .double($0.jitter) },
            column("delayMs") { .double($0.delay) },
        ])
    }
}
