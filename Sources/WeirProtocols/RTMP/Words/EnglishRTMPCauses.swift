extension RTMPWords {
    /// Causes of failed sessions.
    static let englishCauses: [String: String] = [
        "rtmp.cause.other-protocol": "the server speaks {0} on this port, not RTMP (frame {1})",
        "rtmp.cause.side.client": "the client",
        "rtmp.cause.side.server": "the server",
        "rtmp.cause.refused": "{1} ({0} in frame {2})",
        "rtmp.reason.badName": "the stream name is in use or not allowed",
        "rtmp.reason.noStream": "no stream has this name",
        "rtmp.reason.noApplication": "the server has no such application",
        "rtmp.reason.rejected": "the server does not accept this application, URL or client",
        "rtmp.reason.credentials": "the server requires a username and password",
        "rtmp.reason.other": "the server returned an error",
        "rtmp.cause.publish-refused.ruledOut": "a refusal by status: publish was accepted in frame {0}",
        "rtmp.cause.play-refused.ruledOut": "a refusal by status: play was accepted in frame {0}",
        "rtmp.cause.chunk-size-of-peer.client":
            "the client uses the server's chunk size: Set Chunk Size {0} in frame {1} applies to the server's own direction, "
            + "and the client sends {2} octets in one chunk (frame {3})",
        "rtmp.cause.chunk-size-of-peer.server":
            "the server uses the client's chunk size: Set Chunk Size {0} in frame {1} applies to the client's own direction, "
            + "and the server sends {2} octets in one chunk (frame {3})",
        "rtmp.cause.chunk-size-not-announced.client":
            "the client sends {0} octets in one chunk (frame {1}) without a Set Chunk Size that allows it",
        "rtmp.cause.chunk-size-not-announced.server":
            "the server sends {0} octets in one chunk (frame {1}) without a Set Chunk Size that allows it",
        "rtmp.cause.timestamp-leap.audio":
            "audio timestamps jump ahead by {0} s more than the elapsed time (frame {1}): players wait that long",
        "rtmp.cause.timestamp-leap.video":
            "video timestamps jump ahead by {0} s more than the elapsed time (frame {1}): players wait that long",
        "rtmp.cause.timestamps-still.audio":
            "audio timestamps do not advance from frame {0} on for {1}: players drop or delay it",
        "rtmp.cause.timestamps-still.video":
            "video timestamps do not advance from frame {0} on for {1}: players drop or delay it",
        "rtmp.cause.timestamps-apart.ahead":
            "video timestamps are {0} s ahead of audio (to frame {1}): players wait that long",
        "rtmp.cause.timestamps-apart.behind":
            "video timestamps are {0} s behind audio (to frame {1}): players wait that long",
        "rtmp.cause.message-unfinished":
            "{0} closed the connection {1} after a message was cut short in frame {2} ({3} of {4} octets)",
        "rtmp.cause.chunk-stream-number":
            "{0} closed the connection {1} after chunk stream {3} was first used (frame {2}); some servers accept up to {4}",
        "rtmp.cause.chunk-framing-lost":
            "{0} closed the connection {1} after frame {2}, where no chunk header follows: an earlier message does "
            + "not have its announced length",
        "rtmp.cause.chunk-framing-lost.stray":
            "{0} closed the connection {1} after a chunk in frame {2} that continues a message although none had started "
            + "on its chunk stream",
        "rtmp.cause.control-chunk-stream":
            "{0} closed the connection {1} after a control message on chunk stream {3} instead of 2 (frame {2})",
        "rtmp.cause.chunk-size-too-large":
            "{0} closed the connection {1} after Set Chunk Size announced {3} octets (frame {2}): more than servers accept",
        "rtmp.cause.message-too-long":
            "{0} closed the connection in a message of {1} octets, after {2} of them: servers limit the length",
        "rtmp.cause.chunk-framing-lost.atOnce":
            "{0} closed the connection {1} after frame {2}, in which the octets after the handshake are not a chunk",
        "rtmp.cause.timestamp-24-bit":
            "{0} closed the connection {1} after a timestamp wrapped at 24 bits (frame {2})",
        "rtmp.cause.extended-timestamp":
            "{0} closed the connection {1} after the first type 3 chunk without the extended timestamp (frame {2})",
        "rtmp.cause.data-without-name":
            "{0} closed the connection {1} after a data message that does not start with a name (frame {2})",
        "rtmp.cause.chunk-continuation":
            "{0} closed the connection {1} after a message whose later chunks are not of type 3 (frame {2})",
        "rtmp.cause.acknowledgements-same.client":
            "the last {0} Acknowledgements of the server all report {1} (from frame {2} on), so {3} octets of the client "
            + "remain unacknowledged (window {4}); it had sent no media for {5} at the end",
        "rtmp.cause.acknowledgements-same.server":
            "the last {0} Acknowledgements of the client all report {1} (from frame {2} on), so {3} octets of the server "
            + "remain unacknowledged (window {4}); it had sent no media for {5} at the end",
        "rtmp.cause.pings-unanswered.client":
            "no answer to {0} Ping Requests of the client (frames {1} to {2}), which then closed the connection",
        "rtmp.cause.pings-unanswered.server":
            "no answer to {0} Ping Requests of the server (frames {1} to {2}), which then closed the connection",
        "rtmp.cause.acknowledgements-missing.client":
            "the server acknowledged none of the last {0} octets of the client (window {1}), which had sent no media for {2} "
            + "at the end",
        "rtmp.cause.acknowledgements-missing.server":
            "the client acknowledged none of the last {0} octets of the server (window {1}), which had sent no media for {2} "
            + "at the end",
        "rtmp.cause.closed-after-publish-start":
            "the server closed the connection {0} after it accepted publish (frame {1}); servers that reject the "
            + "stream key do this",
        "rtmp.cause.closed-after-publish":
            "the server closed the connection {0} after publish (frame {1}); servers that reject the stream key do "
            + "this",
        "rtmp.cause.closed-after-connect":
            "the server closed the connection {0} after connect (frame {1}); servers that do not know the application "
            + "do this",
    ]
}
