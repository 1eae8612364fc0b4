extension WHIPWords {
    /// Line templates, by their English form.
    static let chineseLines: [String: String] = [
        ", offers media": "，提议媒体",
        ", answers the offer": "，应答提议",
        ", no more candidates": "，再无候选",
        ", no candidates": "，没有候选",
        ", the last candidate": "，最后一个候选",
        ", 1 candidate": "，1 个候选",
        ", the last {0} candidates": "，最后 {0} 个候选",
        ", {0} candidates": "，{0} 个候选",
        " as {0}": "，资源 {0}",
    ]
}
