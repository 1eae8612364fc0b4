package import WeirPackets

/// Verifies the authentication tags of one stream's packets with the signaled keys (RFC 3711 §3.3).
package struct SRTPAuthentication: Sendable {
    /// A packet with a wrong tag.
    package struct Failure: Sendable {
        /// Frame number and time.
        package let frame: Int
        package let time: Timestamp
        /// The sequence number.
        package let sequence: UInt16
    }

    /// Packets after which keys are no longer tried if none ever matched.
    private static let mostTried = 32
    /// Maximum rollovers of the sequence number assumed before the capture.
    private static let mostRollovers: UInt32 = 8

    /// Maximum packets for which the search for a key or rollover count fails.
    private static let mostVain = 64

    /// Maximum keys tried.
    private let most: Int
    private var keys: [SRTPKey] = []
    private var vain = 0
    /// Whether more keys were signaled than are tried.
    private(set) var isFull = false
    /// Whether keys were signaled that cannot be used for verification.
    private var hasOthers = false
    /// Whether packets may be protected with keys that were not stored.
    package var lacksKeys: Bool { isFull || hasOthers }
    /// Whether verification was abandoned: no key ever matched, or the search failed for too many packets.
    package private(set) var isGivenUp = false
    /// The key that matched last.
    private var key: SRTPKey?
    /// The rollover counter, and the highest sequence number since (RFC 3711 §3.3.1).
    private var rollover: UInt32 = 0
    private var highest: UInt16 = 0
    /// Sequence number and time of the previous packet.
    private var latest: (sequence: UInt16, time: Timestamp)?
    /// Packets with a correct tag.
    package private(set) var verified = 0
    /// Packets with a wrong tag.
    package private(set) var failed = 0
    /// The first packet with a wrong tag.
    package private(set) var firstFailure: Failure?
    /// Packets with a correct tag but without the MKI before it, and the first such frame.
    package private(set) var unidentified = 0
    package private(set) var firstUnidentified: Failure?

    /// Creates an authentication state without keys.
    ///
    /// - Parameter most: maximum keys tried.
    init(most: Int) { self.most = most }

    /// Adds signaled keys. Each side of a call signals the key that it sends with, and later descriptions add others.
    ///
    /// - Parameters:
    ///   - hasMore: whether more keys were signaled than are parsed.
    ///   - hasOthers: whether keys were signaled that cannot be used for verification.
    mutating func recordObserved(_ reported: [SRTPKey], hasMore: Bool = false, hasOthers: Bool = false) {
        let unknown = reported.filter { !keys.contains($0) }
        let room = max(0, most &- keys.count)
        keys += unknown.prefix(room)
        if hasMore || unknown.count > room { isFull = true }
        if hasOthers { self.hasOthers = true }
    }

    /// Verifies a completely captured packet.
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
            // The rollover count is no longer searched for.
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

    /// Returns the rollover count of a packet as estimated by a receiver (RFC 3711 §3.3.1).
    private func expectedRollover(_ sequence: UInt16) -> UInt32 {
        let ahead = Int32(sequence) &- Int32(highest)
        if highest < 0x8000 { return ahead > 0x8000 ? rollover &- 1 : rollover }
        return ahead < -0x8000 ? rollover &+ 1 : rollover
    }

    private mutating func follow(_ sequence: UInt16, _ turns: UInt32) {
        if turns != rollover || verified == 0 {
            // A packet from before the rollover does not change the state.
            guard turns != rollover &- 1 || verified == 0 else { return }
            rollover = turns
            highest = sequence
        } else {
            highest = max(highest, sequence)
        }
    }

    /// Returns whether a rollover or restart since the previous packet may not have been captured. If sequence numbers
    /// continue within moments, it cannot, and every receiver counts the same.
    private func mayLackTurn(_ sequence: UInt16, _ time: Timestamp) -> Bool {
        guard let latest, verified > 0 else { return true }
        let step = Int16(bitPattern: sequence &- latest.sequence)
        return step.magnitude > RTPHeader.maximumDropout || time.seconds(since: latest.time).magnitude > 2
    }

    /// Searches for a key and a rollover count that match the tag: the capture may begin late or may not contain the
    /// rollover.
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
