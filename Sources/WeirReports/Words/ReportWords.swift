import WeirEngine

/// Texts of the reports themselves: headings, labels, numbers.
enum ReportWords {
    static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// Returns the templates of error reasons in a language; none for English.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }

    /// Why a capture could not be read to its end.
    private static let chineseLines: [String: String] = [
        "the file is cut short in the middle of a packet: {0} of {1} octets": "文件在一个数据包中间被截断：{1} 字节中只有 {0} 字节",
        "the file is cut short in the middle of a packet header": "文件在一个数据包头部中间被截断",
        "the file is cut short in the middle of its first block": "文件在第一个块中间被截断",
        "the file is cut short in the middle of a block header": "文件在一个块头部中间被截断",
        "the file is cut short in the middle of a block of {0} octets": "文件在一个 {0} 字节的块中间被截断",
        "packet length {0} exceeds the limit of {1}": "数据包长度 {0} 超过上限 {1}",
        "invalid block length {0}": "块长度 {0} 无效",
        "block length {0} exceeds the limit of {1}": "块长度 {0} 超过上限 {1}",
        "the two lengths of a block differ: {0} and {1} octets": "一个块首尾的两个长度不一致：{0} 字节和 {1} 字节",
        "invalid byte-order magic in a section header": "节头中的字节序魔数无效",
        "unsupported pcapng version {0}.{1}": "不支持的 pcapng 版本 {0}.{1}",
        "more than {0} interfaces": "接口多于 {0} 个",
        "an interface option exceeds its block": "接口的一个选项超出其块",
        "invalid length of an interface's time option: {0} octets": "接口的时间选项长度无效：{0} 字节",
        "a packet of {0} octets exceeds its block of {1} octets": "{0} 字节的数据包超出其 {1} 字节的块",
        "a packet refers to interface {0}, but the section describes only {1}": "数据包引用接口 {0}，而该节只描述了 {1} 个",
        "a block of type {0} has {1} octets, fewer than the minimum of {2}": "类型为 {0} 的块有 {1} 字节，少于最小值 {2}",
        "the file is cut short in the middle of its header": "文件在其头部中间被截断",
        "the gzip data cannot be decompressed": "gzip 数据无法解压",
        "the zstd data cannot be decompressed": "zstd 数据无法解压",
        "the gzip data is cut short": "gzip 数据不完整",
        "the zstd data is cut short": "zstd 数据不完整",
        "trailing garbage after the gzip data": "gzip 数据之后有多余内容",
        "the gzip data is corrupt": "gzip 数据已损坏",
        "the zstd data is corrupt": "zstd 数据已损坏",
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
