import WeirEngine
import WeirPackets

// Causes of accepted media not reaching the player or not being playable.

extension RTSPSession {
    /// Time from PLAY within which the first packet should arrive, in seconds (the limit of RTP-NOT-ARRIVED).
    private static let secondsToArrive = 5.0
    /// Time without a key frame that becomes noticeable, in seconds.
    private static let secondsToKeyframe = 3.0

    /// Returns the causes that prevented playback.
    func mediaCauses() -> [Cause] {
        if let cause = portCause() { return [cause] }
        return [channelCause() ?? udpCause(), keyframeCause()].compactMap { $0 }
    }

    /// Returns the cause if all media is interleaved on channels that were not assigned.
    private func channelCause() -> Cause? {
        guard isWhole, let media = misplacedMedia, let setup = setups.first(where: { $0.channels != nil }),
            let channels = setup.channels
        else { return nil }
        return Cause(
            "other-channel", .likely, frames: [setup.answerFrame, media.frame],
            Text(
                "rtsp.cause.other-channel", .integer(media.channel), .integer(media.frame),
                .string("\(channels.lowerBound)–\(channels.upperBound)")))
    }

    /// Returns the cause if media was sent to a port on which nothing is listening.
    private func portCause() -> Cause? {
        guard let endpoint = refusedMedia, let error = marks.refused.first(where: { $0.endpoint == endpoint }) else {
            return nil
        }
        if let setup = setups.first(where: { $0.rtpEndpoints.contains(endpoint) }), let other = setup.unrequestedPort {
            return Cause(
                "port-unreachable", .proved, frames: [setup.requestFrame, setup.answerFrame, error.frame],
                Text(
                    "rtsp.cause.port-unreachable.unrequested", .string(endpoint.description), .integer(error.frame),
                    .integer(setup.answerFrame), .integer(other.granted), .integer(other.requested)))
        }
        return Cause(
            "port-unreachable", .proved, frames: [error.frame],
            Text("rtsp.cause.port-unreachable", .string(endpoint.description), .integer(error.frame)))
    }

    /// Returns the cause if no media arrived over UDP, although other datagrams are captured.
    private func udpCause() -> Cause? {
        guard isWhole, mediaPackets == 0, !completeness.endsEarly, !completeness.lacksDatagrams, !wasRecording,
            !setups.isEmpty, !hasMulticast, sharesMediaWith == nil, undelivered.isEmpty, failures.unknown == nil,
            setups.allSatisfy({ $0.isRTP && !$0.rtpEndpoints.isEmpty && $0.channels == nil }),
            let accepted = mediaAccepted, let end = closeTime ?? followedUntil,
            let endpoint = setups.first?.rtpEndpoints.first
        else { return nil }
        let seconds = end.seconds(since: accepted.time)
        guard seconds >= Self.secondsToArrive else { return nil }
        return Cause(
            "udp-silence", .likely, frames: [accepted.frame],
            Text(
                "rtsp.cause.udp-silence", .string(endpoint.description), .duration(seconds), .integer(accepted.frame)))
    }

    /// Whether a missing or late key frame is a cause.
    var hasKeyframeCause: Bool { keyframeCause() != nil }

    /// Time without any key frame that is worth a line in the outcome, in seconds: longer than usual intervals.
    private static let secondsOfKeyless = 10.0

    /// Records a video stream without any key frame. A missing packet may have contained one, and gradual decoder
    /// refresh needs none.
    func noteKeyless(_ stream: MediaStream) {
        let seconds = stream.endTime.seconds(since: stream.startTime)
        guard stream.canHaveKeyframes, stream.keyframes.first == nil, stream.integrity.firstEntry == nil,
            stream.mainFormat?.isEncrypted != true, stream.sequence.missing == 0, seconds >= Self.secondsOfKeyless
        else { return }
        marks.keyless = max(marks.keyless ?? 0, seconds)
    }

    private func keyframeCause() -> Cause? {
        // A key frame may follow the end of the capture.
        guard isWhole, let late = marks.keyframe, !(late.isNever && completeness.endsEarly) else { return nil }
        return Cause(
            late.isNever ? "key-frame-never" : "key-frame-late", .proved, frames: [late.frame],
            Text(
                "rtsp.cause.key-frame-\(late.isNever ? "never" : "late")", .duration(late.seconds),
                .integer(late.frame)))
    }

    /// Records that the first stream of a medium had no key frame for seconds. A missing packet may have contained one,
    /// and gradual decoder refresh needs none.
    func noteKeyframes(of stream: MediaStream, medium: Int?) {
        guard marks.keyframe == nil, let medium, setups.indices.contains(medium), setups[medium].mediaPackets == 0,
            let accepted = mediaAccepted, stream.startTime >= accepted.time, acceptedPauses == 0,
            mediaTurns < firstTurn + 2,
            stream.canHaveKeyframes, stream.mainFormat?.isEncrypted != true, stream.sequence.missing == 0,
            stream.keyframes.first != nil || stream.integrity.firstEntry == nil
        else { return }
        let first = [stream.keyframes.first, stream.integrity.firstEntry].compactMap { $0 }.min()
        let seconds = (first ?? stream.endTime).seconds(since: stream.startTime)
        guard seconds >= Self.secondsToKeyframe else { return }
        marks.keyframe = RTSPCauseMarks.MissingKeyframe(
            seconds: seconds, isNever: first == nil, frame: stream.firstFrame)
    }
}
