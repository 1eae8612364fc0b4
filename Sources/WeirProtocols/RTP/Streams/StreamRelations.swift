import WeirEngine
import WeirPackets

/// Finds related streams: paths of one stream, twins, retransmissions and error correction.
struct StreamRelations {
    let media: MediaStreams

    /// Maximum distance between the sequence numbers of two paths of one stream.
    private static let nearby = 1_024

    /// Finds the streams that a new stream is related to.
    func relate(_ entry: MediaEntry, _ header: RTPHeader) {
        let latest = (header.payloadType, header.sequenceNumber)
        findResent(entry, latest)
        noteNeighbours(of: entry, header)
        findPaths(of: entry, latest)
    }

    /// Finds the original of a RIST stream, or its retransmissions, when the stream begins and when its session becomes
    /// known.
    ///
    /// - Parameter latest: payload type and sequence number of its latest packet.
    func findResent(_ entry: MediaEntry, _ latest: (payloadType: UInt8, sequence: UInt16)) {
        if entry.ssrc & 1 == 1 { findOriginal(of: entry, latest) } else { findRepair(of: entry, latest) }
    }

    /// Finds the other paths of a stream, when it begins and when its session becomes known.
    ///
    /// - Parameter latest: payload type and sequence number of its latest packet.
    func findPaths(of entry: MediaEntry, _ latest: (payloadType: UInt8, sequence: UInt16)) {
        for other in media.bySSRC[entry.ssrc] ?? [] where other !== entry && !other.isEnded {
            guard !entry.paths.contains(where: { $0 === other }), arePaths(entry, other, latest) else { continue }
            let most = media.mediaLimits.paths
            guard other.paths.count < most, entry.paths.count < most else {
                media.outlet.reach("limit.paths")
                continue
            }
            entry.paths.append(other)
            other.paths.append(entry)
        }
    }

    /// Returns whether two streams with one SSRC are paths of the same stream: a peer that changes its address or path
    /// (RFC 8445), a new NAT mapping, or twins (SMPTE ST 2022-7). Not so if one is sent to where the other comes from:
    /// then it is relayed.
    private func arePaths(
        _ one: MediaEntry, _ other: MediaEntry, _ latest: (payloadType: UInt8, sequence: UInt16)
    ) -> Bool {
        guard one.session?.id == other.session?.id, one.flow != other.flow,
            one.source.address != other.destination.address, one.destination.address != other.source.address,
            media.streams[other.stream].payloadType == latest.payloadType
        else { return false }
        let step = Int16(bitPattern: latest.sequence &- media.streams[other.stream].latestSequence)
        return Int(step.magnitude) < Self.nearby
    }

    /// Finds the stream that a RIST stream retransmits: RIST sets the lowest bit of the SSRC, which is 0 in the
    /// original.
    private func findOriginal(of entry: MediaEntry, _ latest: (payloadType: UInt8, sequence: UInt16)) {
        guard entry.original == nil else { return }
        let original = (media.bySSRC[entry.ssrc & ~1] ?? []).last { other in
            guard mayRepeat(entry, other, latest.payloadType) else { return false }
            let (number, tracker) = (latest.sequence, media.streams[other.stream].sequence)
            // The original may precede the capture.
            let ahead = Int(Int16(bitPattern: tracker.firstSequence &- number))
            return tracker.lacks(number).isMissing || tracker.holds(number) || 1..<Self.nearby ~= ahead
        }
        guard let original else { return }
        entry.original = original
        media.streams[entry.stream].resends(.same)
    }

    /// Finds the retransmissions of a stream, if the capture begins with them.
    private func findRepair(of entry: MediaEntry, _ latest: (payloadType: UInt8, sequence: UInt16)) {
        let repair = (media.bySSRC[entry.ssrc | 1] ?? []).last { other in
            guard other.original == nil, mayRepeat(entry, other, latest.payloadType) else { return false }
            let ahead = Int(Int16(bitPattern: latest.sequence &- media.streams[other.stream].latestSequence))
            return 1..<Self.nearby ~= ahead
        }
        guard let repair else { return }
        repair.original = entry
        media.streams[repair.stream].resends(.same)
    }

    /// Returns whether one of two streams may retransmit the other as in RIST. Senders with consecutive SSRCs do not:
    /// in different flows, the streams have to belong to a session of RIST.
    private func mayRepeat(_ entry: MediaEntry, _ other: MediaEntry, _ payloadType: UInt8) -> Bool {
        guard !other.isEnded, other.destination.address == entry.destination.address,
            media.streams[other.stream].payloadType == payloadType
        else { return false }
        if other.flow == entry.flow { return other.direction == entry.direction }
        return entry.session is RISTSession && entry.session?.id == other.session?.id
    }

    /// The last static payload type (RFC 3551 §6).
    private static let lastStaticType: UInt8 = 34

    /// Records neighboring streams with different dynamic payload types without a description: either may repair the
    /// other.
    private func noteNeighbours(of entry: MediaEntry, _ header: RTPHeader) {
        guard header.payloadType > Self.lastStaticType else { return }
        for other in entry.packets?.streams ?? []
        where other !== entry && !other.isEnded && other.direction == entry.direction && other.channel == entry.channel
        {
            let type = media.streams[other.stream].payloadType
            guard type > Self.lastStaticType, type != header.payloadType else { continue }
            media.streams[other.stream].hasNeighbour = true
            media.streams[entry.stream].hasNeighbour = true
        }
    }

