extension DTLSWords {
    /// Line templates, by their English form.
    static let chineseLines: [String: String] = [
        ", with cookie": "，带 cookie",
        "HelloRetryRequest": "HelloRetryRequest",
        "ServerHello": "ServerHello",
        "Certificate, {0}": "Certificate，{0}",
        "fatal alert {0}": "致命警报 {0}",
        "warning alert {0}": "警告警报 {0}",
        "Finished (encrypted)": "Finished（加密）",
        "first encrypted data": "首个加密数据",
        "encrypted handshake record": "加密的握手记录",
        "encrypted data": "加密数据",
        "data channel {0} on stream {1}": "数据通道 {0}，流 {1}",
        ", protocol {0}": "，子协议 {0}",
        ", unordered": "，无序",
        ", partially reliable": "，部分可靠",
        "encrypted alert": "加密的警报",
        ", in {0} fragments": "，分为 {0} 片",
    ]
}
