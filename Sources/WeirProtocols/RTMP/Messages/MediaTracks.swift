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

extension RTMPChunkReader {
    /// Message stream and track, by which sizes of lengths are remembered.
    struct UnitTrack: Hashable {
        var messageStreamID: UInt32
        var trackID: UInt8 = 0
    }

    /// Follows the NAL units of a message whose octets are all in `bytes`: of one with several tracks, or one that came
    /// in an aggregate message.
    func followUnits(of message: inout RTMPMessage, _ bytes: RawSpan) {
        guard !message.isCut, case .video(var video?) = message.payload else { return }
        let stream = message.messageStreamID
        let sizes = unitLengthOctets
        video.follow(bytes) { sizes[UnitTrack(messageStreamID: stream, trackID: $0)] ?? 4 }
        message.payload = .video(video)
    }

    /// Says when not all tracks of a message were read.
    func remarkOnTracks(of message: RTMPMessage, _ outlet: Outlet) {
        let (lacks, count) =
            switch message.payload {
            case .video(let video?): (video.enhanced?.lacksTracks == true, video.parts.count)
            case .audio(let audio?): (audio.enhanced?.lacksTracks == true, audio.parts.count)
            default: (false, 0)
            }
        guard lacks, !streams[current].hasHole else { return }
        outlet.remark(Remark(Text("rtmp.remark.tracks", .integer(count))))
    }

    /// Remembers how long the lengths in front of NAL units are, as the sequence headers of a message say.
    mutating func learnUnits(_ video: VideoTag, _ messageStreamID: UInt32) {
        for tag in video.parts.isEmpty ? [video] : video.parts {
            guard let octets = tag.configuration?.lengthOctets else { continue }
            let track = UnitTrack(messageStreamID: messageStreamID, trackID: tag.trackID ?? 0)
            if unitLengthOctets[track] != nil || unitLengthOctets.count < limits[RTMPLimits.self].chunkStreams {
                unitLengthOctets[track] = octets
            }
        }
    }
}
