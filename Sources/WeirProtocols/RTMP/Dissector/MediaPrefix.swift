import WeirPackets

/// How much of an audio or video message is kept: a few octets of frames, all of what configures a decoder.
enum MediaPrefix {
    /// Octets kept of frames: more than the headers of FLV and of enhanced RTMP need.
    static let frameOctets = 64
    /// Octets kept of what configures a decoder.
    static let configurationOctets = 8 * 1_024

    /// Whether a message of audio or video that begins with this octet may hold several tracks: they are announced by a
    /// packet type, perhaps behind modifiers.
    @inline(__always)
    static func mayHoldTracks(_ first: UInt8) -> Bool { first & 0x80 != 0 && (5...7).contains(first & 0x0F) }

    /// How many octets to keep of a message that begins with `kept`, or with `kept` and then `next`.
    static func octets(typeID: UInt8, kept: [UInt8], next: RawSpan) -> Int {
        guard let first = kept.first ?? next.byte(at: 0) else { return frameOctets }
        let head = kept.isEmpty ? next.clamped(0, frameOctets).array() : kept
        let second = kept.count > 1 ? kept[1] : next.byte(at: 1 &- kept.count)
        if typeID == 9 {
            if first & 0x80 != 0 { return enhanced(head, multitrackType: 6, configurations: [0, 4, 5]) }
            return VideoCodec(id: first & 0x0F).hasNALUnits && second == 0 ? configurationOctets : frameOctets
        }
        if first >> 4 == 9 { return enhanced(head, multitrackType: 5, configurations: [0, 4]) }
        return first >> 4 == 10 && second == 0 ? configurationOctets : frameOctets
    }

    /// Of a message with many tracks all is kept, within the limits: each of them has a header of its own in it.
    private static func enhanced(_ kept: [UInt8], multitrackType: UInt8, configurations: Set<UInt8>) -> Int {
        var type = (kept.first ?? 0) & 0x0F
        var offset = 1
        // Each modifier ends with the type that follows it.
        while type == 7 {
            guard let size = kept[safe: offset] else { return configurationOctets }
            var octets = Int(size) &+ 1
            offset &+= 1
            if octets == 256 {
                guard let high = kept[safe: offset], let low = kept[safe: offset &+ 1] else {
                    return configurationOctets
                }
                octets = (Int(high) << 8 | Int(low)) &+ 1
                offset &+= 2
            }
            offset &+= octets
            guard let next = kept[safe: offset] else { return configurationOctets }
            type = next & 0x0F
            offset &+= 1
        }
        if type == multitrackType {
            guard let types = kept[safe: offset] else { return configurationOctets }
            if types >> 4 != 0 { return .max }
            type = types & 0x0F
        }
        return configurations.contains(type) ? configurationOctets : frameOctets
    }
}

/// The NAL units of the video message at hand on a chunk stream, followed from the first octet behind the header on.
struct NALUnitFollower {
    /// Octets that show where the header ends; that of a message with modifiers or tracks may be longer.
    private static let headerOctets = 16

    private var walk: NALUnitWalk?
    private var isOver = false

    /// Takes notice of octets of a message: `kept` are its first ones, `piece` those from `start` on.
    ///
    /// - Parameter lengthOctets: octets of a length, as the latest sequence header of each track says.
    mutating func pass(
        kept: [UInt8], piece: RawSpan, from start: Int, length: Int, messageStreamID: UInt32,
        lengthOctets: [UnitTrack: Int]
    ) {
        if walk == nil {
            guard !isOver, kept.count >= min(Self.headerOctets, length) else { return }
            begin(kept, length, messageStreamID, lengthOctets)
            walk?.pass(kept.rawSpan, from: 0, length: length)
        }
        walk?.pass(piece, from: start, length: length)
    }

    /// Where in the message octets have to be looked at next; `.max` for nowhere. Pieces that end before need not be
    /// passed.
    var nextLook: Int { walk?.nextLook ?? (isOver ? .max : 0) }

    private mutating func begin(
        _ kept: [UInt8], _ length: Int, _ messageStreamID: UInt32, _ lengthOctets: [UnitTrack: Int]
    ) {
        isOver = true
        if kept.count > 4, kept[0] & 0x80 == 0, kept[1] == 1, kept[0] >> 4 != VideoTag.Frame.command.rawValue {
            // Plain FLV: the header has five octets, the composition time among them.
            let codec = VideoCodec(id: kept[0] & 0x0F)
            guard codec.hasNALUnits else { return }
            let octets = lengthOctets[.init(messageStreamID: messageStreamID)] ?? 4
            walk = NALUnitWalk(at: 5, lengthOctets: octets, isHEVC: codec == .hevc)
            return
        }
        guard let tag = try? VideoTag(kept.rawSpan, length: length, limits: Limits()), let start = tag.unitsOffset
        else {
            return
        }
        let track = UnitTrack(messageStreamID: messageStreamID, trackID: tag.trackID ?? 0)
        walk = NALUnitWalk(at: start, lengthOctets: lengthOctets[track] ?? 4, isHEVC: tag.codecKind == .hevc)
    }

    /// What was found in a message that was passed as a whole; nil when it has no NAL units.
    func finished(length: Int) -> NALUnits? { walk?.finished(length: length) }
}
