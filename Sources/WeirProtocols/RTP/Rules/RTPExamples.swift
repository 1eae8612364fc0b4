import WeirEngine

/// For each rule, an example that violates it and one that complies.
enum RTPExamples {
    static let all: [String: RuleExample] = [
        "RTP-NOT-ARRIVED": RuleExample(
            broken: "PLAY … RTSP/1.0 200 OK\n(no RTP packet; ICMP port unreachable)",
            kept: "PLAY … RTSP/1.0 200 OK\nRTP 20 ms later"),
        "RTP-SEQ-LOSS": RuleExample(
            broken: "seq 19400, 19404: 3 of 1 024 packets lost (0.29 %)",
            kept: "seq 19400, 19401, 19402 …"),
        "RTP-SEQ-REORDER": RuleExample(broken: "seq 100, 102, 101", kept: "seq 100, 101, 102"),
        "SRTP-AUTH": RuleExample(
            broken: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:…\nRTP seq 19402 with the tag of another key",
            kept: "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:…\nRTP seq 19402 with the tag of that key"),
        "RTP-SEQ-RESTART": RuleExample(
            broken: "seq 20117, then 1 and 2, of the same SSRC", kept: "seq 20117, 20118, 20119"),
        "RTP-SEQ-DUP": RuleExample(broken: "seq 100, 101, 101, 102", kept: "seq 100, 101, 102"),
        "RTP-JITTER": RuleExample(broken: "audio PCMU/8000: jitter 64.2 ms", kept: "audio PCMU/8000: jitter 1.3 ms"),
        "RTP-PORT-EVEN": RuleExample(broken: "m=audio 5001 RTP/AVP 0", kept: "m=audio 5000 RTP/AVP 0"),
        "RTP-TCP-FRAME": RuleExample(
            broken: "00 AC, and a packet of 170 octets",
            kept: "00 AC, and a packet of 172 octets"),
        "RTCP-SR-ABSENT": RuleExample(
            broken: "60 s of RTP, no sender report",
            kept: "60 s of RTP, a sender report each 5 s"),
        "RTCP-RR-ABSENT": RuleExample(
            broken: "60 s of RTP received, no receiver report",
            kept: "60 s of RTP received, a receiver report each 5 s"),
    ]
}
