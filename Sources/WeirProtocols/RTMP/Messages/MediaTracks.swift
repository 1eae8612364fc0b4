import WeirEngine
import WeirPackets

// Messages of enhanced RTMP with several tracks.

extension RTMPMessage {
    /// Whether it is audio or video of several tracks (E-RTMP v2 "Multitrack Streaming via Enhanced RTMP").
    package var hasSeveralTracks: Bool {
        switch payload {
        case .video(let video?): !video.parts.isEmpty
        case .audio(let audio?): !audio.parts.isEmpty
        default: false
        }
    }

    /// Each of its tracks, as if it had come in a message of its own; empty when there is only one. Its length is that
    /// of the track's data.
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

/// Message stream and track, by which sizes of lengths are remembered.
struct UnitTrack: Hashable {
    var messageStreamID: UInt32
    var trackID: UInt8 = 0
}
