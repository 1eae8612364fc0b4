import WeirEngine

/// The message catalogs of transport streams over UDP.
enum MPEGTSWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }

    /// Returns the translations of line templates for a language; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }

    private static let chineseLines = [
        "MPEG transport stream begins, {0} {0|packet|packets} per datagram": "MPEG 传输流开始，每个数据报 {0} 个包",
        "MPEG transport stream on channel {0} begins, {1} {1|packet|packets} per frame":
            "MPEG 传输流在通道 {0} 上开始，每帧 {1} 个包",
        "MPEG transport stream begins in the body of an HTTP message": "MPEG 传输流在 HTTP 消息体中开始",
        "ends after {0} {0|packet|packets} in {1} s": "结束，{1} s 内共 {0} 个包",
        "continuity errors in {0} {0|packet|packets}": "{0} 个包中有连续计数器错误",
        "ends after {0} {0|frame|frames} in {1} s": "结束，{1} s 内共 {0} 帧",
        "continuity errors in {0} {0|frame|frames}": "{0} 帧中有连续计数器错误",
        "ends after {0} {0|datagram|datagrams} in {1} s": "结束，{1} s 内共 {0} 个数据报",
        "{0} {0|datagram|datagrams}": "{0} 个数据报",
        "continuity errors in {0} {0|datagram|datagrams}": "{0} 个数据报中有连续计数器错误",
        "program {0}": "节目 {0}",
        "{0} programs": "{0} 个节目",
        "MPEG transport stream": "MPEG 传输流",
        "network {0}": "网络 {0}",
        "{0} % null packets": "空包 {0} %",
        "PID": "PID",
        "program": "节目",
        "content": "内容",
        "packets": "包数",
        "kbit/s": "kbit/s",
        "continuity errors": "连续计数错误",
        "stream type {0}": "流类型 {0}",
        "page {0}": "页 {0}",
        "pages {0}": "页 {0}",
        "{0} {0|packet|packets} scrambled": "{0} 个包已加扰",
        "PTS up to {0} ms after DTS": "PTS 最多晚于 DTS {0} ms",
        "{0} ms ahead of the PCR": "领先 PCR {0} ms",
        "{0} to {1} ms ahead of the PCR": "领先 PCR {0} 至 {1} ms",
        "PCR every {0} ms (max {1})": "PCR 间隔 {0} ms（最大 {1}）",
        "PCR accuracy {0} ns": "PCR 精度 {0} ns",
        "PCR jitter {0} ms (max {1})": "PCR 抖动 {0} ms（最大 {1}）",
    ]

    private static let english: [String: String] = [
        "mpegts.start": "First packets of an MPEG transport stream.",
        "mpegts.end": "Last packets of this stream.",
    ]

    private static let chinese: [String: String] = [
        "mpegts.start": "MPEG 传输流的第一批包。",
        "mpegts.end": "该流的最后一批包。",
    ]
}
