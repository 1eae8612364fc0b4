package import WeirPackets

/// Verifies the authentication tags of one stream's packets with the known keys, and decrypts them (RFC 3711 §3.3).
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

    /// Maximum packets for which the search for a key or rollover count fails.
    private static let mostVain = 64

    /// Maximum keys tried.
    private let most: Int
    /// Rollovers of the sequence number that are assumed before the capture.
    private let rollovers: UInt32
    private var candidates: [SRTPCandidate] = []
    private var vain = 0
    /// Whether a peer signaled one of the keys, so that packets without a correct tag are wrong.
    private(set) var isSignaled = false
    /// Whether the tags say something about the stream.
    package var isMeaningful: Bool { verified > 0 || isSignaled && failed > 0 }
    /// Whether more keys were signaled than are tried.
    private(set) var isFull = false
    /// Whether keys were signaled that cannot be used for verification.
    private var hasOthers = false
    /// Whether packets may be protected with keys that were not stored.
    package var lacksKeys: Bool { isFull || hasOthers }
    /// Whether verification was abandoned: no key ever matched, or the search failed for too many packets.
    package private(set) var isGivenUp = false
    /// The last packet with a correct tag.
    private(set) var latestOpened: (candidate: Int, rollover: UInt32, form: SRTPPacket.Form)?
    /// The candidate that matched last.
    private var current: Int?
    /// The key that matched last.
    var key: SRTPKey? { current.map { candidates[$0].key } }
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
    /// - Parameters:
    ///   - most: maximum keys tried.
    ///   - rollovers: rollovers of the sequence number assumed before the capture.
    package init(most: Int, rollovers: Int = 32) {
        self.most = most
        self.rollovers = UInt32(clamping: rollovers)
    }

    /// Adds signaled keys. Each side of a call signals the key that it sends with, and later descriptions add others.
    ///
    /// - Parameters:
    ///   - hasMore: whether more keys were signaled than are parsed.
    ///   - hasOthers: whether keys were signaled that cannot be used for verification.
    package mutating func recordObserved(_ reported: [SRTPKey], hasMore: Bool = false, hasOthers: Bool = false) {
        let unknown = reported.filter { key in !candidates.contains { $0.key == key } }
        let room = max(0, most &- candidates.count)
        candidates += unknown.prefix(room).map { SRTPCandidate($0, for: .media) }
        if reported.contains(where: \.source.isSignaled) { isSignaled = true }
        if hasMore || unknown.count > room { isFull = true }
        if hasOthers { self.hasOthers = true }
    }

    /// Verifies and decrypts a completely captured packet; `header` is the number of octets before its payload.
    ///
    /// - Returns: The packet without protection, or nil if no key fits or the cipher is only verified.
    @discardableResult
    package mutating func take(
        _ packet: RawSpan, header: Int, sequence: UInt16, frame: Int, time: Timestamp
    ) -> [UInt8]? {
        guard !isGivenUp, !candidates.isEmpty else { return nil }
        defer { latest = (sequence, time) }
        let place = Failure(frame: frame, time: time, sequence: sequence)
        let expected = expectedRollover(sequence)
        if let current,
            let packet = candidates[current].open(packet, header: header, sequence: sequence, rollover: expected)
        {
            accept(place, packet.form, rollover: expected)
            return packet.clear
        }
        if vain < Self.mostVain, let found = search(packet, header, sequence),
            found.candidate != current || mayLackTurn(sequence, time)
        {
            current = found.candidate
            accept(place, found.packet.form, rollover: found.rollover)
            return found.packet.clear
        }
        if vain >= Self.mostVain, mayLackTurn(sequence, time) {
            // The rollover count is no longer searched for.
            isGivenUp = true
        } else {
            failed &+= 1
            vain &+= 1
            if firstFailure == nil { firstFailure = place }
            if verified == 0, failed >= Self.mostTried { isGivenUp = true }
        }
        return nil
    }

    private mutating func accept(_ place: Failure, _ form: SRTPPacket.Form, rollover: UInt32) {
        latestOpened = current.map { ($0, rollover, form) }
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
    private mutating func search(
        _ packet: RawSpan, _ header: Int, _ sequence: UInt16
    ) -> (candidate: Int, packet: SRTPPacket, rollover: UInt32)? {
        let guess = expectedRollover(sequence)
        for index in candidates.indices {
            for turns in [guess, guess &+ 1] + (0..<rollovers) {
                if let found = candidates[index].open(packet, header: header, sequence: sequence, rollover: turns) {
                    return (index, found, turns)
                }
            }
        }
        return nil
    }
}
