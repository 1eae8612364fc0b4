import WeirPackets

/// When the frames of the latest steps came: findings name them later, and a frame is the same in all sessions.
struct FrameTimes {
    /// Steps after which those of the time before are forgotten.
    private static let most = 32_768

    private var latest = Table()
    private var former = Table()

    /// Frames and their times, in the order of the frames, in which nearly all steps come.
    private struct Table {
        private var rows: [(frame: Int, time: Timestamp)] = []

        var count: Int { rows.count }

        mutating func note(_ frame: Int, _ time: Timestamp) {
            guard let last = rows.last, frame <= last.frame else { return rows.append((frame, time)) }
            let place = self.place(of: frame)
            if rows[place].frame == frame {
                rows[place].time = time
            } else {
                rows.insert((frame, time), at: place)
            }
        }

        mutating func clear() { rows.removeAll(keepingCapacity: true) }

        subscript(frame: Int) -> Timestamp? {
            let place = self.place(of: frame)
            return place < rows.count && rows[place].frame == frame ? rows[place].time : nil
        }

        /// Where the first row of this frame or a later one is. What is asked for mostly came last.
        private func place(of frame: Int) -> Int {
            if let last = rows.last, last.frame == frame { return rows.count - 1 }
            var low = 0
            var high = rows.count
            while low < high {
                let middle = (low + high) / 2
                if rows[middle].frame < frame { low = middle + 1 } else { high = middle }
            }
            return low
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
