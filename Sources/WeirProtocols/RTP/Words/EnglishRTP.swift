extension RTPWords {
    /// Messages of RTP and RTCP.
    static let english: [String: String] = [
        "rtp.start": "First packet of a media stream.",
        "rtp.start.rtx": "First packet of a retransmission stream (RTX; also probing).",
        "rtp.start.video": "Video starts: RTP packets carry pictures or parts of them.",
        "rtp.start.audio": "Audio starts: RTP packets carry a few milliseconds each.",
        "rtp.gap": "Sequence numbers are missing: packets lost or not captured.",
        "rtp.silence": "No media: sender or network stalled, or not captured.",
        "limit.sources":
            "limit reached: a source uses too many flows at once; RTCP was not assigned to {0} of its streams",
        "limit.paths": "limit reached: a stream uses too many paths at once; {0} {0|pair was|pairs were} not compared",
        "limit.ristFlows":
            "limit reached: too many flows of a RIST session; {0} {0|packet was|packets were} not assigned to it",
        "limit.repairs":
            "limit reached: too many retransmissions; repair of loss is unknown for {0} {0|stream|streams}",
        "limit.holes":
            "limit reached: too many missing sequence numbers at once; some gaps in {0} {0|stream|streams} are "
            + "reported late",
        "limit.feedback":
            "limit reached: too many retransmission requests at once; some requests for {0} {0|stream|streams} are not "
            + "tracked",
        "limit.announced":
            "limit reached: too many announced sources or feedback types; {0} {0|stream was|streams were} not compared "
            + "with them",
        "limit.keys": "limit reached: too many keys for {0} {0|stream|streams}; not all of them were tried",
        "limit.programs":
            "limit reached: {0} transport {0|stream has|streams have} more programs or PIDs than are tracked",
        "rtp.remark.verified": "Payload in the clear, with an authentication tag that is verified.",
        "rtp.remark.decrypted": "Encrypted payload (SRTP), decrypted with the key from {0}.",
        "rtp.remark.hiddenExtensions": "Elements of the header extension are encrypted (RFC 6904) and not dissected.",
        "rtp.remark.encrypted": "Encrypted payload (SRTP): packets are counted, but not dissected.",
        "rtp.remark.authenticated":
            "Unencrypted payload with authentication tags (UNENCRYPTED_SRTP): packets are counted, but not dissected.",
        "rtp.keyframe": "A frame that decodes on its own: players can start here.",
        "rtp.payloadTypeChange": "The sender switches to another payload type (codec).",
        "rtp.sourceChange": "The SSRC changes: the sender restarted or was replaced.",
        "rtp.restart": "Sequence numbers jump: sender restart, or many packets lost.",
        "rtp.end": "Last packet of this source.",
        "rtcp.senderReport": "Packets sent, and the wall-clock time of timestamps.",
        "rtcp.receiverReport": "Loss and jitter as measured by the receiver.",
        "rtcp.receiverReport.empty": "A receiver without media to report on.",
        "rtcp.sourceDescription": "Source names; streams of one CNAME are synchronized.",
        "rtcp.bye": "The source leaves: its stream ends.",
        "rtcp.application": "Application-defined data.",
        "rtcp.rist.echo": "This side measures the round-trip time.",
        "rtcp.transportFeedback": "Transport feedback, sent ahead of the regular report.",
        "rtcp.transportFeedback.nack": "The receiver requests retransmission of lost packets.",
        "rtcp.transportFeedback.transportWide": "Arrival times of packets, for bandwidth estimation.",
        "rtcp.transportFeedback.request": "The receiver requests a lower bit rate (TMMBR).",
        "rtcp.transportFeedback.notification": "The sender reports its bit rate limits (TMMBN).",
        "rtcp.payloadFeedback": "Media feedback, sent ahead of the regular report.",
        "rtcp.payloadFeedback.pli": "The receiver lost part of a picture and needs a key frame.",
        "rtcp.payloadFeedback.fir": "The receiver requests a key frame as soon as possible.",
        "rtcp.payloadFeedback.remb": "The receiver's bandwidth estimate: an upper bit rate limit.",
        "rtcp.extendedReport": "Additional statistics (XR).",
        "rtcp.encrypted": "Encrypted report (SRTCP): only type and SSRC are visible.",
        "rtcp.unknown": "An RTCP packet type that Weir does not dissect.",
        "expect.heuristic":
            "no signaling captured; recognized in frame {1} by {0} packets with one SSRC and consecutive sequence "
            + "numbers",
        "expect.former": "continues {0}, by SSRC and sequence numbers",
        "expect.source": "its SSRC was signaled in frame {0}",
        "expect.told": "both endpoints were signaled, but ICE was not captured; recognized in frame {0}",
        "expect.reports": "no signaling captured; identified by RTCP on the same port, from frame {0}",
        "expect.framed":
            "no signaling captured; packets with one SSRC and increasing sequence numbers, each after its length (RFC "
            + "4571)",
        "rtp.telephoneEvent": "A key press (DTMF), sent as an event (RFC 4733).",
        "rtp.framing": "The length before a packet is wrong: receivers lose sync.",
        "rtp.start.announced": "First media packet, with the sequence number of RTP-Info.",
        "rtcp.broken": "The remaining octets are not RTCP: {0}",
    ]
}
