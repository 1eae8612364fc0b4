import WeirEngine
import WeirPackets

/// The size of NAL unit length fields, which multitrack messages define per track.
extension RTMPChunkReader {
    /// Tracks the NAL units of a message entirely in `bytes`: a multitrack message, or one from an aggregate.
    func followUnits(of message: inout RTMPMessage, _ bytes: RawSpan) {
        guard !message.isCut, case .video(var video?) = message.payload else { return }
        let stream = message.messageStreamID
        let sizes = unitLengths
        video.follow(bytes) { sizes[UnitTrack(messageStreamID: stream, trackID: $0)] ?? 4 }
        message.payload = .video(video)
    }

    /// Reports that not all tracks of a message were parsed.
    func remarkOnTracks(of message: RTMPMessage, _ outlet: Outlet) {
        let (lacks, count) =
            switch message.payload {
            case .video(let video?): (video.enhanced?.lacksTracks == true, video.parts.count)
            case .audio(let audio?): (audio.enhanced?.lacksTracks == true, audio.parts.count)
            default: (false, 0)
            }
        guard lacks, !streams[current].hasUnfilledGap else { return }
        outlet.remark(Remark(Text("rtmp.remark.tracks", .integer(count))))
    }

    /// Stores the size of NAL unit length fields from the sequence headers of a message.
    mutating func recordUnitLengths(_ video: VideoTag, _ messageStreamID: UInt32) {
        for tag in video.parts.isEmpty ? [video] : video.parts {
            guard let octets = tag.configuration?.lengthOctets else { continue }
            let track = UnitTrack(messageStreamID: messageStreamID, trackID: tag.trackID ?? 0)
            unitLengths.record(octets, of: track, most: limits[RTMPLimits.self].chunkStreams)
        }
    }
}
