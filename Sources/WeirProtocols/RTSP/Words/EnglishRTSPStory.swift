extension RTSPWords {
    /// Outcomes of sessions, and why a flow is believed to be media.
    static let englishStory: [String: String] = [
        "expect.setup": "SETUP in frame {0} announced {1}",
        "expect.interleaved": "channel {0} was granted by the answer to SETUP in frame {1}",
        "expect.interleavedUngranted": "channel {0} was granted by no SETUP that the capture holds",
        "outcome.played": "played for {0} s",
        "outcome.recorded": "recorded for {0} s",
        "outcome.lost": "{0} packets lost",
        "outcome.reset": "ended by a TCP reset, without TEARDOWN",
        "outcome.closedWithoutTeardown": "the connection was closed without TEARDOWN",
        "outcome.redirected": "no media here: {0} was answered {1}, go on at {2}",
        "outcome.status": "no media: {0} was answered {1} {2}",
        "outcome.unreachable":
            "no media reached the client: its host answered packets to {0} with ICMP port unreachable",
        "outcome.noAnswer": "no media: {0} (frame {1}) was never answered",
        "outcome.recordedNothing": "RECORD was accepted, but the capture shows no media",
        "outcome.playedNothing": "PLAY was accepted, but the capture shows no media",
        "outcome.otherProtocol": "PLAY was accepted; the media travels as {0}, which is not RTP and is not read",
        "outcome.stoppedAfter": "no media: the client went no further than {0}",
        "outcome.controlUnseen": "no media, and the capture does not hold how the session was set up",
        "outcome.nothing": "the connection was opened, but nothing was asked for",
        "outcome.shared": "its media is multicast and listed with session {0}",
        "outcome.notTaken":
            "but the client's host answered packets to {0} with ICMP port unreachable: what was sent there did not reach a player",
        "outcome.missing":
            "{0} packets missing, as the capture lacks octets of the connection",
        "outcome.lostOrUnseen":
            "{0} packets missing, lost on the way or by the capture, which lacks octets of the connection, too",
        "outcome.silence": "no media for {0} s (until frame {1})",
        "outcome.silentEnd": "no media in the last {0} s",
        "outcome.unknown":
            "the server no longer knew the session (454 in frame {0}), {1} s after the request before",
        "outcome.teardownRefused": "TEARDOWN was refused with {0} {1}",
        "outcome.resetOnly": "ended by a TCP reset",
        "outcome.resetUnsure":
            "ended by a TCP reset; whether TEARDOWN was sent before, the capture does not show",
        "outcome.closedUnsure":
            "the connection was closed; whether TEARDOWN was sent before, the capture does not show",
        "outcome.halfTunnel": "no media: the capture holds only one half of the HTTP tunnel",
        "outcome.answerUnseen":
            "no media, and the capture, which lacks parts of the connection, holds no answer to {0} (frame {1})",
        "outcome.skipped":
            "{0} sequence numbers skipped, no more than servers skip at PAUSE or seek",
        "outcome.serverLeft":
            "the server closed the connection in the middle of it (frame {0})",
        "outcome.sent": "media was sent for {0} s",
        "phase.negotiate": "Negotiate",
    ]
}
