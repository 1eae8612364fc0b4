import WeirEngine
import WeirPackets

// Why media did not reach a player, or could not be shown, though it was accepted.

extension RTSPSession {
    /// Seconds after PLAY in which the first packet comes (the limit of RTP-NOT-ARRIVED).
    private static let secondsToArrive = 5.0
    /// Seconds that players wait for a key frame before somebody notices.
    private static let secondsToKeyframe = 3.0

    /// What kept media from being shown.
    func mediaCauses() -> [Cause] {
        if let cause = portCause() { return [cause] }
        return [udpCause(), keyframeCause()].compactMap { $0 }
    }

    /// Media that was sent to a port on which nothing is listening.
    private func portCause() -> Cause? {
        guard let endpoint = refusedMedia, let error = marks.refused.first(where: { $0.endpoint == endpoint }) else {
            return nil
        }
        return Cause(
            "port-unreachable", .proved, frames: [error.frame],
            Text("rtsp.cause.port-unreachable", .string(endpoint.description), .integer(error.frame)))
    }

    /// Media over UDP of which nothing came, though the capture has other datagrams.
    private func udpCause() -> Cause? {
        guard isWhole, mediaPackets == 0, !completeness.endsEarly, !completeness.lacksDatagrams, !wasRecording,
            !setups.isEmpty, !hasMulticast, sharesMediaWith == nil, undelivered.isEmpty, failures.unknown == nil,
            setups.allSatisfy({ $0.isRTP && !$0.rtpEndpoints.isEmpty && $0.channels == nil }),
            let accepted = mediaAccepted, let end = hungUp ?? followedUntil,
            let endpoint = setups.first?.rtpEndpoints.first
        else { return nil }
        let seconds = end.seconds(since: accepted.time)
        guard seconds >= Self.secondsToArrive else { return nil }
        return Cause(
            "udp-silence", .likely, frames: [accepted.frame],
            Text(
                "rtsp.cause.udp-silence", .string(endpoint.description), .duration(seconds), .integer(accepted.frame)))
    }

    private func keyframeCause() -> Cause? {
        // What comes behind the end of the capture may be one.
        guard isWhole, let late = marks.keyframe, !(late.isNever && completeness.endsEarly) else { return nil }
        return Cause(
            late.isNever ? "key-frame-never" : "key-frame-late", .proved, frames: [late.frame],
            Text(
                "rtsp.cause.key-frame-\(late.isNever ? "never" : "late")", .duration(late.seconds),
                .integer(late.frame)))
    }

    /// Records that the first stream of a medium had no key frame for seconds. A missing packet may have been one, and with
    /// gradual refresh players need none.
    func noteKeyframes(of stream: MediaStream, medium: Int?) {
        guard marks.keyframe == nil, let medium, setups.indices.contains(medium), setups[medium].mediaPackets == 0,
            let accepted = mediaAccepted, stream.startTime >= accepted.time, acceptedPauses == 0, mediaTurns < 2,
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
