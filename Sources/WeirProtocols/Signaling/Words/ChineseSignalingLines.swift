extension SignalingWords {
    /// Line templates, by their English form.
    static let chineseLines: [String: String] = [
        "end of candidates": "候选结束",
        "login": "登录",
        "offer": "提议",
        "answer": "应答",
        "candidate": "候选",
        "heartbeat": "心跳",
        "bye": "挂断",
        "other": "其他消息",
        " to {0}": " 发往 {0}",
        "  ({0})": "  （{0}）",
        " rejected": "被拒绝",
        "  \"{0}\"": "  “{0}”",
        "  truncated": "  被截断",
        "  malformed: {0}": "  格式错误：{0}",
        " {0}": " {0}",
        "  mid {0}": "  mid {0}",
        "  m-line {0}": "  第 {0} 个 m 行",
    ]
}
