extension RTPWords {
    /// For each rule: why it matters, how to fix violations, and which peers are known for them.
    static let chineseRemedies: [String: String] = [
        "mend.RTP-NOT-ARRIVED": "确认数据包能到达约定的端口：检查防火墙、NAT、地址，或发送端是否启动。",
        "why.RTP-NOT-ARRIVED": "既没有画面也没有声音。",
        "mend.RTP-SEQ-LOSS": "查明在哪里丢包：链路、交换机、套接字缓冲区；平滑突发，或用重传、FEC 修复。",
        "remedy.RTP-SEQ-LOSS.skipped": "并未丢包：媒体停止、重新开始或跳转时，发送方应接着用下一个序号。",
        "why.RTP-SEQ-LOSS": "画面会破碎到下一个关键帧。",
        "mend.RTP-SEQ-REORDER": "查找两端之间的多路径或多队列；让接收方稍作等待。",
        "why.RTP-SEQ-REORDER": "没有缓冲的接收方会把迟到的包算作丢失。",
        "mend.RTP-SEQ-DUP": "查找重复发包的交换机或发送端。",
        "why.RTP-SEQ-DUP": "浪费带宽并扰乱统计。",
        "remedy.RTP-SEQ-DUP.again": "无论负载类型如何，每个包都把序号加一。",
        "mend.RTP-SEQ-RESTART": "让序号连续，或用新的 SSRC 开始新的源，并为旧源发送 BYE。",
        "why.RTP-SEQ-RESTART": "接收方会丢弃序号意外的包，SRTP 也无法解密。",
        "mend.RTP-JITTER": "平滑发送、提高优先级，或加大接收缓冲。",
        "why.RTP-JITTER": "超出缓冲的包等于丢失。",
        "mend.RTP-PORT-EVEN": "使用偶数端口，或写 a=rtcp、a=rtcp-mux。",
        "why.RTP-PORT-EVEN": "对端会到下一个端口找 RTCP。",
        "mend.RTCP-SR-ABSENT": "发送发送者报告，首个在数秒之内。",
        "why.RTCP-SR-ABSENT": "没有它，音视频无法同步。",
        "peers.RTCP-SR-ABSENT": "一些服务器从不发送发送者报告。",
        "mend.RTCP-RR-ABSENT": "对接收的媒体发送接收者报告。",
        "why.RTCP-RR-ABSENT": "发送方看不到丢包，也可能认为接收方已离开。",
    ]
}
