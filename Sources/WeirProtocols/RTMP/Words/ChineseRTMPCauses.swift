extension RTMPWords {
    /// 会话失败的原因。
    static let chineseCauses: [String: String] = [
        "rtmp.cause.other-protocol": "服务器在该端口上使用的是 {0} 而非 RTMP（第 {1} 帧）",
        "rtmp.cause.side.client": "客户端",
        "rtmp.cause.side.server": "服务器",
        "rtmp.cause.refused": "{1}（第 {2} 帧的 {0}）",
        "rtmp.reason.badName": "流名称已被占用或不允许使用",
        "rtmp.reason.noStream": "没有这个名称的流",
        "rtmp.reason.noApplication": "服务器没有这个应用",
        "rtmp.reason.rejected": "服务器不接受该应用、URL 或客户端",
        "rtmp.reason.credentials": "服务器要求用户名和密码",
        "rtmp.reason.other": "服务器返回了错误",
        "rtmp.cause.publish-refused.ruledOut": "以状态拒绝：第 {0} 帧接受了 publish",
        "rtmp.cause.play-refused.ruledOut": "以状态拒绝：第 {0} 帧接受了 play",
        "rtmp.cause.chunk-size-of-peer.client":
            "客户端使用了服务器的块大小：第 {1} 帧的 Set Chunk Size {0} 只适用于服务器的方向，客户端却在一个块里发送了 {2} 字节（第 {3} 帧）",
        "rtmp.cause.chunk-size-of-peer.server":
            "服务器使用了客户端的块大小：第 {1} 帧的 Set Chunk Size {0} 只适用于客户端的方向，服务器却在一个块里发送了 {2} 字节（第 {3} 帧）",
        "rtmp.cause.chunk-size-not-announced.client":
            "客户端在一个块里发送了 {0} 字节（第 {1} 帧），却没有相应的 Set Chunk Size",
        "rtmp.cause.chunk-size-not-announced.server":
            "服务器在一个块里发送了 {0} 字节（第 {1} 帧），却没有相应的 Set Chunk Size",
        "rtmp.cause.timestamp-leap.audio": "音频时间戳比实际经过的时间多跳了 {0} 秒（第 {1} 帧）：播放器要等这么久",
        "rtmp.cause.timestamp-leap.video": "视频时间戳比实际经过的时间多跳了 {0} 秒（第 {1} 帧）：播放器要等这么久",
        "rtmp.cause.timestamps-still.audio": "音频时间戳从第 {0} 帧起 {1}不前进：播放器会丢弃或延迟音频",
        "rtmp.cause.timestamps-still.video": "视频时间戳从第 {0} 帧起 {1}不前进：播放器会丢弃或延迟视频",
        "rtmp.cause.timestamps-apart.ahead": "视频时间戳比音频超前 {0} 秒（至第 {1} 帧）：播放器要等这么久",
        "rtmp.cause.timestamps-apart.behind": "视频时间戳比音频落后 {0} 秒（至第 {1} 帧）：播放器要等这么久",
        "rtmp.cause.message-unfinished": "第 {2} 帧中有一条消息被截断（{4} 字节中的 {3} 字节），{1}后{0}关闭了连接",
        "rtmp.cause.chunk-stream-number": "首次使用块流 {3}（第 {2} 帧）{1}后{0}关闭了连接；有些服务器最多接受 {4}",
        "rtmp.cause.chunk-framing-lost":
            "第 {2} 帧应有块头之处没有块头（之前某条消息比其长度短或长），{1}后{0}关闭了连接",
        "rtmp.cause.chunk-framing-lost.stray":
            "第 {2} 帧中的块要延续一条消息，而其块流上没有开始任何消息，{1}后{0}关闭了连接",
        "rtmp.cause.control-chunk-stream": "控制消息在块流 {3} 上而不是 2 上（第 {2} 帧），{1}后{0}关闭了连接",
        "rtmp.cause.chunk-size-too-large": "Set Chunk Size 宣告 {3} 字节（第 {2} 帧），超过服务器接受的大小，{1}后{0}关闭了连接",
        "rtmp.cause.message-too-long":
            "一条 {1} 字节的消息到达 {2} 字节时，{0}关闭了连接：服务器限制消息长度",
        "rtmp.cause.chunk-framing-lost.atOnce": "握手之后的字节（第 {2} 帧）不是块，{1}后{0}关闭了连接",
        "rtmp.cause.timestamp-24-bit": "时间戳在 24 位之后从 0 重新开始（第 {2} 帧），{1}后{0}关闭了连接",
        "rtmp.cause.extended-timestamp": "首个不带扩展时间戳的类型 3 块（第 {2} 帧）之后 {1}，{0}关闭了连接",
        "rtmp.cause.pings-unanswered.client": "客户端的 {0} 个 Ping Request（第 {1} 至 {2} 帧）没有得到应答，随后客户端关闭了连接",
        "rtmp.cause.pings-unanswered.server": "服务器的 {0} 个 Ping Request（第 {1} 至 {2} 帧）没有得到应答，随后服务器关闭了连接",
        "rtmp.cause.data-without-name": "{0}在一个不以名称开头的数据消息（第 {2} 帧）{1}后关闭了连接",
        "rtmp.cause.chunk-continuation": "{0}在一个后续块不是类型 3 的消息（第 {2} 帧）{1}后关闭了连接",
        "rtmp.cause.acknowledgements-same.client":
            "服务器最近 {0} 个 Acknowledgement 都报告 {1}（自第 {2} 帧起），客户端有 {3} 字节未被确认（窗口 {4}），结束时客户端已有 {5}没有发送媒体",
        "rtmp.cause.acknowledgements-same.server":
            "客户端最近 {0} 个 Acknowledgement 都报告 {1}（自第 {2} 帧起），服务器有 {3} 字节未被确认（窗口 {4}），结束时服务器已有 {5}没有发送媒体",
        "rtmp.cause.acknowledgements-missing.client":
            "服务器没有确认客户端最后的 {0} 字节（窗口 {1}），结束时客户端已有 {2}没有发送媒体",
        "rtmp.cause.acknowledgements-missing.server":
            "客户端没有确认服务器最后的 {0} 字节（窗口 {1}），结束时服务器已有 {2}没有发送媒体",
        "rtmp.cause.closed-after-publish-start": "服务器在接受 publish（第 {1} 帧）{0}后关闭了连接，拒绝推流密钥的服务器会这样",
        "rtmp.cause.closed-after-publish": "服务器在 publish（第 {1} 帧）{0}后关闭了连接，拒绝推流密钥的服务器会这样",
        "rtmp.cause.closed-after-connect": "服务器在 connect（第 {1} 帧）{0}后关闭了连接，不认识该应用的服务器会这样",
    ]
}
