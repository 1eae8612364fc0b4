import WeirEngine
import WeirPackets

// Enhanced RTMP multitrack messages.

extension RTMPMessage {
    /// Whether it is audio or video with several tracks (E-RTMP v2 "Multitrack Streaming via Enhanced RTMP").
    package var hasSeveralTracks: Bool {
        switch payload {
        case .video(let video?): !video.parts.isEmpty
        case .audio(let audio?): !audio.parts.isEmpty
        default: false
        }
    }

    /// Each track as a separate message with the length of the track data; empty for a single track.
    package var tracks: [RTMPMessage] {
        switch payload {
        case .video(let video?):
            video.parts.map { alone(.video($0), $0.enhanced?.tracks.first?.octets) }
        case .audio(let audio?):
            audio.parts.map { alone(.audio($0), $0.enhanced?.tracks.first?.octets) }
        default: []
        }
    }

    private func alone(_ payload: RTMPPayload, _ octets: Int?) -> RTMPMessage {
        var message = self
        message.payload = payload
        message.length = octets ?? length
        return message
    }
}

/// The message stream and track for which a NAL unit length size is stored.
struct UnitTrack: Equatable {
    var messageStreamID: UInt32
    var trackID: UInt8 = 0
}

/// The size of the NAL unit length field by track, in octets, from the latest sequence header. A list, since a connection
/// has few tracks, and each video message needs it.
struct UnitLengths {
    private var known: [(track: UnitTrack, octets: Int)] = []

    /// Returns the size for a track.
    subscript(_ track: UnitTrack) -> Int? {
        for index in known.indices where known[index].track == track { return known[index].octets }
        return nil
    }

    /// Stores the size for a track, unless `most` other ones are stored.
    mutating func record(_ octets: Int, of track: UnitTrack, most: Int) {
        if let index = known.firstIndex(where: { $0.track == track }) {
            known[index].octets = octets
        } else if known.count < most {
            known.append((track, octets))
        }
    }
}
