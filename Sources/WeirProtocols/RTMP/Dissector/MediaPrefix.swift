import WeirPackets

/// The number of octets kept of audio and video messages: a short prefix of frames, all of a decoder configuration.
enum MediaPrefix {
    /// Octets kept of frames, enough for the FLV and enhanced RTMP headers.
    static let frameOctets = 64
    /// Octets kept of decoder configurations.
    static let configurationOctets = 8 * 1_024

    /// Whether an audio or video message that starts with this octet may contain several tracks, which a packet type
    /// announces, possibly after modifiers.
    @inline(__always)
    static func mayHoldTracks(_ first: UInt8) -> Bool { first & 0x80 != 0 && (5...7).contains(first & 0x0F) }

    /// Returns the number of octets to keep of a message that starts with `kept`, or with `kept` followed by `next`.
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

    /// Multitrack messages are kept completely, within the limits, since each track has its own header.
    private static func enhanced(_ kept: [UInt8], multitrackType: UInt8, configurations: Set<UInt8>) -> Int {
        var type = (kept.first ?? 0) & 0x0F
        var offset = 1
        // Each modifier ends with the packet type that follows it.
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

/// Tracks the NAL units of the current video message of a chunk stream, from the first octet after the header.
struct NALUnitFollower {
    /// Octets sufficient to find the end of the header, except for headers with modifiers or tracks.
    private static let headerOctets = 16

    private var walk: NALUnitWalk?
    private var isOver = false

    /// Processes octets of a message: `kept` are its first octets, `piece` those from `start` on.
    ///
    /// - Parameter lengthOctets: The size of the NAL unit length field by track, from the latest sequence header.
    mutating func pass(
        kept: [UInt8], piece: RawSpan, from start: Int, length: Int, messageStreamID: UInt32,
        lengthOctets: UnitLengths
    ) {
        if walk == nil {
            guard !isOver, kept.count >= min(Self.headerOctets, length) else { return }
            begin(kept, length, messageStreamID, lengthOctets)
            walk?.pass(kept.rawSpan, from: 0, length: length)
        }
        walk?.pass(piece, from: start, length: length)
    }

    /// The message offset of the next octets to inspect, or `.max` if there are none. Earlier pieces can be skipped.
    var nextLook: Int { walk?.nextLook ?? (isOver ? .max : 0) }

    private mutating func begin(
        _ kept: [UInt8], _ length: Int, _ messageStreamID: UInt32, _ lengthOctets: UnitLengths
    ) {
        isOver = true
        if kept.count > 4, kept[0] & 0x80 == 0, kept[1] == 1, kept[0] >> 4 != VideoTag.Frame.command.rawValue {
            // The plain FLV header has five octets, including the composition time.
            let codec = VideoCodec(id: kept[0] & 0x0F)
            guard codec.hasNALUnits else { return }
            let octets = lengthOctets[.init(messageStreamID: messageStreamID)] ?? 4
            walk = NALUnitWalk(at: 5, lengthOctets: octets, isHEVC: codec == .hevc)
            return
        }
        // Other messages in plain FLV have no NAL units.
        guard let first = kept.first, first & 0x80 != 0,
            let tag = try? VideoTag(kept.rawSpan, length: length, limits: Limits()), let start = tag.unitsOffset
        else { return }
        let track = UnitTrack(messageStreamID: messageStreamID, trackID: tag.trackID ?? 0)
        walk = NALUnitWalk(at: start, lengthOctets: lengthOctets[track] ?? 4, isHEVC: tag.codecKind == .hevc)
    }

    /// Returns the result for a message that was processed completely, or nil if it has no NAL units.
    func finished(length: Int) -> NALUnits? { walk?.finished(length: length) }
}
