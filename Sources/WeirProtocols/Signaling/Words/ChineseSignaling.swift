extension SignalingWords {
    /// What the steps of signaling do.
    static let chinese: [String: String] = [
        "protocol.signaling": "SIG",
        "limit.secrets": "达到上限：{0} 条消息给出的机密极多，其他消息复述时可能显出",
        "limit.signaling": "达到上限：{0} 条信令消息内容过多，超出部分未读",
        "signaling.login": "一方向信令服务器登记或进入房间，以便别人找到它。信令的写法没有规范，各程序自有说法。",
        "signaling.offer":
            "提议（offer）：描述（SDP）说明发送者能收发哪些音视频、用什么编码、传输如何加密。对方把它设为远端描述。",
        "signaling.answer": "应答（answer）：接受哪些媒体和编码。此后双方都知道对方的描述，ICE 可以开始寻找通路。",
        "signaling.pranswer": "临时应答：可以先开始建立通路，最终应答随后到来。",
        "signaling.candidate": "候选（candidate）：可能找到发送者的一个地址。对方把它与自己的候选配对，逐对发送检查。",
        "signaling.candidate.host":
            "主机候选：发送者自己网卡的地址，双方在同一网络或都有公网地址时可用。对方向它发送检查（STUN 请求），看通路是否存在。",
        "signaling.candidate.mdns": "主机候选，地址藏在组播 DNS 名字后面：只有同一网络内的对端能解析。",
        "signaling.candidate.srflx":
            "服务器反射候选：STUN 服务器从外面看到的地址，在地址转换路由器（NAT）之外。先发出过检查，对方的检查才可能穿过路由器。",
        "signaling.candidate.prflx": "对端反射候选：收到检查时才显现的发送者地址。",
        "signaling.candidate.relay": "中继候选：TURN 服务器上的地址，一切由它转发。几乎处处可用，但要绕路，因此最后才选。",
        "signaling.endOfCandidates": "发送者不再有候选：若检查都无回应，对方可以放弃。",
        "signaling.heartbeat": "心跳：只说明发送者还在，并使沿途路由器保持连接。",
        "signaling.bye": "结束呼叫或离开房间。",
        "signaling.error": "报告出了差错。",
        "signaling.other": "信令消息，不含描述或候选。",
        "signaling.up": "服务器报告与对端的通路已建立：ICE 和 DTLS 完成。",
        "signaling.broken": "此处应为 JSON，却无法读出。",
        "signaling.remark.skipped": "之前有 {0} 个字节不是消息的开头",
    ]
}
