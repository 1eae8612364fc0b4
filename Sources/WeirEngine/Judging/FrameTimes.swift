import WeirPackets

/// When the frames of the latest steps came: findings name them later, and a frame is the same in all sessions.
struct FrameTimes {
    /// Steps after which those of the time before are forgotten.
    private static let most = 32_768

    private var latest = Table()
    private var former = Table()

    /// Frames and their times.
    private struct Table {
        /// In the order of the frames, in which nearly all steps come.
        private var rows: [(frame: Int, time: Timestamp)] = []
        /// Those that came later than their place.
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

    /// Takes note of a step.
    mutating func note(_ frame: Int, _ time: Timestamp) {
        if latest.count >= Self.most {
            swap(&latest, &former)
            latest.clear()
        }
        latest.note(frame, time)
    }

    /// When a frame came, if that is still known.
    subscript(frame: Int) -> Timestamp? { latest[frame] ?? former[frame] }
}
