extension EngineWords {
    /// Sentences about connections, limits and incomplete captures.
    static let english: [String: String] = [
        "tcp.connect": "TCP three-way handshake completed.",
        "tcp.refused": "Nothing is listening, or a firewall rejects the connection.",
        "tcp.unanswered": "No response captured: host down, firewall or one-way capture.",
        "tcp.close": "Closed by FIN in both directions.",
        "tcp.zeroWindow": "The receive window is 0: the other side has to wait until it is reopened.",
        "tcp.reset": "Connection reset (RST); data in flight is lost.",
        "tcp.gap": "Not captured; dissection resumes at the next message.",
        "tcp.resent.client": "includes {0} ms delay from a TCP retransmission by the client (frame {1})",
        "tcp.resent.server": "includes {0} ms delay from a TCP retransmission by the server (frame {1})",
        "tcp.resentUnseen.client":
            "includes {0} ms delay from a TCP retransmission by the client (frame {1}); lost before the capture point",
        "tcp.resentUnseen.server":
            "includes {0} ms delay from a TCP retransmission by the server (frame {1}); lost before the capture point",
        "tcp.resentNeedlessly.client":
            "spurious TCP retransmission by the client (frame {1}): the server already had the data (D-SACK, RFC 2883)",
        "tcp.resentNeedlessly.server":
            "spurious TCP retransmission by the server (frame {1}): the client already had the data (D-SACK, RFC 2883)",
        "tcp.noRoom.client": "zero window: the client stopped reading for {0} s (from frame {1})",
        "tcp.noRoom.server": "zero window: the server stopped reading for {0} s (from frame {1})",
        "icmp.unreachable": "Nothing is listening on {0}; data sent there is lost.",
        "icmp.undelivered": "A packet to {0} was not delivered: {1}.",
        "icmp.timeExceeded": "A router dropped a packet to {0}: hop limit exceeded.",
        "decode.tooShort": "{0} at offset {1}: needs {2} {2|octet|octets}, {3} {3|is|are} left",
        "decode.other": "{0} at offset {1}: {2}",
        "expect.decodeAs": "set by --decode-as",
        "expect.supplied": "set by the session description {0} (--sdp)",
        "outcome.resent.client": "{0} ms delay from a TCP retransmission by the client (frame {1})",
        "outcome.resent.server": "{0} ms delay from a TCP retransmission by the server (frame {1})",
        "outcome.resentUnseen.client":
            "{0} ms delay from a TCP retransmission by the client (frame {1}); lost before the capture point",
        "outcome.resentUnseen.server":
            "{0} ms delay from a TCP retransmission by the server (frame {1}); lost before the capture point",
        "outcome.noRoom.client": "zero window: the client stopped reading for {0} s (frame {1})",
        "outcome.noRoom.server": "zero window: the server stopped reading for {0} s (frame {1})",
        "outcome.zeroWindow.client":
            "zero window: the client stopped reading in frame {0}, {1} s before the capture ends",
        "outcome.zeroWindow.server":
            "zero window: the server stopped reading in frame {0}, {1} s before the capture ends",
        "cause.receive-window-closed.client":
            "zero window: the client stopped reading in frame {0} and did not resume in the {1} s until the connection ended",
        "cause.receive-window-closed.server":
            "zero window: the server stopped reading in frame {0} and did not resume in the {1} s until the connection ended",
        "time.milliseconds": "{0} ms",
        "time.seconds": "{0} s",
        "cause.likely": "likely cause: {0}",
        "cause.ruledOut": "ruled out: {0}",
        "session.decryptedWith": "decrypted with {0}",
        "outcome.open": "still open when the capture ends",
        "outcome.endUnseen": "the capture does not show how it ended",
        "outcome.refused": "the server refused the TCP connection",
        "outcome.unanswered": "no response to {0} TCP connection {0|attempt|attempts} captured",
        "message.malformed": "Malformed; dissection resumes at the next message.",
        "capture.interfaceLost": "interface {0} disappeared during the capture: its later traffic is missing",
        "limit.heldMessages":
            "limit reached: too many messages of an encrypted connection before its content was recognized; {0} {0|is|are} not shown",
        "limit.failedConnections": "limit reached: too many failed connections; {0} more are not shown",
        "limit.memory":
            "limit reached: out of memory (--memory-limit); the state idle longest was dropped {0} {0|time|times}",
        "limit.header": "limit reached: {0} {0|header|headers} too long, not kept",
        "limit.headerFields": "limit reached: too many header fields in {0} {0|message|messages}; the rest is not kept",
        "limit.expansion": "limit reached: {0} compressed {0|message|messages} too long when decompressed, skipped",
        "limit.body": "limit reached: {0} message {0|body|bodies} too long, skipped",
        "limit.descriptionLines":
            "limit reached: {0} session {0|description|descriptions} with too many lines; the rest is not parsed",
        "limit.encapsulations": "limit reached: {0} {0|frame|frames} with too many encapsulations, not decoded",
        "limit.gaps":
            "limit reached: too much data buffered after missing octets; {0} {0|gap was|gaps were} reported early",
        "limit.lostInterfaces": "limit reached: too many interfaces disappeared; {0} more are not listed",
        "limit.findings": "limit reached: too many findings of a rule in one session; {0} more are only counted",
        "limit.openings":
            "limit reached: too many flows opened without further packets; the oldest was dropped {0} {0|time|times}",
        "limit.undecided":
            "limit reached: too many flows of unknown protocol at once; recognition of {0} was abandoned",
        "limit.flows": "limit reached: too many open flows; the one idle longest was dropped {0} {0|time|times}",
        "limit.message": "limit reached: incomplete message too long, dropped {0} {0|time|times}",
        "limit.carried":
            "limit reached: {0} encapsulated {0|conversation was|conversations were} recognized late; the first "
            + "messages are not listed",
        "limit.sessions": "limit reached: too many open sessions; the oldest was dropped {0} {0|time|times}",
        "limit.streams":
            "limit reached: too many media streams in a flow; {0} {0|packet or message|packets or messages} not "
            + "tracked",
        "limit.expectations":
            "limit reached: too many announced flows; {0} {0|announcement was|announcements were} dropped",
        "limit.expectationsAlike":
            "limit reached: too many flows announced for one endpoint; {0} {0|announcement was|announcements were} "
            + "dropped",
        "limit.fragments": "limit reached: too many incomplete fragmented datagrams; {0} {0|was|were} dropped",
        "limit.requests": "limit reached: too many pending requests or setups in a session; {0} {0|was|were} dropped",
        "outcome.cut": "unknown: the messages are cut at the snap length",
        "phase.connect": "Connection",
        "phase.media": "Media",
        "phase.close": "Closing",
        "phase.pause": "Pause",
        "phase.seek": "Seek",
        "advice.rules": "No rules left to check: the profile, --rule or --skip-rule excludes all.",
        "advice.subjects":
            "Nothing was checked: the capture, or the part selected or filtered, contains nothing that the rules apply to.",
        "advice.drops":
            "Packets dropped before capture: {0}. Use a larger buffer (--buffer-size, tcpdump -B), a narrower filter, "
            + "a smaller snap length, or a faster disk.",
        "advice.cut": "Packets cut at the snap length: {0}. Capture whole packets (tcpdump -s 0).",
        "advice.gap":
            "Sessions with missing octets: {0}. Capture at one of the two hosts, or at a mirror port that sees all "
            + "packets.",
        "advice.disorder":
            "Sessions with packets acknowledged before they appear: {0} (missing or out of order). Capture on one "
            + "interface, not on several or all (any).",
        "advice.limited":
            "Sessions not fully tracked because a limit was reached (see the summary): {0}. Analyze a part of the "
            + "capture (--filter), or allow more memory (--memory-limit).",
        "advice.oneSided":
            "Sessions captured in one direction only: {0}. Capture both, without a source or destination filter.",
        "advice.startsLate": "Sessions that started before the capture: {0}. Start capturing first.",
        "advice.endsEarly":
            "Sessions still open when the capture ended: {0}. Capture until a few seconds after they close.",
        "advice.filtered": "Sessions with filtered packets: {0}. Remove the filter, or filter by host, not by port.",
        "advice.noMedia":
            "Sessions whose negotiated media was not captured: {0}. Capture UDP as well, not only the port of the "
            + "control connection.",
        "advice.damaged": "The file is truncated: let the capture program terminate normally, and copy the whole file.",
        "require.broken": "{0} does not meet the profile's requirement: {1}.",
        "require.unknown": "The capture does not show {1} of {0}.",
        "require.absent": "The profile requires {1} of {0}, but the capture contains none.",
    ]
}
