import WeirEngine

/// What transport streams in UDP say to people.
enum MPEGTSWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }

    /// What the templates of its lines are in a language; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }

    private static let chineseLines = [
        "MPEG transport stream begins, {0} {0|packet|packets} in a datagram": "MPEG 传输流开始，每个数据报 {0} 个包",
        "ends after {0} {0|datagram|datagrams} in {1} s": "结束，{1} s 内共 {0} 个数据报",
        "{0} {0|datagram|datagrams}": "{0} 个数据报",
        "counters jump in {0} {0|datagram|datagrams}": "{0} 个数据报中有计数器跳变",
        "program {0}": "节目 {0}",
        "{0} programs": "{0} 个节目",
    ]

    private static let english: [String: String] = [
        "mpegts.start":
            "A transport stream begins to flow: pictures and sound of one or several programs, multiplexed into packets of "
            + "188 octets.",
        "mpegts.end": "No more datagrams of this stream were seen.",
    ]

    private static let chinese: [String: String] = [
        "mpegts.start": "传输流开始传输：一个或多个节目的画面和声音，复用在 188 字节的包中。",
        "mpegts.end": "之后再没有见到该流的数据报。",
    ]
}
