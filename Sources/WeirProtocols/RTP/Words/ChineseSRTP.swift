extension RTPWords {
    /// 加密媒体。
    static let chineseSRTP: [String: String] = [
        "SRTP-AUTH.some": "{1} 个包中有 {0} 个的认证标签错误，最先是第 {3} 帧的序号 {2}：在途中被改动，或用了别的密钥。",
        "SRTP-AUTH.none": "{0} 个包的认证标签没有一个正确（最先在第 {1} 帧{2}）：所用的密钥不是 a=crypto 给出的，或序号的轮数数得不同。",
        "SRTP-AUTH.givenUp": "；其后的未再验证",
        "SRTP-AUTH.unidentified":
            "{1} 个包中有 {0} 个缺少 a=crypto 声明的主密钥标识，最先是第 {3} 帧的序号 {2}；不计标识时标签正确。",
        "rule.SRTP-AUTH": "在 a=crypto 给出密钥时，每个包的认证标签都正确。",
        "why.SRTP-AUTH": "接收方会丢弃标签错误的包，如同它们丢失了一样。",
        "mend.SRTP-AUTH": "用自己的 a=crypto 中的密钥和套件发送，数清序号的轮数，途中不要改动包。",
    ]
}
