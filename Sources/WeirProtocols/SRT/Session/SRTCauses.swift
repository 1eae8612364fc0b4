import WeirEngine
import WeirPackets

extension SRTSession {
    /// A side that fell silent in an established connection, without closing it.
    var silent: SRTSilence.Found? {
        guard setup.isEstablished, let found = silence.found else { return nil }
        // After its shutdown, a side has nothing to send.
        let side: Direction = found.isClient ? .clientToServer : .serverToClient
        return shutdown?.direction == side ? nil : found
    }

    /// Codes by which a server refuses a stream ID: bad request, not found, bad mode, conflict.
    private static let streamReasons: Set<UInt32> = [2_400, 2_404, 2_405, 2_409]
    /// Codes of a wrong or missing passphrase.
    private static let secretReasons: Set<UInt32> = [1_010, 1_011]

    /// Why the connection failed, or its data came too late.
    var foundCauses: [Cause] {
        if let rejection = setup.rejection { return [cause(rejection)] }
        if let failure = setup.keyFailure, failure.state != .badCryptoMode {
            return [
                Cause("srt-wrong-passphrase", .proved, frames: [failure.frame], Text("cause.srt-wrong-passphrase"))
            ]
        }
        if let gone { return [gone] }
        if hasNoConclusion { return [unconcluded] }
        if let incomplete { return [incomplete] }
        guard hasNoAnswer else {
            return [sending.client, sending.server].compactMap { $0.flatMap(lateRepair) }
                + (silent.map { [$0.cause] } ?? [])
        }
        if let refusal {
            return [
                Cause(
                    "srt-no-answer", .proved, frames: [setup.firstInduction, refusal.frame],
                    Text("cause.srt-no-listener", .string(refusal.endpoint.description)))
            ]
        }
        return [
            Cause(
                "srt-no-answer", .proved, frames: [setup.firstInduction, setup.lastInduction],
                Text("cause.srt-no-answer"))
        ]
    }

    /// The cause if the listener answers no conclusion request. A listener of libsrt takes only packets to socket ID 0 for
    /// handshakes, although the draft requires the socket ID of the induction response (§4.3.1.2).
    private var unconcluded: Cause {
        let requests = setup.conclusions
        if let refusal {
            return Cause(
                "srt-no-answer", .proved, frames: [requests.firstFrame, refusal.frame],
                Text("cause.srt-no-listener", .string(refusal.endpoint.description)))
        }
        let frames = [requests.firstFrame, requests.lastFrame]
        guard let socket = requests.destination, socket != 0 else {
            return Cause("srt-no-answer", .proved, frames: frames, Text("cause.srt-no-conclusion"))
        }
        return Cause(
            "srt-no-answer", .likely, frames: frames, Text("cause.srt-no-conclusion-addressed", .string("\(socket)")))
    }

    /// Seconds after a response in which the caller closes the connection because of it.
    private static let promptly = 1.0

    /// The cause if the caller closed the connection right after a conclusion response without the handshake extension.
    private var incomplete: Cause? {
        guard !setup.isEstablished, !setup.isRendezvous, !setup.hasOthers, !completeness.hasDrops,
            let bare = setup.conclusions.bare, let shutdown, shutdown.direction == .clientToServer,
            shutdown.frame > bare.frame, shutdown.time.seconds(since: bare.time) < Self.promptly
        else { return nil }
        return Cause(
            "srt-incomplete-response", .likely, frames: [bare.frame, shutdown.frame],
            Text("cause.srt-incomplete-response"))
    }

    /// Returns the cause if a side ended without closing the connection: its host reports that its port is closed, while
    /// the other side goes on.
    private var gone: Cause? {
        guard setup.isEstablished, let refusal, shutdown.map({ $0.frame > refusal.frame }) ?? true,
            let last = silence.lastFrame(of: refusal.endpoint), last < refusal.frame
        else { return nil }
        return Cause(
            "srt-peer-idle", .proved, frames: [last, refusal.frame],
            Text("cause.srt-peer-gone", .string(refusal.endpoint.description), .integer(refusal.frame), .integer(last)))
    }

    private func cause(_ rejection: (code: UInt32, frame: Int)) -> Cause {
        if Self.secretReasons.contains(rejection.code) {
            return Cause(
                "srt-wrong-passphrase", .proved, frames: [rejection.frame], Text("cause.srt-wrong-passphrase"))
        }
        guard Self.streamReasons.contains(rejection.code), setup.request?.streamID != nil else {
            return Cause("srt-rejected", .proved, frames: [rejection.frame], Text("cause.srt-rejected"))
        }
        let isMalformed = setup.request?.streamID?.isMalformed == true
        return Cause(
            "srt-stream-id", .proved, frames: [setup.requestFrame, rejection.frame].compactMap(\.self),
            Text(
                isMalformed ? "cause.srt-stream-id-syntax" : "cause.srt-stream-id",
                .string(SRTHandshake.reason(rejection.code))))
    }

    /// Returns the cause of retransmissions that come too late: a latency below what they take.
    private func lateRepair(_ stream: SRTStream) -> Cause? {
        let recovery = stream.recovery
        let late = max(recovery.late, recovery.skipped)
        guard late > 0, let latency = stream.latency, let delay = recovery.delay.milliseconds,
            delay.mean > Double(latency)
        else { return nil }
        return Cause(
            "srt-latency-too-low", .proved,
            frames: [recovery.firstSkipped, recovery.firstLate].compactMap(\.self).sorted(),
            Text(
                "cause.srt-latency-too-low", .integer(latency), .string(rounded(delay.mean, places: 0)), .integer(late))
        )
    }
}
