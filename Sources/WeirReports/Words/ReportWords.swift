import WeirEngine

/// What the reports themselves say: headings, labels, figures.
enum ReportWords {
    static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// What the templates of reasons from below are in a language; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }

    /// Why a capture could not be read to its end.
    private static let chineseLines: [String: String] = [
        "the file ends inside a packet: {0} of its {1} octets are there": "文件在一个数据包内结束，{1} 字节中只有 {0} 字节",
        "the file ends inside the header of a packet": "文件在数据包头部内结束",
        "the file ends inside its first block": "文件在第一个块内结束",
        "the file ends inside the header of a block": "文件在块头部内结束",
        "the file ends inside a block of {0} octets": "文件在一个 {0} 字节的块内结束",
        "a packet claims {0} octets, more than {1}": "一个数据包声称有 {0} 字节，超过 {1}",
        "a block of {0} octets cannot be": "不可能有 {0} 字节的块",
        "a block claims {0} octets, more than {1}": "一个块声称有 {0} 字节，超过 {1}",
        "a block says {0} octets at its begin and {1} at its end": "一个块在开头说 {0} 字节，在结尾说 {1} 字节",
        "a section header has no byte order mark": "节头没有字节序标记",
        "pcapng version {0}.{1} is not known": "未知的 pcapng 版本 {0}.{1}",
        "more than {0} interfaces": "接口多于 {0} 个",
        "an option of an interface does not fit into its block": "接口的一个选项超出其块",
        "an interface's time option has {0} octets": "接口的时间选项有 {0} 字节",
        "a packet of {0} octets does not fit into its block of {1}": "{0} 字节的数据包超出其 {1} 字节的块",
        "a packet is of interface {0}, but the section describes {1}": "数据包属于接口 {0}，而该节只描述了 {1} 个",
        "a block of type {0} has {1} octets, less than {2}": "类型为 {0} 的块有 {1} 字节，少于 {2}",
        "the file ends inside its header": "文件在其头部内结束",
        "the gzip data makes no sense": "gzip 数据无法理解",
        "the zstd data makes no sense": "zstd 数据无法理解",
        "the gzip data is cut short": "gzip 数据不完整",
        "the zstd data is cut short": "zstd 数据不完整",
        "something else follows the gzip data": "gzip 数据之后还有其他内容",
        "the gzip data is damaged": "gzip 数据已损坏",
        "the zstd data is damaged": "zstd 数据已损坏",
        "header length {0}, but the least is {1}": "头部长度为 {0}，至少应为 {1}",
        "length {0}, but the least is {1}": "长度为 {0}，至少应为 {1}",
        "length {0}": "长度为 {0}",
        "total length {0} is less than the header's": "总长度 {0} 小于头部长度",
        "version {0}, not {1}": "版本为 {0}，不是 {1}",
        "version {0}, neither {1} nor {2}": "版本为 {0}，既不是 {1} 也不是 {2}",
        "version and type are not {0}": "版本和类型不为 {0}",
        "fragment without octets": "分片不含任何字节",
        "fragment of {0} octets, not a multiple of {1}": "分片有 {0} 字节，不是 {1} 的倍数",
        "fragment that ends at octet {0}": "分片结束于第 {0} 字节",
    ]
}
