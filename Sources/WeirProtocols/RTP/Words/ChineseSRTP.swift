extension RTPWords {
    /// Messages about encrypted media.
    static let chineseSRTP: [String: String] = [
        "SRTP-AUTH.some": "{1} 个包中有 {0} 个的认证标签错误（最先是第 {3} 帧的序号 {2}）：在途中被改动，或密钥不同。",
        "SRTP-AUTH.none": "{0} 个包的认证标签没有一个正确（最先在第 {1} 帧{2}）：密钥与 a=crypto 不同，或回绕计数器（ROC）不同。",
        "SRTP-AUTH.givenUp": "；其后的未再验证",
        "SRTP-AUTH.unidentified": "{1} 个包中有 {0} 个没有 a=crypto 声明的 MKI（最先是第 {3} 帧的序号 {2}）；不计 MKI 时认证标签正确。",
        "rule.SRTP-AUTH": "在 a=crypto 给出密钥时，每个包的认证标签都正确。",
        "why.SRTP-AUTH": "接收方会丢弃认证标签错误的包。",
        "mend.SRTP-AUTH": "使用自己的 a=crypto 中的密钥和套件，维护回绕计数器（ROC），途中不要改动包。",
    ]
}
