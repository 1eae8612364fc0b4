import WeirEngine
import WeirPackets

/// How long the lengths in front of NAL units are, which messages with several tracks say of each.
extension RTMPChunkReader {
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