    /// Applies a retransmission: what it recovers is not lost in its stream.
    func repair(_ entry: MediaEntry) {
        let kind = media.streams[entry.stream].retransmission
        if kind == .parity || kind == .redundant {
            return correct(entry, media.streams[entry.stream].latestRepair.protected)
        }
        guard let number = media.streams[entry.stream].latestRepair.original else {
            for original in originals(of: entry) { media.streams[original.stream].noteUnreadRepair() }
            return
        }
        guard let original = original(of: entry, number), !original.isEnded else { return }
        let time = media.streams[entry.stream].endTime
        media.streams[original.stream].noteRepair(of: number, at: time)
        guard kind == .same else { return }
        // One retransmission is enough for all paths.
        for path in original.paths where !path.isEnded { media.streams[path.stream].noteRepair(of: number, at: time) }
        if original.session == nil { media.rist.join(original, entry, media) }
    }

    /// Applies an FEC packet: it protects its own stream, or a neighboring one if it is alone in its stream.
    private func correct(_ entry: MediaEntry, _ protected: [ProtectedNumbers]) {
        for group in protected {
            let isAlone = media.streams[entry.stream].mainFormat?.isRepair == true
            let target = isAlone ? entry.original ?? protectedStream(beside: entry, group.numbers) : entry
            guard let target, !target.isEnded else { continue }
            if target === entry { media.streams[entry.stream].noteCorrection(group.numbers) }
            media.streams[target.stream].protect(group.numbers)
        }
    }

    /// Returns the stream next to an FEC stream that has most of these numbers.
    private func protectedStream(beside entry: MediaEntry, _ numbers: [UInt16]) -> MediaEntry? {
        let beside = entry.owner.map { $0.mediaStreams.filter { $0.medium == entry.medium } } ?? entry.packets?.streams
        let candidates = (beside ?? []).filter { other in
            other !== entry && !other.isEnded && other.direction == entry.direction
                && media.streams[other.stream].mainFormat?.isRepair != true
        }
        return candidates.max { one, other in
            let (first, second) = (media.streams[one.stream].sequence, media.streams[other.stream].sequence)
            return numbers.count(where: first.holds) < numbers.count(where: second.holds)
        }
    }

    /// Returns the stream missing a number that another one retransmits: in the medium or the flow, with the associated
    /// payload type of the retransmission format (RFC 4588 §8.1).
    private func original(of entry: MediaEntry, _ number: UInt16) -> MediaEntry? {
        if let known = entry.original { return known }
        let candidates = originals(of: entry)
        // A packet that was captured, but requested by the receiver all the same, counts as answered, too.
        return candidates.first { media.streams[$0.stream].sequence.lacks(number).isMissing }
            ?? candidates.first { media.streams[$0.stream].sequence.holds(number) }
    }

    /// Returns the streams that a stream retransmits, as far as its format shows.
    private func originals(of entry: MediaEntry) -> [MediaEntry] {
        guard let type = media.streams[entry.stream].formats[media.streams[entry.stream].payloadType]?.associatedType
        else {
            return []
        }
        let (owner, medium) = (entry.owner, entry.medium)
        return (owner?.mediaStreams ?? entry.packets?.streams ?? []).filter { other in
            (owner == nil || other.medium == medium) && other !== entry && !other.isEnded
                && other.direction == entry.direction && media.streams[other.stream].payloadType == type
        }
    }

    /// Returns whether a new source retransmits what a stream of its flow is missing, as in RIST; one packet is enough.
    func isSentAgain(_ header: RTPHeader, _ packets: MediaFlow, _ direction: Direction) -> Bool {
        guard header.ssrc & 1 == 1, let original = packets.keys.stream(header.ssrc & ~1, -1, direction),
            media.streams[original].payloadType == header.payloadType
        else { return false }
        return media.streams[original].sequence.lacks(header.sequenceNumber).isMissing
    }

    /// Returns whether a number arrived on another path of the stream.
    func isElsewhere(_ number: UInt16, _ entry: MediaEntry) -> Bool {
        entry.paths.contains { path in
            (path.isEnded ? path.tracker : media.streams[path.stream].sequence)?.holds(number) ?? false
        }
    }

    /// Returns how many numbers of a gap arrived on other paths of the stream, and whether those are twins.
    func elsewhere(_ gap: RTPGap, _ entry: MediaEntry) -> (count: Int, isTwin: Bool) {
        var (count, isTwin) = (0, false)
        for path in entry.paths {
            guard let tracker = path.isEnded ? path.tracker : media.streams[path.stream].sequence else { continue }
            var found = 0
            for offset in 0..<min(gap.count, SequenceTracker.history)
            where tracker.holds(gap.firstSequence &+ UInt16(truncatingIfNeeded: offset)) { found += 1 }
            guard found > count else { continue }
            (count, isTwin) = (found, areTwins(entry, tracker, before: gap.firstSequence))
        }
        return (count, isTwin)
    }

    /// The numbers before a gap that are compared: several, since either path may have lost some.
    private static let compared: UInt16 = 16

    /// Returns whether a packet shortly before `number` arrived on both paths: only twins send each packet on both.
    private func areTwins(_ entry: MediaEntry, _ other: SequenceTracker, before number: UInt16) -> Bool {
        (1...Self.compared).contains { step in
            other.holds(number &- step) && media.streams[entry.stream].sequence.holds(number &- step)
        }
    }
}
