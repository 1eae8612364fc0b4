import WeirEngine
import WeirPackets

/// What enhanced RTMP writes behind the first octet of an audio or video message: modifiers, tracks, the codec's name
/// (E-RTMP v2 "Enhanced Audio", "Enhanced Video").
public struct EnhancedHeader: Sendable, Hashable {
    /// How a message holds several tracks.
    public enum Multitrack: Sendable, Hashable {
        /// One track, with its number, 0.
        case one
        /// Tracks of one codec, 1.
        case many
        /// Tracks, each with its own codec, 2.
        case manyCodecs
        /// A number that the specification reserves.
        case unknown(UInt8)
    }

    /// A modifier or extension of the message, which has no effect on those who do not know it.
    public struct Modifier: Sendable, Hashable {
        /// Its type; 0 is a time in nanoseconds to add to the timestamp.
        public var type: UInt8
        /// Octets of its data.
        public var octets: Int
    }

    /// One track of a message.
    public struct Track: Sendable, Hashable {
        /// Its number; 0 is the default track.
        public var id: UInt8
        /// Its codec.
        public var fourCC: FourCC
        /// Octets of its data as announced; nil where it is all the rest of the message.
        public var octets: Int?
        /// Where its data begins in the message.
        var offset: Int

        /// Where its data ends in a message of `length` octets.
        func end(in length: Int) -> Int { octets.map { min(length, offset &+ $0) } ?? length }
    }

    /// The modifiers, in order.
    public private(set) var modifiers: [Modifier] = []
    /// Nanoseconds to add to the timestamp, from the modifier of type 0.
    public private(set) var nanoseconds: UInt32?
    /// How tracks are told apart; nil for a message without track numbers.
    public private(set) var multitrack: Multitrack?
    /// The codec of the message; nil where each track has its own, and in a command.
    public private(set) var fourCC: FourCC?
    /// The tracks; empty for a message without track numbers.
    public private(set) var tracks: [Track] = []
    /// The type of packet, of all tracks.
    private(set) var packetType: UInt8
    /// Whether more tracks follow than are kept of the message.
    private(set) var lacksTracks = false

    private static let modEx: UInt8 = 7

    /// Reads what is behind the first octet, `type` being the packet type in that.
    ///
    /// - Parameters:
    ///   - multitrackType: the packet type that says that tracks follow: 5 of audio, 6 of video.
    ///   - messageLength: octets of the whole message, of which the reader may have only the beginning.
    ///   - isCommand: whether the message is a command unless it is metadata: then no codec follows.
    ///   - most: tracks that are read of one message.
    @_lifetime(reader: copy reader)
    init(
        _ reader: inout ByteReader, type: UInt8, multitrackType: UInt8, messageLength: Int, isCommand: Bool,
        most: Int = 256
    ) throws(DecodeError) {
        packetType = type
        // Each modifier ends with the type that follows it, which can be a further modifier.
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

    /// The header as if only this of its tracks were in the message.
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
            // The data of all but the last track may be more than is kept of the message.
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
    /// How many tracks there are, or which one it is, as words behind a codec; empty without track numbers.
    var trackWords: Wording {
        tracks.count > 1 ? " (\(tracks.count) tracks)" : tracks.first.map { " (track \($0.id))" } ?? ""
    }

    /// Members of the report's `fields`; with several sequence headers, each stands with its track.
    ///
    /// - Parameter details: further members for each track, in their order.
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
    /// As in the report's `multitrack`.
    public var name: String {
        switch self {
        case .one: "oneTrack"
        case .many: "manyTracks"
        case .manyCodecs: "manyTracksManyCodecs"
        case .unknown(let type): "type \(type)"
        }
    }
}
