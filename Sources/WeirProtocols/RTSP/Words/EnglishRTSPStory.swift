extension RTSPWords {
    /// Outcomes of sessions, and why a flow is believed to be media.
    static let englishStory: [String: String] = [
        "expect.setup": "SETUP in frame {0} announced {1}",
        "expect.interleaved": "channel {0} was granted by the answer to SETUP in frame {1}",
        "expect.interleavedUngranted": "channel {0} was granted by no SETUP that the capture holds",
        "outcome.played": "played for {0} s",
        "outcome.recorded": "recorded for {0} s",
        "outcome.lost": "{0} {0|packet|packets} lost",
        "outcome.reset": "the client broke the connection off without TEARDOWN (RST, frame {0})",
        "outcome.resetByServer": "the server broke the connection off (RST, frame {0})",
        "outcome.closedWithoutTeardown": "the client closed the connection without TEARDOWN (frame {0})",
        "outcome.serverClosed": "the server closed the connection (frame {0})",
        "outcome.redirected": "no media here: {0} was answered {1}, go on at {2}",
        "outcome.status": "no media: {0} was answered {1} {2}",
        "outcome.unreachable":
            "no media reached the client: its host answered packets to {0} with ICMP port unreachable",
        "outcome.statusEarly": "the capture ends {3} s after {0} was answered {1} {2}",
        "outcome.statusUnsure": "{0} was answered {1} {2}; whether the client asked again, the capture may lack",
        "outcome.noDatagrams": "{0} was accepted; the capture holds no UDP at all, by which the media was to come",
        "outcome.acceptedDisordered":
            "{0} was accepted; no media of it follows in the capture, which is not in the order of time",
        "outcome.acceptedEarly": "the capture ends {1} s after {0} was accepted and shows no media of it",
        "outcome.waiting": "the capture ends {2} s after {0} (frame {1}) without an answer to it",
        "outcome.earlyAfter": "the capture ends after {0}, before any media",
        "outcome.lastSeen": "the capture lacks parts of the connection and shows neither media nor a request after {0}",
        "outcome.nothingSeen": "the capture shows the connection and none of its requests",
        "outcome.cutMedia": "how much media came, the capture does not show: the snap length cut it",
        "outcome.playedFaster": "played {0} s of media, sent within {1} s",
        "outcome.recordedFaster": "recorded {0} s of media, sent within {1} s",
        "outcome.noAnswer": "no media: {0} (frame {1}) was never answered",
        "outcome.recordedNothing": "RECORD was accepted, but the capture shows no media",
        "outcome.playedNothing": "PLAY was accepted, but the capture shows no media",
        "outcome.otherProtocol": "PLAY was accepted; the media travels as {0}, which is not RTP and is not read",
        "outcome.stoppedAfter": "no media: the client went no further than {0}",
        "outcome.controlUnseen": "which media is its own cannot be told: the capture lacks how the session was set up",
        "outcome.acceptedUnseen":
            "{0} was accepted; which media is its own cannot be told: the capture lacks how the session was set up",
        "outcome.acceptedLacking":
            "{0} was accepted; the capture lacks parts of the connection and shows no media of it",
        "outcome.nothing": "the connection was opened, but nothing was asked for",
        "outcome.shared": "its media is multicast and listed with session {0}",
        "outcome.notTaken":
            "but the client's host answered packets to {0} with ICMP port unreachable: what was sent there did not reach a player",
        "outcome.unagreed": "media went to {0}, which was not agreed on",
        "outcome.missing":
            "the capture lacks octets of the connection, with {0} {0|packet|packets} of media in them",
        "outcome.missingOrSkipped":
            "{0} {0|number of the media is|numbers of the media are} missing or skipped at a pause that the capture does not hold",
        "outcome.arrived":
            "{0} {0|packet is|packets are} not in the capture, though the receiver reports that {0|it|they} came",
        "outcome.lostOrUnseen":
            "{0} {0|packet is|packets are} not in the capture, which lacks octets of the connection, too",
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
        "outcome.closedBySomebody":
            "the connection was closed without TEARDOWN; by which side first, the capture does not show",
        "outcome.halfTunnel": "the capture holds only one half of the HTTP tunnel and no media",
        "outcome.answerUnseen":
            "the capture lacks parts of the connection and holds neither media nor an answer to {0} (frame {1})",
        "outcome.skipped":
            "{0} sequence {0|number|numbers} skipped at PAUSE or seek",
        "outcome.serverLeft":
            "the server closed the connection in the middle of it (frame {0})",
        "outcome.sent": "media was sent for {0} s",
        "phase.negotiate": "Negotiate",
    ]
}
