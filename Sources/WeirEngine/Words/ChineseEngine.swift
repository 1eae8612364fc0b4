extension EngineWords {
    /// Connections, limits, and what a capture lacks.
    static let chinese: [String: String] = [
        "tcp.connect": "客户端与服务器建立 TCP 连接（SYN、SYN-ACK、ACK 三次握手）。",
        "tcp.refused": "服务器主机用 RST 回应连接请求：该端口没有程序在监听，或被防火墙拒绝。",
        "tcp.unanswered": "连接请求没有得到任何回应：地址有误、主机未运行，或被防火墙丢弃。",
        "tcp.close": "双方都表示不再发送数据（FIN），连接关闭。",
        "tcp.reset": "一方用 RST 中断了连接，尚在途中的数据丢失。",
        "tcp.gap": "接收方已确认这些字节，但抓包文件中没有；从下一个消息的开头继续解析。",
        "icmp.unreachable": "接收主机表示 {0} 上没有程序接收数据包，发往那里的数据都会丢失。",
        "icmp.timeExceeded": "路由器放弃转发发往 {0} 的数据包：跳数已用尽。",
        "expect.decodeAs": "由 --decode-as 指定",
        "outcome.open": "抓包结束时会话仍未关闭",
        "outcome.refused": "服务器拒绝了 TCP 连接",
        "outcome.unanswered": "服务器没有回应 {0} 次 TCP 连接请求",
        "message.malformed": "这些字节无法解析；时间线从下一个消息的开头继续。",
        "capture.interfaceLost": "接口 {0} 在抓包过程中消失：此后经过它的内容均未抓到",
        "limit.lostInterfaces": "达到上限：消失的接口很多，只列出最先的几个，另有 {0} 个未列出",
        "limit.failedConnections": "达到上限：失败的连接很多，只显示最先的几个，另有 {0} 个未显示",
        "limit.findings": "达到上限：某条规则在一个会话中的问题过多，另有 {0} 个只计数",
        "limit.openings": "达到上限：同时打开而没有后续数据的流过多，其中最早的被结束了 {0} 次",
        "limit.undecided": "达到上限：同时有过多的流协议未知，放弃识别其中 {0} 个",
        "limit.flows": "达到上限：同时打开的流过多，最久未活动的流被结束了 {0} 次",
        "limit.message": "达到上限：未完成的消息过长，被放弃了 {0} 次",
        "limit.sessions": "达到上限：同时打开的会话过多，最早的会话被结束了 {0} 次",
        "limit.streams": "达到上限：一条流中的媒体流过多，{0} 个数据包或消息未被跟踪",
        "limit.expectations":
            "达到上限：同时约定的流过多，{0} 个约定未被保留",
        "limit.fragments":
            "达到上限：同时未完成的分片数据报过多，{0} 个被放弃",
        "limit.requests":
            "达到上限：一个会话中未应答的请求或已建立的媒体过多，{0} 个被遗忘",
        "outcome.cut":
            "无法判断发生了什么：消息被截断长度截短",
        "phase.connect": "连接",
        "phase.media": "媒体",
        "phase.close": "关闭",
        "phase.pause": "暂停",
        "phase.seek": "定位",
        "advice.drops":
            "有 {0} 个数据包在抓取前被丢弃：请加大缓冲区（--buffer-size，tcpdump -B）、缩小过滤范围、减小截断长度或换用更快的磁盘。",
        "advice.cut": "有 {0} 个数据包被截断长度截短：请完整抓取（tcpdump -s 0）。",
        "advice.gap": "有 {0} 个会话的连接缺少字节：请在两端主机之一，或能看到全部数据包的端口上抓包。",
        "advice.oneSided": "有 {0} 个会话只抓到一个方向：请同时抓两个方向，不要按源或目的过滤。",
        "advice.startsLate": "有 {0} 个会话在抓包开始前就已开始：请先开始抓包。",
        "advice.endsEarly": "抓包结束时有 {0} 个会话仍在进行：请抓到会话关闭之后再多几秒。",
        "advice.filtered": "有 {0} 个会话的数据包因过滤器而未分析：请去掉过滤器，或只按主机、不按端口过滤。",
        "advice.noMedia": "有 {0} 个会话约定了媒体，但抓包中没有：请同时抓 UDP，而不只是控制连接的端口。",
        "advice.damaged": "文件无法读到结尾：请让抓包程序自行结束，并复制完整的文件。",
        "require.broken": "不符合配置对 {0} 的 {1} 的要求。",
        "require.unknown": "抓包没有说明 {0} 的 {1}。",
        "require.absent": "配置要求 {0} 的 {1}，但抓包中没有这类内容。",
    ]
}
