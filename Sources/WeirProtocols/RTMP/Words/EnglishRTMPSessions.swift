extension RTMPWords {
    /// Identification of RTMP peers, and outcomes of RTMP sessions.
    static let englishSessions: [String: String] = [
        "peer.client": "client: {0} ({1})",
        "peer.server": "server: {0} ({1})",
        "outcome.rtmp.published": "published for {0} s",
        "outcome.rtmp.played": "played for {0} s",
        "outcome.rtmp.publishedAtLeast": "published for {0} s or longer: a connection could not be decoded to its end",
        "outcome.rtmp.playedAtLeast": "played for {0} s or longer: a connection could not be decoded to its end",
        "outcome.rtmp.readInPart":
            "whether media arrived is unknown: a connection could not be decoded to its end; the last step decoded is "
            + "{0}",
        "outcome.rtmp.alsoRefused": "another stream was refused: {0}{1} (frame {2})",
        "outcome.rtmp.encrypted": "encrypted after the handshake (RTMPE); not decodable",
        "outcome.rtmp.noS0": "the handshake failed: the server never answered C0 and C1",
        "outcome.rtmp.noS1": "the handshake failed: the server sent S0, but never S1",
        "outcome.rtmp.noC1": "the handshake failed: C1 was never complete",
        "outcome.rtmp.otherAnswer": "the handshake failed: the server answered in {0}, not in RTMP (frame {1})",
        "outcome.rtmp.noC2": "the handshake failed: the client never answered S1 with C2",
        "outcome.rtmp.noS2": "the handshake failed: the server never answered C1 with S2",
        "outcome.rtmp.noConnect": "the handshake is complete, but the client never sent connect",
        "outcome.rtmp.unseen": "the capture contains neither media nor the session setup",
        "outcome.rtmp.oneSided": "the server's answers are unknown: only one direction was captured",
        "outcome.rtmp.oneSidedServer": "the client's requests are unknown: only one direction was captured",
        "outcome.rtmp.lacking":
            "why no media followed is unknown: the capture has gaps and contains no media after {0}",
        "outcome.rtmp.silentEnd": "no media in the last {0} s",
        "outcome.rtmp.early": "the capture ends after {0}, before any media",
        "outcome.rtmp.waiting": "the capture ends {2} s after {0} (frame {1}), before an answer",
        "outcome.rtmp.noTunnel": "the HTTP tunnel was never opened, and no RTMP was sent",
        "outcome.rtmp.connectUnanswered":
            "connect (frame {0}) was never answered; servers that do not know the application do this",
        "outcome.rtmp.connectRefused": "connect was refused: {0}{1} (frame {2})",
        "outcome.rtmp.createRefused": "createStream was refused: {0}{1} (frame {2})",
        "outcome.rtmp.createUnanswered": "createStream (frame {0}) was never answered",
        "outcome.rtmp.stoppedAfter": "connect was accepted; the last step of the client is {0}",
        "outcome.rtmp.nothingAsked": "a message stream was created, but publish or play never followed",
        "outcome.rtmp.publishRefused": "publish was refused: {0}{1} (frame {2})",
        "outcome.rtmp.playRefused": "play was refused: {0}{1} (frame {2})",
        "outcome.rtmp.unanswered": "{0} (frame {1}) was never answered",
        "outcome.rtmp.publishNoMedia": "publish was accepted, but no media was sent",
        "outcome.rtmp.publishDropped":
            "publish was accepted, but the server closed the connection before any media; some servers refuse "
            + "publishers this way",
        "outcome.rtmp.playNoMedia": "play was accepted, but no media arrived: the stream may have no publisher",
        "outcome.rtmp.resetByClient": "the client reset the connection (RST, frame {0})",
        "outcome.rtmp.resetByServer": "the server reset the connection (RST, frame {0})",
        "outcome.rtmp.closedByServer": "the server closed the connection (frame {0})",
        "outcome.rtmp.closedByClient": "the client closed the connection without deleteStream (frame {0})",
        "outcome.rtmp.closedUnsure": "the connection was closed; the capture does not show which side closed it first",
        "outcome.rtmp.leftByClient": "the client closed the connection (frame {0})",
        "phase.handshake": "Handshake",
        "phase.connectCommand": "Connect to the application",
        "phase.createStream": "Create stream",
        "phase.publish": "Publish",
        "phase.play": "Play",
    ]
}
