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

    /// Packets behind which keys of which none ever fitted are not tried any more.
    private static let mostTried = 32
    /// How often the sequence number may have turned over before the capture.
    private static let mostRollovers: UInt32 = 8

    /// Packets of which the key, or the turns of the number, are looked for in vain.
    private static let mostVain = 64

    /// Keys that are tried.
    private let most: Int
    private var keys: [SRTPKey] = []
    private var vain = 0
    /// Whether signaling told more keys than are tried.
    private(set) var isFull = false
    /// Whether it told others, which tags cannot be verified with.
    private var hasOthers = false
    /// Whether packets may be made with keys that are not tried.
    package var lacksKeys: Bool { isFull || hasOthers }
    /// Whether no packet is tried any more: no key ever fitted, or of too many that none does the turns are not known.
    package private(set) var isGivenUp = false
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
    /// Packets whose tag is right, but that lack the identifier of the master key before it, and the first frame with one.
    package private(set) var unidentified = 0
    package private(set) var firstUnidentified: Failure?

    /// Nothing is known of any key.
    ///
    /// - Parameter most: keys that are tried.
    init(most: Int) { self.most = most }

    /// Learns keys that signaling tells: each side of a call tells the one that it sends with, and a later description others.
    ///
    /// - Parameters:
    ///   - hasMore: whether it tells more than are read.
    ///   - hasOthers: whether it tells some beside them, which tags cannot be verified with.
    mutating func learn(_ told: [SRTPKey], hasMore: Bool = false, hasOthers: Bool = false) {
        let unknown = told.filter { !keys.contains($0) }
        let room = max(0, most &- keys.count)
        keys += unknown.prefix(room)
        if hasMore || unknown.count > room { isFull = true }
        if hasOthers { self.hasOthers = true }
    }

    /// Takes a packet, of which the capture holds all.
    mutating func take(_ packet: RawSpan, sequence: UInt16, frame: Int, time: Timestamp) {
        guard !isGivenUp, !keys.isEmpty else { return }
        defer { latest = (sequence, time) }
        let place = Failure(frame: frame, time: time, sequence: sequence)
        if let key, let form = key.form(of: packet, rollover: expectedRollover(sequence)) {
            accept(place, form, rollover: expectedRollover(sequence))
        } else if vain < Self.mostVain, let found = search(packet, sequence),
            found.key != key || mayLackTurn(sequence, time)
        {
            key = found.key
            accept(place, found.form, rollover: found.rollover)
        } else if vain >= Self.mostVain, mayLackTurn(sequence, time) {
            // How often the number has turned over is not looked for any more.
            isGivenUp = true
        } else {
            failed &+= 1
            vain &+= 1
            if firstFailure == nil { firstFailure = place }
            if verified == 0, failed >= Self.mostTried { isGivenUp = true }
        }
    }

    private mutating func accept(_ place: Failure, _ form: SRTPKey.Form, rollover: UInt32) {
        follow(place.sequence, rollover)
        verified &+= 1
        guard form == .unidentified else { return }
        unidentified &+= 1
        if firstUnidentified == nil { firstUnidentified = place }
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
    private func search(
        _ packet: RawSpan, _ sequence: UInt16
    ) -> (key: SRTPKey, form: SRTPKey.Form, rollover: UInt32)? {
        let guess = expectedRollover(sequence)
        for key in keys {
            for turns in [guess, guess &+ 1] + (0..<Self.mostRollovers) {
                if let form = key.form(of: packet, rollover: turns) { return (key, form, turns) }
            }
        }
        return nil
    }
}
