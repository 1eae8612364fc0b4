import WeirPackets

/// The commands and data messages that are distinguished, by name. Comparing names takes longer.
enum RTMPCommandKind: String, CaseIterable, Sendable {
    case connect
    case result = "_result"
    case error = "_error"
    case onStatus
    case createStream
    case publish
    case play
    case play2
    case pause
    case seek
    case deleteStream
    case closeStream
    case receiveAudio
    case receiveVideo
    case releaseStream
    case fcPublish = "FCPublish"
    case fcUnpublish = "FCUnpublish"
    case fcSubscribe = "FCSubscribe"
    case fcUnsubscribe = "FCUnsubscribe"
    case onFCPublish
    case onFCUnpublish
    case onFCSubscribe
    case getStreamLength
    case checkBandwidth = "_checkbw"
    case onBWDone
    case setPlaylist = "set_playlist"
    case onMetaData
    case setDataFrame = "@setDataFrame"

    /// The kinds with names of each length.
    private static let byLength: [[(octets: [UInt8], kind: Self)]] = {
        let all = allCases.map { (octets: Array($0.rawValue.utf8), kind: $0) }
        let longest = all.map(\.octets.count).max() ?? 0
        return (0...longest).map { length in all.filter { $0.octets.count == length } }
    }()

    /// Returns the kind with a name, or nil for all other names.
    init?(name: String) {
        let kinds = Self.byLength
        let found = name.withOctets { octets -> Self? in
            guard octets.count < kinds.count else { return nil }
            for (known, kind) in kinds[octets.count] {
                var index = 0
                while index < known.count, known[index] == octets[index] { index &+= 1 }
                if index == known.count { return kind }
            }
            return nil
        }
        guard let found else { return nil }
        self = found
    }

    /// Whether it answers another command.
    var isAnswer: Bool {
        switch self {
        case .result, .error, .onStatus: true
        default: false
        }
    }

    /// Whether it contains the name of a stream.
    var hasStreamName: Bool {
        switch self {
        case .publish, .play, .play2, .releaseStream, .fcPublish, .fcUnpublish, .fcSubscribe, .fcUnsubscribe,
            .getStreamLength, .onFCPublish, .onFCUnpublish, .onFCSubscribe, .setPlaylist:
            true
        default: false
        }
    }

    /// Whether `onStatus` answers it, instead of a result with its transaction ID.
    var isAnsweredByStatus: Bool {
        switch self {
        case .publish, .play, .play2, .pause, .seek: true
        default: false
        }
    }

    /// Whether only some servers answer it.
    var isUnansweredByHabit: Bool {
        switch self {
        case .releaseStream, .fcPublish, .fcUnpublish, .fcSubscribe, .fcUnsubscribe, .deleteStream, .closeStream,
            .checkBandwidth, .onBWDone, .onFCPublish, .onFCUnpublish, .onFCSubscribe, .getStreamLength, .receiveAudio,
            .receiveVideo, .play2:
            true
        default: false
        }
    }

    /// Whether it is a command on a message stream, with transaction ID 0 (RTMP §7.2.2.1 to §7.2.2.8).
    var isStreamCommand: Bool {
        switch self {
        case .publish, .play, .play2, .pause, .seek, .deleteStream, .receiveAudio, .receiveVideo: true
        default: false
        }
    }

    /// Whether it is an extension, outside the specification.
    var isExtension: Bool {
        switch self {
        case .releaseStream, .fcPublish, .fcUnpublish, .checkBandwidth, .onBWDone, .getStreamLength, .onFCPublish,
            .onFCUnpublish, .fcSubscribe:
            true
        default: false
        }
    }
}
