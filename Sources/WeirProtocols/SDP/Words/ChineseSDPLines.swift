extension SDPWords {
    /// What lines about descriptions are made of, by their English templates.
    static let chineseLines: [String: String] = [
        "\"{0}\", no media": "“{0}”，没有媒体",
        "no media": "没有媒体",
        "offer: ": "提议：",
        "answer: ": "应答：",
        " control {0}": "，控制地址 {0}",
    ]
}
