extension WebSocketWords {
    /// Line templates, by their English form.
    static let chineseLines: [String: String] = [
        "upgraded": "已升级",
        " at {0}": "，位于 {0}",
        ", subprotocol {0}": "，子协议 {0}",
        "close, no status code": "关闭，没有状态码",
        "close {0}{1}": "关闭 {0}{1}",
        "text": "文本",
        "binary": "二进制",
        "continuation": "后续帧",
        "ping": "ping",
        "pong": "pong",
        ", {0} {0|octet|octets} on the wire": "，线上 {0} 字节",
        " (compressed to {0})": "（压缩为 {0}）",
        " in {0} frames": "，分为 {0} 帧",
    ]
}
