import WeirEngine
import WeirPackets

/// One interval of a stream's series.
struct SeriesRow {
    let stream: StreamRecord
    /// The position in the series, from 0.
    let index: Int
    let intervalSeconds: Double

    /// The intervals of a stream, each with its columns as fields.
    static func all(_ stream: StreamRecord, _ fields: [Field]) -> [(row: SeriesRow, fields: [Field])] {
        guard case .object(let series)? = MemberText.value("series", in: fields) else { return [] }
        var interval = 0.0
        var columns: [(name: String, values: [FieldValue])] = []
        for member in series {
            switch member.value {
            case .integer(let seconds): interval = Double(seconds)
            case .double(let seconds), .number(let seconds): interval = seconds
            case .array(let values): columns.append((member.name, values))
            default: break
            }
        }
        let count = columns.map(\.values.count).max() ?? 0
        guard interval > 0 else { return [] }
        return (0..<count).map { index in
            let values = columns.compactMap { column in
                column.values.indices.contains(index) ? Field(column.name, column.values[index]) : nil
            }
            return (SeriesRow(stream: stream, index: index, intervalSeconds: interval), values)
        }
    }

    /// The start of the interval.
    var time: Timestamp {
        Timestamp(nanoseconds: stream.startTime.nanoseconds &+ Int64(min(Double(index) * intervalSeconds, 1e9) * 1e9))
    }
}

extension Table<SeriesRow> {
    /// One row per interval of a stream.
    static var series: Self {
        Self(
            name: "series", meaning: "The statistics of streams over time, by interval.",
            key: ["capture", "stream", "index"],
            columns: [
                .capture,
                .integer("stream", "The stream.", required: true) { $0.record.stream.id },
                .integer("index", "The number of the interval, from 0.", required: true) { $0.record.index },
                .time("time", "The start of the interval.", required: true) { $0.record.time },
                .number("intervalSeconds", "The length of the interval.", unit: "s") { $0.record.intervalSeconds },
                .integer("packets", "Packets received.") { $0.integer("packets") },
                .integer("bytes", "Bytes of payload.", unit: "bytes") { $0.integer("bytes") },
                .integer("lost", "Packets that never arrived.") { $0.integer("lost") },
                .integer("frames", "Frames.") { $0.integer("frames") },
                .number("jitterMs", "The interarrival jitter at the end of the interval.", unit: "ms") {
                    $0.number("jitterMs")
                },
                .number("delayMs", "The largest delay relative to the fastest packet.", unit: "ms") {
                    $0.number("delayMs")
                },
            ])
    }
}
