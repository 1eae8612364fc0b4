extension RTPWords {
    static let chineseRIST: [String: String] = [
        "expect.rist": "相邻端口上有 RIST 的 RTCP；在第 {0} 帧识别",
        "outcome.rist.media": "媒体发送了 {0} 秒",
        "outcome.rist.noMedia": "抓包中没有媒体",
        "outcome.rist.shared": "{0} 条路径分担这些包",
        "outcome.rist.paths": "{0} 条路径：{1} 个包在一条路径上丢失，由另一条路径送达",
        "outcome.rist.lost": "丢失 {0} 个包",
        "outcome.rist.recovered": "全部恢复",
        "outcome.rist.unrecovered": "{0} 个始终未恢复",
        "outcome.rist.unrecoveredOrUnseen": "{0} 个始终未恢复，或未被抓到",
        "outcome.rist.answered": "重传在 NACK 之后 {0} ms 到达",
        "outcome.rist.roundTrip": "往返时间 {0} ms",
        "outcome.rist.noReceiver": "抓包中没有接收方的 RTCP",
        "cause.rist-closed-port": "{0} 上没有程序在监听（ICMP 端口不可达）",
        "cause.rist-no-retransmission": "接收方发送了 NACK，但没有任何重传",
    ]
}
