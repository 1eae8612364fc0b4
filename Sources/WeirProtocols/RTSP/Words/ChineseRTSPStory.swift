extension RTSPWords {
    /// Outcomes of sessions, and why a flow is believed to be media.
    static let chineseStory: [String: String] = [
        "expect.setup": "第 {0} 帧的 SETUP 约定了 {1}",
        "expect.interleaved": "通道 {0} 由第 {1} 帧对 SETUP 的应答分配",
        "expect.interleavedUngranted": "抓包中没有任何 SETUP 分配过通道 {0}",
        "outcome.played": "播放了 {0} 秒",
        "outcome.recorded": "录制（推流）了 {0} 秒",
        "outcome.lost": "丢失 {0} 个数据包",
        "outcome.reset": "未发送 TEARDOWN，以 TCP 复位结束",
        "outcome.closedWithoutTeardown": "未发送 TEARDOWN 即关闭连接",
        "outcome.redirected": "此处没有媒体：{0} 得到的应答是 {1}，请转到 {2}",
        "outcome.status": "没有媒体：{0} 得到的应答是 {1} {2}",
        "outcome.unreachable": "媒体未能到达客户端：其主机对发往 {0} 的数据包回应 ICMP 端口不可达",
        "outcome.noAnswer": "没有媒体：{0}（第 {1} 帧）始终没有得到应答",
        "outcome.recordedNothing": "RECORD 已被接受，但抓包中没有媒体数据",
        "outcome.playedNothing": "PLAY 已被接受，但抓包中没有媒体数据",
        "outcome.otherProtocol": "PLAY 已被接受；媒体以 {0} 传输，它不是 RTP，未被解析",
        "outcome.stoppedAfter": "没有媒体：客户端在 {0} 之后没有继续",
        "outcome.controlUnseen": "没有媒体，抓包中也没有会话建立的过程",
        "outcome.nothing": "连接已建立，但没有发出任何请求",
        "outcome.shared": "其媒体为组播，列于会话 {0} 中",
        "outcome.notTaken":
            "但客户端主机对发往 {0} 的数据包回应 ICMP 端口不可达：发往那里的数据没有到达播放器",
        "outcome.missing":
            "缺少 {0} 个数据包，因为抓包中缺少该连接的部分字节",
        "outcome.lostOrUnseen": "缺少 {0} 个数据包：在途中丢失，或未被捕获（抓包中也缺少该连接的部分字节）",
        "outcome.silence": "媒体中断 {0} 秒（到第 {1} 帧为止）",
        "outcome.silentEnd": "最后 {0} 秒没有媒体",
        "outcome.unknown": "服务器已不认识该会话（第 {0} 帧的 454），距上一个请求 {1} 秒",
        "outcome.teardownRefused": "TEARDOWN 被拒绝：{0} {1}",
        "outcome.resetOnly": "以 TCP 复位结束",
        "outcome.resetUnsure": "以 TCP 复位结束；此前是否发送了 TEARDOWN，抓包中看不到",
        "outcome.closedUnsure": "连接已关闭；此前是否发送了 TEARDOWN，抓包中看不到",
        "outcome.halfTunnel": "没有媒体：抓包中只有 HTTP 隧道的一半",
        "outcome.answerUnseen": "没有媒体；抓包中没有对 {0}（第 {1} 帧）的应答，但抓包缺少该连接的一部分",
        "outcome.skipped":
            "跳过了 {0} 个序号，不超过服务器在暂停或定位时通常跳过的数量",
        "outcome.serverLeft":
            "服务器中途关闭了连接（第 {0} 帧）",
        "outcome.sent": "媒体发送了 {0} 秒",
        "phase.negotiate": "协商",
    ]
}
