import WeirEngine
import WeirPackets

/// The enhanced RTMP header after the first octet of an audio or video message: modifiers, tracks and FourCC (E-RTMP v2
/// "Enhanced Audio", "Enhanced Video").
public struct EnhancedHeader: Sendable, Hashable {
    /// The multitrack type.
    public enum Multitrack: Sendable, Hashable {
        /// One numbered track, 0.
        case one
        /// Tracks of one codec, 1.
        case many
        /// Tracks with a codec each, 2.
        case manyCodecs
        /// A reserved number.
        case unknown(UInt8)
    }

    /// A modifier or extension of the message, ignored by receivers without support.
    public struct Modifier: Sendable, Hashable {
        /// The modifier type; 0 is a nanosecond offset of the timestamp.
        public var type: UInt8
        /// The size of its data in octets.
        public var octets: Int
    }

    /// A track of a message.
    public struct Track: Sendable, Hashable {
        /// The track number; 0 is the default track.
        public var id: UInt8
        /// The codec.
        public var fourCC: FourCC
        /// The announced size of its data in octets, or nil if it extends to the end of the message.
        public var octets: Int?
        /// The offset of its data in the message.
        var offset: Int

        /// Returns the end of its data in a message of `length` octets.
        func end(in length: Int) -> Int { octets.map { min(length, offset &+ $0) } ?? length }
    }

    /// The modifiers, in order.
    public private(set) var modifiers: [Modifier] = []
    /// Nanoseconds to add to the timestamp, from the modifier of type 0.
    public private(set) var nanoseconds: UInt32?
    /// The multitrack type, or nil for a message without track numbers.
    public private(set) var multitrack: Multitrack?
    /// The codec of the message, or nil if each track has its own, and in a command.
    public private(set) var fourCC: FourCC?
    /// The tracks; empty for a message without track numbers.
    public private(set) var tracks: [Track] = []
    /// The packet type of all tracks.
    private(set) var packetType: UInt8
    /// Whether tracks were omitted because they exceed what is kept of the message.
    private(set) var lacksTracks = false

    private static let modEx: UInt8 = 7

    /// Parses the header after the first octet, which contains the packet type `type`.
    ///
    /// - Parameters:
    ///   - multitrackType: The packet type of multitrack messages: 5 for audio, 6 for video.
    ///   - messageLength: The size of the whole message in octets, of which the reader may have only the start.
    ///   - isCommand: Whether the message is a command unless it is metadata; no codec follows then.
    ///   - most: The limit of tracks parsed per message.
    @_lifetime(reader: copy reader)
    init(
        _ reader: inout ByteReader, type: UInt8, multitrackType: UInt8, messageLength: Int, isCommand: Bool,
        most: Int = 256
    ) throws(DecodeError) {
        packetType = type
        // Each modifier ends with the packet type that follows it, possibly another modifier.
        while packetType == Self.modEx {
            var octets = Int(try reader.uint8()) &+ 1
            if octets == 256 { octets = Int(try reader.uint16()) &+ 1 }
            let data = try reader.span(octets)
            let types = try reader.uint8()
            packetType = types & 0x0F
            modifiers.append(Modifier(type: types >> 4, octets: octets))
            if types >> 4 == 0, let high = data.byte(at: 0), let low = data.uint16(at: 1) {
                nanoseconds = UInt32(high) << 16 | UInt32(low)
            }
        }
        if isCommand, packetType != 4 { return }
        guard packetType == multitrackType else {
            fourCC = FourCC(try reader.uint32())
            return
        }
        let types = try reader.uint8()
        packetType = types & 0x0F
        multitrack =
            switch types >> 4 {
            case 0: .one
            case 1: .many
            case 2: .manyCodecs
            default: .unknown(types >> 4)
            }
        if multitrack != .manyCodecs { fourCC = FourCC(try reader.uint32()) }
        try readTracks(&reader, messageLength, most: most)
    }

    /// Returns the header reduced to one of its tracks.
    func alone(_ track: Track) -> EnhancedHeader {
        var header = self
        header.tracks = [track]
        header.fourCC = track.fourCC
        header.multitrack = .one
        header.lacksTracks = false
        return header
    }

    @_lifetime(reader: copy reader)
    private mutating func readTracks(
        _ reader: inout ByteReader, _ messageLength: Int, most: Int
    ) throws(DecodeError) {
        while true {
            guard tracks.count < most else {
                lacksTracks = true
                return
            }
            let code: FourCC
            if let fourCC { code = fourCC } else { code = FourCC(try reader.uint32()) }
            let id = try reader.uint8()
            guard multitrack != .one else {
                tracks.append(Track(id: id, fourCC: code, offset: reader.offset))
                return
            }
            let octets = Int(try reader.uint24())
            tracks.append(Track(id: id, fourCC: code, octets: octets, offset: reader.offset))
            // The data of all but the last track may exceed what is kept of the message.
            guard octets <= reader.remaining else {
                lacksTracks = reader.offset &+ octets < messageLength
                return
            }
            if tracks.count == 1, reader.offset &+ octets == messageLength { return }
            guard reader.remaining > octets else { return }
            try reader.skip(octets)
        }
    }
}

extension EnhancedHeader {
    /// The number of tracks, or the track number, as a suffix to the codec; empty without track numbers.
    var trackWords: Wording {
        tracks.count > 1 ? " (\(tracks.count) tracks)" : tracks.first.map { " (track \($0.id))" } ?? ""
    }

    /// Returns the members of `fields` in the report; several sequence headers are listed with their tracks.
    ///
    /// - Parameter details: Additional members for each track, in order.
    func fields(_ configurations: [MediaConfiguration?], details: [[Field]] = []) -> [Field] {
        var fields: [Field] = []
        fields.add("fourCc", fourCC?.description)
        fields.add("nanosecondOffset", nanoseconds.map { Int($0) })
        if !modifiers.isEmpty {
            let shown = modifiers.map {
                FieldValue.object([Field("type", .integer(Int($0.type))), Field("length", .integer($0.octets))])
            }
            fields.add("modifiers", .array(shown))
        }
        if let multitrack {
            fields.add("multitrack", multitrack.name)
            let shown = tracks.enumerated().map { index, track in
                var members = [
                    Field("trackId", .integer(Int(track.id))), Field("fourCc", .string(track.fourCC.description)),
                ]
                members.add("length", track.octets)
                if configurations.count > 1, let configuration = configurations[safe: index] ?? nil {
                    members.append(Field("configuration", .object(configuration.fields)))
                }
                members += details[safe: index] ?? []
                return FieldValue.object(members)
            }
            fields.add("tracks", .array(shown))
        }
        return fields
    }
}

extension EnhancedHeader.Multitrack {
    /// The value of `multitrack` in the report.
    public var name: String {
        switch self {
        case .one: "oneTrack"
        case .many: "manyTracks"
        case .manyCodecs: "manyTracksManyCodecs"
        case .unknown(let type): "type \(type)"
        }
    }
}
