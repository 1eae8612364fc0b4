extension RTPWords {
    /// For each rule: why it matters, how to fix violations, and which peers are known for them.
    static let englishRemedies: [String: String] = [
        "mend.RTP-NOT-ARRIVED":
            "Check that packets reach the announced port: firewall, NAT, wrong address, or a sender that does not "
            + "start.",
        "why.RTP-NOT-ARRIVED": "There is no video and no audio.",
        "mend.RTP-SEQ-LOSS":
            "Find where packets are lost: link, switch, full socket buffers; pace bursts, or repair with "
            + "retransmission or FEC.",
        "remedy.RTP-SEQ-LOSS.skipped":
            "Nothing was lost: continue with the next sequence number after a pause, restart or seek.",
        "why.RTP-SEQ-LOSS": "Video breaks up until the next key frame.",
        "mend.RTP-SEQ-REORDER":
            "Look for several paths or queues between the peers; add a reorder buffer to the receiver.",
        "why.RTP-SEQ-REORDER": "Receivers without a buffer count late packets as lost.",
        "mend.RTP-SEQ-DUP": "Look for a switch or a sender that duplicates packets.",
        "why.RTP-SEQ-DUP": "Duplicates use bandwidth and distort statistics.",
        "remedy.RTP-SEQ-DUP.again": "Increase the sequence number by one for each packet, whatever its payload type.",
        "mend.RTP-SEQ-RESTART":
            "Continue the sequence numbers, or start a new source with a new SSRC and a BYE for the old one.",
        "why.RTP-SEQ-RESTART": "Receivers drop packets of an unexpected number, and SRTP cannot decrypt them.",
        "mend.RTP-JITTER": "Pace the sender, prioritize its traffic, or enlarge the receiver's buffer.",
        "why.RTP-JITTER": "Packets later than the buffer are lost to the player.",
        "mend.RTP-PORT-EVEN": "Use an even port, or send a=rtcp or a=rtcp-mux.",
        "why.RTP-PORT-EVEN": "Peers expect RTCP on the next port.",
        "mend.RTCP-SR-ABSENT": "Send sender reports, the first within seconds.",
        "why.RTCP-SR-ABSENT": "Without them, audio and video cannot be synchronized.",
        "peers.RTCP-SR-ABSENT": "Some servers never send sender reports.",
        "mend.RTCP-RR-ABSENT": "Send receiver reports for received media.",
        "why.RTCP-RR-ABSENT": "The sender cannot detect loss, and may assume that the receiver has left.",
    ]
}
