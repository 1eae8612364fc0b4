extension Strings {
    /// Connections, outcomes, and why a flow is believed to be media.
    static let chineseSessions: [String: String] = [
        "tcp.connect": "客户端与服务器建立 TCP 连接（SYN、SYN-ACK、ACK 三次握手）。",
        "tcp.refused": "服务器主机用 RST 回应连接请求：该端口没有程序在监听，或被防火墙拒绝。",
        "tcp.unanswered": "连接请求没有得到任何回应：地址有误、主机未运行，或被防火墙丢弃。",
        "tcp.close": "双方都表示不再发送数据（FIN），连接关闭。",
        "tcp.reset": "一方用 RST 中断了连接，尚在途中的数据丢失。",
        "tcp.gap": "接收方已确认这些字节，但抓包文件中没有；从下一个消息的开头继续解析。",
        "icmp.unreachable": "接收主机表示 {0} 上没有程序接收数据包，发往那里的数据都会丢失。",
        "icmp.timeExceeded": "路由器放弃转发发往 {0} 的数据包：跳数已用尽。",
        "expect.setup": "第 {0} 帧的 SETUP 约定了 {1}",
        "expect.decodeAs": "由 --decode-as 指定",
        "expect.heuristic": "未见信令约定；在第 {1} 帧根据 {0} 个序号连续、SSRC 相同的数据包识别",
        "expect.interleaved": "通道 {0} 由第 {1} 帧对 SETUP 的应答分配",
        "expect.interleavedUngranted": "抓包中没有任何 SETUP 分配过通道 {0}",
        "rtp.start.announced": "第一个媒体数据包，其序号与 RTP-Info 所预告的一致。",
        "outcome.played": "播放了 {0} 秒",
        "outcome.recorded": "录制（推流）了 {0} 秒",
        "outcome.lost": "丢失 {0} 个数据包",
        "outcome.reset": "未发送 TEARDOWN，以 TCP 复位结束",
        "outcome.closedWithoutTeardown": "未发送 TEARDOWN 即关闭连接",
        "outcome.open": "抓包结束时会话仍未关闭",
        "outcome.redirected": "此处没有媒体：{0} 得到的应答是 {1}，请转到 {2}",
        "outcome.refused": "服务器拒绝了 TCP 连接",
        "outcome.unanswered": "服务器没有回应 {0} 次 TCP 连接请求",
        "outcome.status": "没有媒体：{0} 得到的应答是 {1} {2}",
        "outcome.unreachable": "媒体未能到达客户端：其主机对发往 {0} 的数据包回应 ICMP 端口不可达",
        "outcome.noAnswer": "没有媒体：{0}（第 {1} 帧）始终没有得到应答",
        "outcome.recordedNothing": "RECORD 已被接受，但抓包中没有媒体数据",
        "outcome.playedNothing": "PLAY 已被接受，但抓包中没有媒体数据",
        "outcome.otherProtocol": "PLAY 已被接受；媒体以 {0} 传输，它不是 RTP，未被解析",
        "outcome.stoppedAfter": "没有媒体：客户端在 {0} 之后没有继续",
        "outcome.controlUnseen": "没有媒体，抓包中也没有会话建立的过程",
        "outcome.nothing": "连接已建立，但没有发出任何请求",
        "message.malformed": "这些字节无法解析；时间线从下一个消息的开头继续。",
        "capture.interfaceLost": "接口 {0} 在抓包过程中消失：此后经过它的内容均未抓到",
        "limit.failedConnections": "达到上限：失败的连接很多，只显示最先的几个，另有 {0} 个未显示",
        "limit.findings": "达到上限：某条规则在一个会话中的问题过多，另有 {0} 个只计数",
        "limit.openings": "达到上限：同时打开而没有后续数据的流过多，其中最早的被结束了 {0} 次",
        "limit.undecided": "达到上限：同时有过多的流协议未知，放弃识别其中 {0} 个",
        "limit.flows": "达到上限：同时打开的流过多，最久未活动的流被结束了 {0} 次",
        "limit.message": "达到上限：未完成的消息过长，被放弃了 {0} 次",
        "limit.sessions": "达到上限：同时打开的会话过多，最早的会话被结束了 {0} 次",
        "limit.streams": "达到上限：一条流中的媒体流过多，{0} 个数据包或消息未被跟踪",
        "rtcp.broken": "其余字节无法按 RTCP 解析：{0}",
        "outcome.shared": "其媒体为组播，列于会话 {0} 中",
        "outcome.notTaken":
            "但客户端主机对发往 {0} 的数据包回应 ICMP 端口不可达：发往那里的数据没有到达播放器",
        "outcome.missing":
            "缺少 {0} 个数据包，因为抓包中缺少该连接的部分字节",
        "outcome.skipped":
            "跳过了 {0} 个序号，不超过服务器在暂停或定位时通常跳过的数量",
        "outcome.serverLeft":
            "服务器中途关闭了连接（第 {0} 帧）",
        "outcome.cut":
            "无法判断发生了什么：消息被截断长度截短",
        "outcome.sent": "媒体发送了 {0} 秒",
        "limit.expectations":
            "达到上限：同时约定的流过多，{0} 个约定未被保留",
        "limit.fragments":
            "达到上限：同时未完成的分片数据报过多，{0} 个被放弃",
        "limit.statuses": "达到上限：一个消息流的状态过多，{0} 个已显示但未保留",
        "limit.oddMessages": "达到上限：块结构异常的媒体消息过多，另有 {0} 条未显示",
        "limit.requests":
            "达到上限：一个会话中未应答的请求或已建立的媒体过多，{0} 个被遗忘",
    ]
}
