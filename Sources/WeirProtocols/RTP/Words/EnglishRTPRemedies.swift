extension RTPWords {
    /// Of each rule: why it matters, how to mend what breaks it, and which peers are known for that.
    static let englishRemedies: [String: String] = [
        "mend.RTP-NOT-ARRIVED":
            "See that packets reach the announced port: firewall, NAT, wrong address, or a sender that does not start.",
        "why.RTP-NOT-ARRIVED": "Nothing is seen or heard.",
        "mend.RTP-SEQ-LOSS":
            "Find where packets get lost: link, switch, full buffers of a socket; pace bursts, or repair by "
            + "retransmission or FEC.",
        "remedy.RTP-SEQ-LOSS.skipped":
            "Nothing was lost: let the sender go on with the next number where media is stopped, started again or moved.",
        "why.RTP-SEQ-LOSS": "Pictures break up until the next key frame.",
        "mend.RTP-SEQ-REORDER": "Look for several paths or queues between the peers; let the receiver wait a little.",
        "why.RTP-SEQ-REORDER": "Receivers without a buffer count late packets as lost.",
        "mend.RTP-SEQ-DUP": "Look for a switch or a sender that sends packets twice.",
        "why.RTP-SEQ-DUP": "It costs bandwidth, and confuses statistics.",
        "mend.RTP-JITTER": "Pace the sender, give its traffic precedence, or enlarge the receiver's buffer.",
        "why.RTP-JITTER": "Packets beyond the buffer are lost for the player.",
        "mend.RTP-PORT-EVEN": "Use an even port, or say a=rtcp or a=rtcp-mux.",
        "why.RTP-PORT-EVEN": "Peers look for RTCP on the next port.",
        "mend.RTCP-SR-ABSENT": "Send sender reports, the first within seconds.",
        "why.RTCP-SR-ABSENT": "Without them audio and video cannot be set in step.",
        "peers.RTCP-SR-ABSENT": "Some servers never send sender reports.",
        "mend.RTCP-RR-ABSENT": "Send receiver reports for what is received.",
        "why.RTCP-RR-ABSENT": "The sender cannot see loss, and may take the receiver for gone.",
    ]
}
