extension HTTPWords {
    /// What is said of messages.
    static let chinese = [
        "http.upgrade": "请求离开 HTTP：应答之后，双方可随时在此连接上发送 WebSocket 消息。",
        "http.upgraded": "服务器同意：此连接上随后的内容是 WebSocket。",
        "http.notUpgraded": "服务器没有转为 WebSocket。",
        "http.remark.malformed": "此处不是 HTTP 消息（{0}）；该连接的其余部分不再解读",
    ]
}
