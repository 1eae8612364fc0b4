extension SDPWords {
    /// Templates of description lines, keyed by the English template.
    static let chineseLines: [String: String] = [
        "\"{0}\", no media": "“{0}”，没有媒体",
        "no media": "没有媒体",
        "offer: ": "提议：",
        "answer: ": "应答：",
        " control {0}": "，控制地址 {0}",
    ]
}
