import WeirPackets

/// When the frames of the latest steps came: findings name them later, and a frame is the same in all sessions.
struct FrameTimes {
    /// Steps after which those of the time before are forgotten.
    private static let most = 32_768

    private var latest: [Int: Timestamp] = [:]
    private var former: [Int: Timestamp] = [:]

    /// Takes note of a step.
    mutating func note(_ frame: Int, _ time: Timestamp) {
        if latest.count >= Self.most {
            swap(&latest, &former)
            latest.removeAll(keepingCapacity: true)
        }
        latest[frame] = time
    }

    /// When a frame came, if that is still known.
    subscript(frame: Int) -> Timestamp? { latest[frame] ?? former[frame] }
}
