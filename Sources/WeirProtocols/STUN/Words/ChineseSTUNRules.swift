extension STUNWords {
    /// 规则的说法、意义与修正办法。
    static let chineseRules: [String: String] = [
        "STUN-HEADER.length": "消息长度 {0} 不是 4 的倍数。",
        "STUN-HEADER.attributes": "属性的结尾与消息的结尾不一致。",
        "why.STUN-HEADER": "接收方会丢弃消息，检查或请求只能白白重发。",
        "mend.STUN-HEADER": "把每个属性补齐到四字节，并把补齐的部分算进消息长度。",
        "STUN-FINGERPRINT.wrong": "FINGERPRINT 的校验和错误。",
        "STUN-FINGERPRINT.notLast": "FINGERPRINT 不是最后一个属性：后面还有 {0}。",
        "why.STUN-FINGERPRINT": "接收方会把包当成别的东西而丢弃。",
        "mend.STUN-FINGERPRINT": "最后按最终长度计算它，之后不再追加任何内容。",
        "STUN-INTEGRITY.wrong": "MESSAGE-INTEGRITY 不是用描述里的密码算出的。",
        "why.STUN-INTEGRITY": "接收方会拒绝或丢弃消息：检查失败，找不到通路。",
        "mend.STUN-INTEGRITY": "用接收方当前一代的 ice-pwd 签名，并确认信令服务器没有改动它。",
        "STUN-420.unnamed": "拒绝时没有说明哪些属性不认识。",
        "STUN-420.other": "拒绝时列出的属性 {0} 在请求里并不存在。",
        "why.STUN-420": "客户端无法知道该去掉什么。",
        "mend.STUN-420": "列出请求中所有必须理解而又不认识的属性。",
        "STUN-RETX.hurried": "之前等了 {0} 毫秒，这次只等 {1} 毫秒就重发。",
        "STUN-RETX.consent": "同意检查在同一事务里被重发。",
        "why.STUN-RETX": "不延长等待的重发会让已经拥塞的网络更拥塞。",
        "mend.STUN-RETX": "每次重发都把等待时间加倍；每次征求同意都用新的事务。",
        "TURN-FLOW.channel": "通道编号 {0} 不在 0x4000 到 0x4FFF 之间。",
        "TURN-FLOW.permission": "有包要发往 {0}，但没有得到对它的许可。",
        "TURN-FLOW.credentials": "{0} 带了凭据仍被 401 拒绝：用户名或密码错误。",
        "why.TURN-FLOW": "中继会丢弃内容，依赖它的媒体永远到不了。",
        "mend.TURN-FLOW": "为每个对端申请许可或通道并按时续期；检查用户名、密码和域。",
    ]
}
