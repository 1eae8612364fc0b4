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
struct UnitTrack: Hashable {
    var messageStreamID: UInt32
    var trackID: UInt8 = 0
}
