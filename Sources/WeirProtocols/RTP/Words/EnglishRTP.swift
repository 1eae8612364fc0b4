extension RTPWords {
    /// RTP and RTCP.
    static let english: [String: String] = [
        "rtp.start": "The first packet of a media stream: from here on sound, pictures or other data flow.",
        "rtp.start.rtx":
            "A stream of retransmissions begins: what is asked for again of another one comes here, and packets that only try how "
            + "much the path takes.",
        "rtp.start.video": "Video begins to flow: each RTP packet carries a picture or a part of one.",
        "rtp.start.audio": "Sound begins to flow: each RTP packet carries some milliseconds of it.",
        "rtp.gap": "Sequence numbers are missing: these packets were lost on the way, or the capture did not see them.",
        "rtp.silence":
            "Media stood still: the sender had nothing to send or was held up, or the network was, or the capture lacks the "
            + "packets; a player that gets none shows the last picture meanwhile.",
        "limit.sources":
            "limit reached: a source sent on very many flows at once; RTCP was not looked up for {0} of its streams",
        "limit.paths":
            "limit reached: a stream came on very many paths at once; {0} {0|pair was|pairs were} not compared",
        "limit.repairs":
            "limit reached: very many packets were sent again; of {0} {0|stream|streams} it is not known whether all that was "
            + "lost was made good",
        "limit.holes":
            "limit reached: very many numbers were missing at once; in {0} {0|stream|streams} some gaps are told late",
        "limit.feedback":
            "limit reached: receivers asked for very many packets at once; of {0} {0|stream|streams} some requests were not "
            + "followed",
        "limit.announced":
            "limit reached: very many sources or kinds of feedback were announced; what {0} {0|stream has|streams have} is not "
            + "compared with them",
        "limit.keys":
            "limit reached: very many keys were told for {0} {0|stream|streams}; packets were not tried with all of them",
        "limit.programs":
            "limit reached: {0} transport {0|stream has|streams have} more programs or PIDs than are followed",
        "rtp.remark.encrypted":
            "The payload is encrypted (SRTP): packets are counted, but what they hold cannot be seen.",
        "rtp.remark.authenticated":
            "The payload is in the clear, and an authentication tag ends each packet (UNENCRYPTED_SRTP): packets are counted, and "
            + "what they hold is not taken apart.",
        "rtp.keyframe": "A picture that needs no other: a player that joins now can show video from here.",
        "rtp.payloadTypeChange": "The sender goes over to another format, which the payload type number stands for.",
        "rtp.sourceChange":
            "The stream goes on under another SSRC, the number that names its source: the sender restarted "
            + "or was replaced.",
        "rtp.restart":
            "The sequence numbers leap though the source is the same: the sender began to count anew, or very many packets "
            + "are missing.",
        "rtp.end": "No more packets of this source were seen.",
        "rtcp.senderReport":
            "The sender says how much it has sent, and which wall-clock time its timestamps mean: with "
            + "this, sound and pictures are kept together.",
        "rtcp.receiverReport":
            "A receiver says how well the media arrives: what was lost, and how unevenly the packets come.",
        "rtcp.receiverReport.empty": "A receiver shows that it is there; it has no media to report on yet.",
        "rtcp.sourceDescription":
            "Names the source; its CNAME tells which sound and pictures come from the same sender.",
        "rtcp.bye": "The source says that it leaves: its stream is over.",
        "rtcp.application": "Data that only this application understands.",
        "rtcp.transportFeedback":
            "The receiver reports at once on the transport of packets, without waiting for the next regular report.",
        "rtcp.transportFeedback.nack":
            "The receiver names packets that did not arrive, so that the sender can send them again.",
        "rtcp.transportFeedback.transportWide":
            "The receiver says when each packet arrived; the sender estimates from it how much the network can carry.",
        "rtcp.transportFeedback.request":
            "The receiver asks the sender for a lower bit rate: it must keep to it until another bound is agreed on.",
        "rtcp.transportFeedback.notification": "The sender says which bounds of the bit rate it keeps to.",
        "rtcp.payloadFeedback":
            "The receiver reports at once on the media itself, without waiting for the next regular report.",
        "rtcp.payloadFeedback.pli":
            "The receiver cannot show a picture because a part of it was lost; a new key frame would help.",
        "rtcp.payloadFeedback.fir":
            "The receiver asks for a full picture; the sender must send a key frame as soon as it can.",
        "rtcp.payloadFeedback.remb":
            "The receiver says how much bandwidth it believes there is, so that the sender does not send more.",
        "rtcp.extendedReport": "Further statistics, beyond what sender and receiver reports hold.",
        "rtcp.encrypted": "The report is encrypted (SRTCP): only its type and its sender can be seen.",
        "rtcp.unknown": "A kind of RTCP packet that is not read here.",
        "expect.heuristic":
            "not announced by any signalling seen; recognised in frame {1}, by {0} packets with consecutive sequence "
            + "numbers and one SSRC",
        "expect.former": "goes on with what went {0} before, by its source and its numbers",
        "expect.source": "its source is the one that frame {0} announced",
        "expect.told":
            "signaling told both its ends, and nothing else of the way was captured; recognised in frame {0}",
        "expect.reports":
            "not announced by any signalling seen; RTCP on the same port, first in frame {0}, says what it is",
        "expect.framed":
            "not announced by any signalling seen; packets of one SSRC with numbers that advance follow each other, each behind "
            + "its length (RFC 4571)",
        "rtp.telephoneEvent": "A key was pressed: the sound of it travels as a number (RFC 4733).",
        "rtp.framing":
            "The length before a packet did not lead to the next one: a receiver is lost from there on, until the connection is "
            + "made anew.",
        "rtp.start.announced": "The first media packet. Its sequence number is the one that RTP-Info announced.",
        "rtcp.broken": "The rest of these octets could not be read as RTCP: {0}",
    ]
}
