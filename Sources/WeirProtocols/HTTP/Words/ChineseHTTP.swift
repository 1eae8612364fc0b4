extension HTTPWords {
    /// Texts of HTTP messages.
    static let chinese = [
        "http.upgrade": "请求将连接切换到 WebSocket。",
        "http.upgraded": "接受：连接切换到 WebSocket。",
        "http.notUpgraded": "拒绝切换到 WebSocket。",
        "http.remark.malformed": "不是 HTTP 消息（{0}）；该连接的其余部分不再解析",
    ]
}
