import WeirPackets

/// How much of an audio or video message is kept: a few octets of frames, all of what configures a decoder.
enum MediaPrefix {
    /// Octets kept of frames: more than the headers of FLV and of enhanced RTMP need.
    static let frameOctets = 64
    /// Octets kept of what configures a decoder, and of messages with several tracks.
    static let configurationOctets = 8 * 1_024

    /// How many octets to keep of a message that begins with `kept`, or with `kept` and then `next`.
    static func octets(typeID: UInt8, kept: [UInt8], next: RawSpan) -> Int {
        guard let first = kept.first ?? next.byte(at: 0) else { return frameOctets }
        let second = kept.count > 1 ? kept[1] : next.byte(at: 1 &- kept.count)
        if typeID == 9 {
            if first & 0x80 != 0 { return [0, 4, 5, 6, 7].contains(first & 0x0F) ? configurationOctets : frameOctets }
            return VideoCodec(id: first & 0x0F).hasNALUnits && second == 0 ? configurationOctets : frameOctets
        }
        if first >> 4 == 9 { return [0, 4, 5, 7].contains(first & 0x0F) ? configurationOctets : frameOctets }
        return first >> 4 == 10 && second == 0 ? configurationOctets : frameOctets
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
    /// - Parameter lengthOctets: octets of a length, as the latest sequence header of the stream says.
    mutating func pass(
        kept: [UInt8], piece: RawSpan, from start: Int, length: Int, lengthOctets: Int
    ) {
        if walk == nil {
            guard !isOver, kept.count >= min(Self.headerOctets, length) else { return }
            begin(kept, length, lengthOctets)
            walk?.pass(kept.rawSpan, from: 0, length: length)
        }
        walk?.pass(piece, from: start, length: length)
    }

    /// Where in the message octets have to be looked at next; `.max` for nowhere. Pieces that end before need not be
    /// passed.
    var nextLook: Int { walk?.nextLook ?? (isOver ? .max : 0) }

    /// Whether the header of the message was read.
    var hasBegun: Bool { isOver }

    private mutating func begin(_ kept: [UInt8], _ length: Int, _ lengthOctets: Int) {
        isOver = true
        guard let tag = try? VideoTag(kept.rawSpan, length: length, limits: Limits()), let start = tag.unitsOffset
        else {
            return
        }
        walk = NALUnitWalk(at: start, lengthOctets: lengthOctets, isHEVC: tag.codecKind == .hevc)
    }

    /// What was found in a message that was passed as a whole; nil when it has no NAL units.
    func finished(length: Int) -> NALUnits? { walk?.finished(length: length) }
}
