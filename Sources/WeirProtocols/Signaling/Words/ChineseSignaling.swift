extension SignalingWords {
    /// Explanations of steps.
    static let chinese: [String: String] = [
        "protocol.signaling": "SIG",
        "limit.secrets": "达到上限：{0} 条消息包含的机密超出跟踪数量；其他消息可能显出其中一些",
        "limit.signaling": "达到上限：{0} 条信令消息的内容超出解码上限",
        "signaling.login": "在信令服务器登记，或加入房间。",
        "signaling.offer": "向对端提议媒体和编码（SDP）。",
        "signaling.answer": "接受提议中的媒体和编码（SDP）；ICE 可以开始。",
        "signaling.pranswer": "临时应答；最终应答随后到来。",
        "signaling.candidate": "可能到达发送者的一个地址。",
        "signaling.candidate.host": "主机候选：发送者自己网卡的地址。",
        "signaling.candidate.mdns": "以 mDNS 名字隐藏的主机候选：仅限同一网络。",
        "signaling.candidate.srflx": "服务器反射候选：NAT 之外的地址。",
        "signaling.candidate.prflx": "对端反射候选：由检查得知。",
        "signaling.candidate.relay": "中继候选：TURN 服务器上的地址；最后的选择。",
        "signaling.endOfCandidates": "发送者不再有候选。",
        "signaling.heartbeat": "保持连接。",
        "signaling.bye": "结束通话，或离开会话。",
        "signaling.error": "报告错误。",
        "signaling.other": "不含描述或候选的信令。",
        "signaling.up": "双方已连通：ICE 和 DTLS 完成。",
        "signaling.broken": "无法解析的 JSON。",
        "signaling.remark.skipped": "之前的 {0} 个字节不是消息",
    ]
}
