import WeirPackets

/// The capture times of recent frames, which later findings refer to. Frame numbers are shared by all sessions.
struct FrameTimes {
    /// The size at which a table becomes `former` and the previous `former` is discarded.
    private static let most = 32_768

    private var latest = Table()
    private var former = Table()

    /// A map from frame numbers to times.
    private struct Table {
        /// Rows in frame order, the order of nearly all steps.
        private var rows: [(frame: Int, time: Timestamp)] = []
        /// Frames recorded out of order.
        private var late: [Int: Timestamp] = [:]

        var count: Int { rows.count + late.count }

        mutating func note(_ frame: Int, _ time: Timestamp) {
            let last = rows.last?.frame ?? .min
            if frame > last {
                rows.append((frame, time))
            } else if frame == last {
                rows[rows.count - 1].time = time
            } else {
                late[frame] = time
            }
        }

        mutating func clear() {
            rows.removeAll(keepingCapacity: true)
            late.removeAll(keepingCapacity: true)
        }

        subscript(frame: Int) -> Timestamp? {
            if let time = late[frame] { return time }
            var low = 0
            var high = rows.count
            while low < high {
                let middle = (low + high) / 2
                if rows[middle].frame < frame { low = middle + 1 } else { high = middle }
            }
            return low < rows.count && rows[low].frame == frame ? rows[low].time : nil
        }
    }

    /// Records the time of a frame.
    mutating func note(_ frame: Int, _ time: Timestamp) {
        if latest.count >= Self.most {
            swap(&latest, &former)
            latest.clear()
        }
        latest.note(frame, time)
    }

    /// The capture time of a frame, or nil if it is no longer stored.
    subscript(frame: Int) -> Timestamp? { latest[frame] ?? former[frame] }
}
