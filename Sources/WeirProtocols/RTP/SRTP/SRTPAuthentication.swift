package import WeirPackets

/// The authentication tags of one stream's packets, verified with the keys that signaling tells (RFC 3711 §3.3).
package struct SRTPAuthentication: Sendable {
    /// A packet whose tag is wrong.
    package struct Failure: Sendable {
        /// The frame, and when it came.
        package let frame: Int
        package let time: Timestamp
        /// Its sequence number.
        package let sequence: UInt16
    }

    /// Keys of one stream that are tried.
    private static let mostKeys = 8
    /// Packets behind which keys of which none ever fitted are not tried any more.
    private static let mostTried = 32
    /// How often the sequence number may have turned over before the capture.
    private static let mostRollovers: UInt32 = 8

    /// Packets of which the key, or the turns of the number, are looked for in vain.
    private static let mostVain = 64

    private var keys: [SRTPKey] = []
    private var vain = 0
    /// The key that fitted last.
    private var key: SRTPKey?
    /// How often the sequence number has turned over, and the highest since (RFC 3711 §3.3.1).
    private var rollover: UInt32 = 0
    private var highest: UInt16 = 0
    /// The packet before: its sequence number, and when it came.
    private var latest: (sequence: UInt16, time: Timestamp)?
    /// Packets whose tag is right.
    package private(set) var verified = 0
    /// Packets whose tag is wrong.
    package private(set) var failed = 0
    /// The first of these.
    package private(set) var firstFailure: Failure?

    /// Nothing is known of any key.
    init() {}

    /// Learns keys that signaling tells: each side of a call tells the one that it sends with, and a later description others.
    mutating func learn(_ told: [SRTPKey]) {
        for key in told where !keys.contains(key) && keys.count < Self.mostKeys { keys.append(key) }
    }

    /// Takes a packet, of which the capture holds all.
    mutating func take(_ packet: RawSpan, sequence: UInt16, frame: Int, time: Timestamp) {
        guard verified > 0 || failed < Self.mostTried else { return }
        defer { latest = (sequence, time) }
        if let key, key.authenticates(packet, rollover: expectedRollover(sequence)) {
            follow(sequence, expectedRollover(sequence))
            verified &+= 1
        } else if let found = search(packet, sequence), found.key != key || mayLackTurn(sequence, time) {
            key = found.key
            follow(sequence, found.rollover)
            verified &+= 1
        } else {
            failed &+= 1
            vain &+= 1
            if firstFailure == nil { firstFailure = Failure(frame: frame, time: time, sequence: sequence) }
        }
    }

    /// How often the number has turned over at a packet, as a receiver guesses (RFC 3711 §3.3.1).
    private func expectedRollover(_ sequence: UInt16) -> UInt32 {
        let ahead = Int32(sequence) &- Int32(highest)
        if highest < 0x8000 { return ahead > 0x8000 ? rollover &- 1 : rollover }
        return ahead < -0x8000 ? rollover &+ 1 : rollover
    }

    private mutating func follow(_ sequence: UInt16, _ turns: UInt32) {
        if turns != rollover || verified == 0 {
            // A packet from before the turn leaves what is known.
            guard turns != rollover &- 1 || verified == 0 else { return }
            rollover = turns
            highest = sequence
        } else {
            highest = max(highest, sequence)
        }
    }

    /// Whether the capture may lack a turn of the number, or a new beginning, since the packet before. Where numbers go on
    /// within moments it does not, and every receiver counts the same.
    private func mayLackTurn(_ sequence: UInt16, _ time: Timestamp) -> Bool {
        guard let latest, verified > 0 else { return true }
        let step = Int16(bitPattern: sequence &- latest.sequence)
        return step.magnitude > RTPHeader.maximumDropout || time.seconds(since: latest.time).magnitude > 2
    }

    /// A key, and a number of turns, with which the tag is right: the capture may begin late, or lack the turn.
    private func search(_ packet: RawSpan, _ sequence: UInt16) -> (key: SRTPKey, rollover: UInt32)? {
        guard vain < Self.mostVain else { return nil }
        let guess = expectedRollover(sequence)
        for key in keys {
            for turns in [guess, guess &+ 1] + (0..<Self.mostRollovers) where key.authenticates(packet, rollover: turns)
            {
                return (key, turns)
            }
        }
        return nil
    }
}
