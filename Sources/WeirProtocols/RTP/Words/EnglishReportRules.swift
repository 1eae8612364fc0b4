extension RTPWords {
    /// Messages of the rules about RTCP packets and reports.
    static let englishReportRules: [String: String] = [
        "rule.RTCP-COMPOUND": "An RTCP compound packet starts with a report and has a CNAME.",
        "RTCP-COMPOUND.noReport":
            "The compound packet does not start with a sender or receiver report, and reduced-size RTCP was not "
            + "negotiated.",
        "RTCP-COMPOUND.noName":
            "The compound packet has no source description with a CNAME, and reduced-size RTCP was not negotiated.",
        "RTCP-COMPOUND.bye": "Another packet of a source follows its BYE in the compound packet.",
        "rule.RTCP-LENGTH": "The lengths of RTCP packets match the datagram.",
        "RTCP-LENGTH.broken": "Malformed RTCP: {0}.",
        "RTCP-LENGTH.version": "RTCP version {0} instead of 2: receivers drop the datagram.",
        "RTCP-LENGTH.padding": "A packet other than the last one has padding.",
        "rule.RTCP-CNAME": "A source has one CNAME.",
        "RTCP-CNAME.changed": "The CNAME of SSRC {0} changes.",
        "rule.RTCP-SR-COUNT": "Sender report counts match the stream.",
        "RTCP-SR-COUNT.packets":
            "The sender reports count {0} {0|packet|packets} from first to last; {1} captured, {2} missing.",
        "RTCP-SR-COUNT.fell": "The packet count decreases from {0} to {1}, although the source continues.",
        "RTCP-SR-COUNT.headers":
            "The octet count increases by {0} from the first to the last sender report, the payload by {1}: 12 more "
            + "per packet, as if headers were included.",
        "RTCP-SR-COUNT.octets": "The sender reports count {0} {0|octet|octets} from first to last; {1} captured.",
        "rule.RTCP-SR-CLOCK": "Sender reports map timestamps to wall-clock time.",
        "RTCP-SR-CLOCK.slope":
            "From the first to the last sender report, NTP time advances by {0} s, RTP time by {1} s (clock rate {2}).",
        "RTCP-SR-CLOCK.step":
            "A sender report is {0} s after the previous one by NTP, but {1} s by RTP; later reports are right again.",
        "RTCP-SR-CLOCK.ahead":
            "The sender reports of the video are {0} s ahead of those of the audio: receivers cannot synchronize them.",
        "RTCP-SR-CLOCK.behind":
            "The sender reports of the video are {0} s behind those of the audio: receivers cannot synchronize them.",
        "RTCP-SR-CLOCK.date": "The sender's wall clock is {0}, more than a day off the capture time.",
        "rule.RTCP-RR-LSR": "Reception reports refer to existing sender reports.",
        "RTCP-RR-LSR.unknown":
            "{0} of {1} reception {1|report|reports} {0|refers|refer} to a sender report that was not captured.",
        "rule.RTCP-RR-SEQ": "Reception reports have sequence numbers that were sent.",
        "RTCP-RR-SEQ.ahead":
            "The report has {0} as the highest sequence number received; the last one sent by then is {1}, and {0} was "
            + "never sent.",
        "rule.RTCP-RR-LOSS": "Receivers report the captured loss.",
        "RTCP-RR-LOSS.fraction":
            "One receiver report counts {0} of the {1} packets since the previous report as lost; {2} of the stream are "
            + "missing in the capture.",
        "RTCP-RR-LOSS.behind":
            "The receiver reports {0} {0|packet|packets} lost during the capture, {1} are missing here: the others "
            + "were lost downstream of the capture point.",
        "rule.RTCP-INTERVAL": "Reports are sent at about the computed interval.",
        "RTCP-INTERVAL.seldom": "Sender reports are at least {0} s apart, over three times the computed interval.",
        "RTCP-INTERVAL.often": "Sender reports are {0} s apart on average, less than a third of the computed interval.",
        "rule.RTCP-BYE": "A source that leaves sends BYE.",
        "RTCP-BYE.never": "The source stopped {0} s before the session ended, without BYE.",
        "RTCP-BYE.goesOn": "The source sends for {0} s after its BYE.",
        "rule.RTCP-MUX": "RTCP uses its negotiated port.",
        "RTCP-MUX.port": "RTCP is sent to {0}, although {1} was negotiated.",
        "RTCP-MUX.unagreed": "RTCP on the RTP port, although a=rtcp-mux was not negotiated.",
        "rule.RTCP-FB-NEGOTIATED": "Feedback is negotiated.",
        "RTCP-FB-NEGOTIATED.kind": "a=rtcp-fb does not list {0} feedback.",
        "RTCP-FB-NEGOTIATED.profile": "{0} feedback with a profile that has no feedback.",
        "rule.RTCP-NACK-SERVED": "Requested packets are retransmitted.",
        "RTCP-NACK-SERVED.never":
            "{0} of {1} {1|packet|packets} requested with NACK {0|was|were} not retransmitted, first seq {2}.",
        "RTCP-NACK-SERVED.late": "The slowest retransmission took {0} ms.",
        "rule.RTCP-PLI-SERVED": "Requested key frames are sent.",
        "RTCP-PLI-SERVED.never": "No key frame in the {0} s after the request.",
        "RTCP-PLI-SERVED.late": "The requested key frame took {0} s.",
        "rule.RTCP-FIR": "Full intra requests are well-formed.",
        "RTCP-FIR.source": "The media source of a FIR is {0} instead of 0.",
        "RTCP-FIR.number": "The FIR sequence number goes from {0} to {1}.",
    ]
}
