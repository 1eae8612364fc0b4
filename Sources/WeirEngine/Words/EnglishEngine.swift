extension EngineWords {
    /// Connections, limits, and what a capture lacks.
    static let english: [String: String] = [
        "tcp.connect": "The client opened a TCP connection to the server: SYN, SYN-ACK, ACK.",
        "tcp.refused":
            "The server's host answered the connection attempt with a reset: nothing listens on this port, "
            + "or a firewall rejects it.",
        "tcp.unanswered":
            "The capture holds no answer to it. If nothing answered: a wrong address, a host that is down, or a firewall; "
            + "if something did, only one direction was captured.",
        "tcp.close": "Both sides said that they send no more (FIN).",
        "tcp.reset": "One side broke the connection off (RST); what was on its way is lost.",
        "tcp.gap":
            "These octets were sent, as what follows or an acknowledgement shows, and the capture does not hold them; "
            + "reading goes on at the next message start.",
        "tcp.resent.client": "{0} ms of this passed until the client sent octets of the connection again (frame {1})",
        "tcp.resent.server": "{0} ms of this passed until the server sent octets of the connection again (frame {1})",
        "tcp.resentUnseen.client":
            "{0} ms of this passed until the client sent octets of the connection again (frame {1}) whose first copy was lost "
            + "before it came to the place of capture",
        "tcp.resentUnseen.server":
            "{0} ms of this passed until the server sent octets of the connection again (frame {1}) whose first copy was lost "
            + "before it came to the place of capture",
        "tcp.resentNeedlessly.client":
            "the client sent octets of the connection again (frame {1}) that had come, as the server says (D-SACK, RFC 2883): "
            + "nothing waited for them",
        "tcp.resentNeedlessly.server":
            "the server sent octets of the connection again (frame {1}) that had come, as the client says (D-SACK, RFC 2883): "
            + "nothing waited for them",
        "tcp.noRoom.client":
            "the client had no room for more for {0} s: its receive window was closed from frame {1} on",
        "tcp.noRoom.server":
            "the server had no room for more for {0} s: its receive window was closed from frame {1} on",
        "icmp.unreachable": "The receiving host says that nobody takes packets at {0}; what is sent there is lost.",
        "icmp.undelivered": "A packet to {0} was not delivered, says who sent this: {1}.",
        "icmp.timeExceeded": "A router gave up forwarding a packet to {0}: its hop limit ran out.",
        "decode.tooShort": "{0} at offset {1}: needs {2} {2|octet|octets}, {3} {3|is|are} left",
        "decode.other": "{0} at offset {1}: {2}",
        "expect.decodeAs": "--decode-as said so",
        "expect.supplied": "the description {0} says so (--sdp)",
        "outcome.resent.client": "the client sent octets again, which held it up for {0} ms (frame {1})",
        "outcome.resent.server": "the server sent octets again, which held it up for {0} ms (frame {1})",
        "outcome.resentUnseen.client":
            "octets of the client were lost before the place of capture and sent again, which held it up for {0} ms (frame {1})",
        "outcome.resentUnseen.server":
            "octets of the server were lost before the place of capture and sent again, which held it up for {0} ms (frame {1})",
        "outcome.noRoom.client": "the client had no room for more for {0} s (frame {1})",
        "outcome.noRoom.server": "the server had no room for more for {0} s (frame {1})",
        "outcome.zeroWindow.client":
            "the capture ends {1} s after the client's receive window closed (zero window in frame {0})",
        "outcome.zeroWindow.server":
            "the capture ends {1} s after the server's receive window closed (zero window in frame {0})",
        "cause.receive-window-closed.client":
            "zero window: the client stopped reading in frame {0} and did not resume in the {1} s until the connection ended",
        "cause.receive-window-closed.server":
            "zero window: the server stopped reading in frame {0} and did not resume in the {1} s until the connection ended",
        "time.milliseconds": "{0} ms",
        "time.seconds": "{0} s",
        "cause.likely": "likely cause: {0}",
        "cause.ruledOut": "ruled out: {0}",
        "outcome.open": "still open when the capture ends",
        "outcome.endUnseen": "the capture does not show how it ended",
        "outcome.refused": "the server refused the TCP connection",
        "outcome.unanswered": "the capture holds no answer to {0} TCP connection {0|attempt|attempts}",
        "message.malformed": "These bytes could not be read; the timeline goes on at the next message start.",
        "capture.interfaceLost": "interface {0} went away during the capture: from then on, what it carried is missing",
        "limit.failedConnections":
            "limit reached: of many connections that failed the first ones are shown; {0} further ones are not",
        "limit.memory":
            "limit reached: memory was short (--memory-limit); what was idle longest gave way {0} {0|time|times}",
        "limit.header": "limit reached: {0} headers were longer than is kept",
        "limit.headerFields": "limit reached: {0} messages had more header fields than are kept",
        "limit.expansion":
            "limit reached: {0} compressed messages would have become longer than is kept; they were passed over",
        "limit.body": "limit reached: {0} messages had bodies longer than is kept; they were passed over",
        "limit.descriptionLines": "limit reached: {0} session descriptions had more lines than are read",
        "limit.encapsulations": "limit reached: {0} {0|frame|frames} had more encapsulations than are taken off",
        "limit.gaps":
            "limit reached: too much waited behind missing octets; {0} {0|gap was|gaps were} told before that was certain",
        "limit.lostInterfaces":
            "limit reached: of many interfaces that went away the first ones are named; {0} further ones are not",
        "limit.findings":
            "limit reached: a rule had too many findings in one session; {0} further ones were only counted",
        "limit.openings":
            "limit reached: too many flows opened at once and showed nothing more; the oldest of them was ended {0} {0|time|times}",
        "limit.undecided":
            "limit reached: the protocols of too many flows were unknown at once; {0} of them {0|was|were} given up",
        "limit.flows":
            "limit reached: too many flows were open at once; the one idle longest was ended {0} {0|time|times}",
        "limit.message": "limit reached: an unfinished message grew too long and was given up {0} {0|time|times}",
        "limit.carried":
            "limit reached: {0} {0|conversation|conversations} inside other protocols {0|was|were} recognised late: what was "
            + "said first is not told",
        "limit.sessions": "limit reached: too many sessions were open at once; the oldest was ended {0} {0|time|times}",
        "limit.streams":
            "limit reached: a flow held too many media streams; {0} {0|packet|packets} or messages of further ones were not followed",
        "limit.expectations":
            "limit reached: too many flows were announced at once; {0} {0|announcement was|announcements were} not kept",
        "limit.expectationsAlike":
            "limit reached: too many flows were announced at one endpoint; {0} {0|announcement was|announcements were} not kept",
        "limit.fragments":
            "limit reached: too many fragmented datagrams were incomplete at once; {0} {0|was|were} given up",
        "limit.requests":
            "limit reached: too many requests or setups of a session were open at once; {0} {0|was|were} forgotten",
        "outcome.cut":
            "what happened cannot be told: the snap length cut the messages",
        "phase.connect": "Connect",
        "phase.media": "Media",
        "phase.close": "Close",
        "phase.pause": "Pause",
        "phase.seek": "Seek",
        "advice.rules": "No rule judges: the profile, --rule or --skip-rule leaves none.",
        "advice.subjects":
            "Nothing was judged: nothing in the capture, or in what a filter left of it, is what a rule speaks of.",
        "advice.drops":
            "Packets that were dropped before they could be captured: {0}. Use a larger buffer (--buffer-size, tcpdump -B), "
            + "a narrower filter, a smaller snap length, or a faster disk.",
        "advice.cut": "Packets that were cut by the snap length: {0}. Capture them whole (tcpdump -s 0).",
        "advice.gap":
            "Sessions whose connections lack octets: {0}. Capture at one of the two hosts, or at a port that sees all packets.",
        "advice.disorder":
            "Sessions with packets that others acknowledge before they come: {0}. They are missing, or not in their order: capture "
            + "at one interface, not at several or at all of them (any).",
        "advice.limited":
            "Sessions that were not followed wholly, since a limit was reached: {0}. The summary names it. Analyse a part of the "
            + "capture (--filter), or give more memory (--memory-limit).",
        "advice.oneSided":
            "Sessions of which one direction was captured: {0}. Capture both, without a filter for source or destination.",
        "advice.startsLate": "Sessions that had begun before the capture did: {0}. Start recording first.",
        "advice.endsEarly":
            "Sessions that went on when the capture ended: {0}. Record until they are closed, and a few seconds more.",
        "advice.filtered":
            "Sessions of which a filter kept packets away: {0}. Leave it out, or let it name hosts and no ports.",
        "advice.noMedia":
            "Sessions that agreed upon media of which the capture holds nothing: {0}. Capture UDP, too, not only the port "
            + "of the control connection.",
        "advice.damaged":
            "The file cannot be read to its end: let the recording program end by itself, and copy the whole file.",
        "require.broken": "The profile's requirement of {1} is not met: {0}.",
        "require.unknown": "The capture does not tell {1} of {0}.",
        "require.absent": "The profile requires {1} of {0}, and nothing of the kind is in the capture.",
    ]
}
