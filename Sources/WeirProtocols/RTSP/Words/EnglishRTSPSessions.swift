extension RTSPWords {
    /// Session outcomes, and the evidence that a flow is media.
    static let englishSessions: [String: String] = [
        "expect.setup": "SETUP in frame {0} negotiated {1}",
        "expect.interleaved": "channel {0}, assigned by the response to SETUP in frame {1}",
        "expect.interleavedUngranted": "channel {0}, not assigned by any captured SETUP",
        "outcome.played": "played for {0} s",
        "outcome.recorded": "recorded for {0} s",
        "outcome.lost": "{0} {0|packet|packets} lost",
        "outcome.reset": "the client reset the connection without TEARDOWN (RST, frame {0})",
        "outcome.resetByServer": "the server reset the connection (RST, frame {0})",
        "outcome.closedWithoutTeardown": "the client closed the connection without TEARDOWN (frame {0})",
        "outcome.serverClosed": "the server closed the connection (frame {0})",
        "outcome.redirected": "no media: {0} returned {1}, redirect to {2}",
        "outcome.status": "no media: {0} returned {1} {2}",
        "outcome.unreachable": "no media reached the client: nothing is listening on {0} (ICMP port unreachable)",
        "outcome.statusEarly": "the capture ends {3} s after {0} returned {1} {2}",
        "outcome.statusUnsure": "{0} returned {1} {2}; a retry may not have been captured",
        "outcome.noDatagrams": "{0} was accepted; the media uses UDP, and no UDP was captured",
        "outcome.acceptedDisordered":
            "{0} was accepted; the capture is not in time order and contains no later media of it",
        "outcome.acceptedEarly": "the capture ends {1} s after {0} was accepted and contains no media of it",
        "outcome.waiting": "the capture ends {2} s after {0} (frame {1}), before its response",
        "outcome.earlyAfter": "the capture ends after {0}, before any media",
        "outcome.lastSeen": "parts of the connection were not captured: no media or request was captured after {0}",
        "outcome.nothingSeen": "the connection was captured, but none of its requests",
        "outcome.cutMedia": "the amount of media received is unknown: packets are cut at the snap length",
        "outcome.playedFaster": "played {0} s of media, sent within {1} s",
        "outcome.recordedFaster": "recorded {0} s of media, sent within {1} s",
        "outcome.fruitless": "PLAY was accepted before without media (frame {0})",
        "outcome.otherAnswer": "no media: {0} (frame {1}) was answered in {2}, not in RTSP (frame {3})",
        "outcome.noAnswer": "no media: {0} (frame {1}) got no response",
        "outcome.recordedNothing": "RECORD was accepted, but no media was captured",
        "outcome.playedNothing": "PLAY was accepted, but no media was captured",
        "outcome.otherProtocol": "PLAY was accepted; the media uses {0}: not RTP; not dissected",
        "outcome.stoppedAfter": "no media: the client stopped after {0}",
        "outcome.controlUnseen": "the setup of the session was not captured, so its media cannot be identified",
        "outcome.acceptedUnseen":
            "{0} was accepted; the setup of the session was not captured, so its media cannot be identified",
        "outcome.acceptedLacking":
            "{0} was accepted; parts of the connection were not captured, nor was any media of it",
        "outcome.nothing": "the connection was opened, but no request was sent",
        "outcome.shared": "its media is multicast: see session {0}",
        "outcome.notTaken":
            "but nothing is listening on {0} (ICMP port unreachable): media sent there did not reach a player",
        "outcome.notListening":
            "nothing is listening on {0} (ICMP port unreachable): media sent there did not reach a player",
        "outcome.unagreed": "media was sent to {0}, which was not negotiated",
        "outcome.damagedFrames":
            "{0} {0|packet|packets} of media missing beside damaged interleaved frames",
        "outcome.missing": "octets of the connection with {0} {0|packet|packets} of media were not captured",
        "outcome.missingOrSkipped":
            "{0} {0|sequence number is|sequence numbers are} missing: lost, or skipped at a pause that was not "
            + "captured",
        "outcome.arrived":
            "{0} {0|packet was|packets were} not captured, but received according to the receiver's reports",
        "outcome.lostOrUnseen":
            "{0} {0|packet is|packets are} missing: lost or not captured (parts of the connection are missing, too)",
        "outcome.noKeyframe": "no key frame in {0} s of video",
        "outcome.mediumAbsent": "no {0} was captured, although it was set up (frame {1})",
        "outcome.silence": "no media for {0} s (until frame {1})",
        "outcome.silentEnd": "no media in the last {0} s",
        "outcome.unknown": "session not found (454 in frame {0}), {1} s after the previous request",
        "outcome.teardownRefused": "TEARDOWN failed with {0} {1}",
        "outcome.resetOnly": "connection reset (RST)",
        "outcome.resetUnsure": "connection reset (RST); a TEARDOWN before it may not have been captured",
        "outcome.closedUnsure": "connection closed; a TEARDOWN before it may not have been captured",
        "outcome.closedBySomebody":
            "connection closed without TEARDOWN; the capture does not show which side closed it",
        "outcome.halfTunnel": "only one half of the HTTP tunnel was captured; media would be in the other",
        "outcome.answerUnseen":
            "parts of the connection were not captured, nor any media or response to {0} (frame {1})",
        "outcome.skipped":
            "{0} sequence {0|number|numbers} skipped at PAUSE or seek",
        "outcome.serverLeft": "the server closed the connection mid-session (frame {0})",
        "outcome.sent": "media was sent for {0} s",
        "phase.negotiate": "Negotiation",
    ]
}
