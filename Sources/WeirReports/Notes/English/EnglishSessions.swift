extension Strings {
    /// Connections, outcomes, and why a flow is believed to be media.
    static let englishSessions: [String: String] = [
        "tcp.connect": "The client opened a TCP connection to the server: SYN, SYN-ACK, ACK.",
        "tcp.refused":
            "The server's host answered the connection attempt with a reset: nothing listens on this port, "
            + "or a firewall rejects it.",
        "tcp.unanswered": "The connection attempts met silence: wrong address, host down, or a firewall drops them.",
        "tcp.close": "Both sides said that they send no more (FIN).",
        "tcp.reset": "One side broke the connection off (RST); what was on its way is lost.",
        "tcp.gap":
            "The receiver acknowledged these octets, but the capture does not hold them; reading goes on at "
            + "the next message start.",
        "icmp.unreachable": "The receiving host says that nobody takes packets at {0}; what is sent there is lost.",
        "icmp.timeExceeded": "A router gave up forwarding a packet to {0}: its hop limit ran out.",
        "expect.setup": "SETUP in frame {0} announced {1}",
        "expect.decodeAs": "--decode-as said so",
        "expect.heuristic":
            "not announced by any signalling seen; recognised in frame {1}, by {0} packets with consecutive sequence "
            + "numbers and one SSRC",
        "expect.interleaved": "channel {0} was granted by the answer to SETUP in frame {1}",
        "expect.interleavedUngranted": "channel {0} was granted by no SETUP that the capture holds",
        "rtp.start.announced": "The first media packet. Its sequence number is the one that RTP-Info announced.",
        "outcome.played": "played for {0} s",
        "outcome.recorded": "recorded for {0} s",
        "outcome.lost": "{0} packets lost",
        "outcome.reset": "ended by a TCP reset, without TEARDOWN",
        "outcome.closedWithoutTeardown": "the connection was closed without TEARDOWN",
        "outcome.open": "still open when the capture ends",
        "outcome.redirected": "no media here: {0} was answered {1}, go on at {2}",
        "outcome.refused": "the server refused the TCP connection",
        "outcome.unanswered": "the server did not answer {0} TCP connection attempts",
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
        "message.malformed": "These bytes could not be read; the timeline goes on at the next message start.",
        "capture.interfaceLost": "interface {0} went away during the capture: from then on, what it carried is missing",
        "limit.failedConnections":
            "limit reached: of many connections that failed the first ones are shown; {0} further ones are not",
        "limit.lostInterfaces":
            "limit reached: of many interfaces that went away the first ones are named; {0} further ones are not",
        "limit.findings":
            "limit reached: a rule had too many findings in one session; {0} further ones were only counted",
        "limit.openings":
            "limit reached: too many flows opened at once and showed nothing more; the oldest of them was ended {0} times",
        "limit.undecided":
            "limit reached: the protocols of too many flows were unknown at once; {0} of them were given up",
        "limit.flows": "limit reached: too many flows were open at once; the one idle longest was ended {0} times",
        "limit.message": "limit reached: an unfinished message grew too long and was given up {0} times",
        "limit.sessions": "limit reached: too many sessions were open at once; the oldest was ended {0} times",
        "limit.streams":
            "limit reached: a flow held too many media streams; {0} packets or messages of further ones were not followed",
        "rtcp.broken": "The rest of these octets could not be read as RTCP: {0}",
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
        "outcome.cut":
            "what happened cannot be told: the snap length cut the messages",
        "outcome.sent": "media was sent for {0} s",
        "limit.expectations":
            "limit reached: too many flows were announced at once; {0} announcements were not kept",
        "limit.fragments":
            "limit reached: too many fragmented datagrams were incomplete at once; {0} were given up",
        "limit.statuses": "limit reached: a message stream had too many statuses; {0} were shown but not kept",
        "limit.oddMessages":
            "limit reached: too many media messages had something odd in their chunks; {0} further ones were not shown",
        "limit.requests":
            "limit reached: too many requests or setups of a session were open at once; {0} were forgotten",
    ]
}
