extension RTMPWords {
    /// What RTMP peers are, and what became of RTMP sessions.
    static let englishStory: [String: String] = [
        "peer.client": "client: {0} ({1})",
        "peer.server": "server: {0} ({1})",
        "outcome.rtmp.published": "published for {0} s",
        "outcome.rtmp.played": "played for {0} s",
        "outcome.rtmp.publishedAtLeast":
            "published for {0} s, and perhaps longer: a connection could not be read to its end",
        "outcome.rtmp.playedAtLeast":
            "played for {0} s, and perhaps longer: a connection could not be read to its end",
        "outcome.rtmp.readInPart":
            "whether media came cannot be told: a connection could not be read to its end; the last that was read is {0}",
        "outcome.rtmp.alsoRefused": "another stream was refused: {0}{1} (frame {2})",
        "outcome.rtmp.encrypted": "what follows the handshake is encrypted (RTMPE) and cannot be read",
        "outcome.rtmp.noS0": "the handshake broke at its second step: the server never answered C0 and C1",
        "outcome.rtmp.noS1": "the handshake broke: the server sent S0, but S1 never came",
        "outcome.rtmp.noC1": "the handshake broke: C1 never came whole",
        "outcome.rtmp.noC2": "the handshake broke: the client never answered S1 with C2",
        "outcome.rtmp.noS2": "the handshake broke: the server never answered C1 with S2",
        "outcome.rtmp.noConnect": "the handshake is complete, but the client never sent connect",
        "outcome.rtmp.unseen": "the capture holds neither media nor how the session was set up",
        "outcome.rtmp.oneSided": "what the server answered cannot be told: the capture holds one direction only",
        "outcome.rtmp.oneSidedServer": "what the client asked for cannot be told: the capture holds one direction only",
        "outcome.rtmp.lacking":
            "why no media came cannot be told: the capture lacks octets and shows no media after {0}",
        "outcome.rtmp.early": "the capture ends after {0}, before any media",
        "outcome.rtmp.waiting": "the capture ends {2} s after {0} (frame {1}) without an answer to it",
        "outcome.rtmp.noTunnel": "the tunnel through HTTP was never opened: no RTMP was spoken in it",
        "outcome.rtmp.connectUnanswered":
            "connect (frame {0}) was never answered: servers do so when they do not know the application",
        "outcome.rtmp.connectRefused": "connect was refused: {0}{1} (frame {2})",
        "outcome.rtmp.createRefused": "createStream was refused: {0}{1} (frame {2})",
        "outcome.rtmp.createUnanswered": "createStream (frame {0}) was never answered",
        "outcome.rtmp.stoppedAfter": "connect was accepted, but the client went no further than {0}",
        "outcome.rtmp.nothingAsked": "a message stream was made, but nothing was published or played on it",
        "outcome.rtmp.publishRefused": "publish was refused: {0}{1} (frame {2})",
        "outcome.rtmp.playRefused": "play was refused: {0}{1} (frame {2})",
        "outcome.rtmp.unanswered": "{0} (frame {1}) was never answered",
        "outcome.rtmp.publishNoMedia": "publish was accepted, but no media was sent",
        "outcome.rtmp.publishDropped":
            "publish was accepted, but the server hung up before any media: some servers refuse a publisher so",
        "outcome.rtmp.playNoMedia": "play was accepted, but no media came: perhaps nobody publishes under this name",
        "outcome.rtmp.resetByClient": "the client broke the connection off (RST, frame {0})",
        "outcome.rtmp.resetByServer": "the server broke the connection off (RST, frame {0})",
        "outcome.rtmp.closedByServer": "the server closed the connection (frame {0})",
        "outcome.rtmp.closedByClient": "the client closed the connection without deleteStream (frame {0})",
        "outcome.rtmp.closedUnsure": "the connection was closed; the capture does not show by which side first",
        "outcome.rtmp.leftByClient": "the client closed the connection (frame {0})",
        "phase.handshake": "Handshake",
        "phase.connectCommand": "Connect to the application",
        "phase.createStream": "Create stream",
        "phase.publish": "Publish",
        "phase.play": "Play",
    ]
}
