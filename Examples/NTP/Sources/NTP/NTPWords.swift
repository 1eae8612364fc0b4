import WeirKit

// The sentences of NTP, by report language.

enum NTPWords {
    static func all(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }

    /// The templates of summary lines; English needs none.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }

    private static let chineseLines = [
        "peer asks": "对等方提问", "peer answers": "对等方应答", "client asks": "客户端提问",
        "server answers": "服务器应答", "server broadcasts": "服务器广播",
        "{0}, version {1}": "{0}，版本 {1}",
        "not synchronized": "未同步",
        "clock  {0} answered  offset {1}  delay at least {2}": "时钟  {0} 次应答  偏移 {1}  延迟至少 {2}",
        "kiss code {0}": "kiss 代码 {0}",
        "stratum {0} ({1})": "层级 {0}（{1}）",
        "a leap second is coming": "即将插入闰秒",
        "a second will be left out": "将减去一秒",
        "{0} octets of extensions": "{0} 字节的扩展",
    ]

    private static let english = [
        "phase.ntpQuestion": "Questions",
        "phase.ntpTime": "The time",
        "phase.ntpRefusal": "Refused",
        "ntp.note.question": "Asks for the time; the server is to send the transmit timestamp back as it is.",
        "ntp.note.kiss": "A kiss of death: the server tells the client to go away, or to ask less often.",
        "ntp.note.unsynchronized": "The server answers, but does not know the time itself.",
        "ntp.note.answer":
            "Tells when the question arrived and when this answer left: two of the four times of an exchange.",
        "ntp.note.peerAsks": "A peer offers its time and asks for the other's.",
        "ntp.note.peerAnswers": "The other peer answers with its time.",
        "ntp.note.broadcast": "Tells everybody on the network the time; nobody asked.",
        "ntp.remark.again": "The same packet again: its transmit timestamp has not changed.",
        "ntp.outcome.time":
            "{0} of {1} {1|question|questions} {0|was|were} answered; the server's clock is {2} ms ahead of the capture's.",
        "ntp.outcome.refused": "The server refused: {0}.",
        "ntp.outcome.nothing": "{0} {0|question|questions} captured, no answer with the time",
        "limit.ntp.openQuestions": "limit reached: {0} {0|question was|questions were} not kept until an answer came",
        "NTP-TURNAROUND.early": "The answer says that it left before the question came.",
        "NTP-TURNAROUND.unasked":
            "The answer says that it left before the question came; the capture does not hold the question, by which alone "
            + "it could be told whether it means the answer before.",
    ]

    private static let chinese = [
        "phase.ntpQuestion": "提问",
        "phase.ntpTime": "时间",
        "phase.ntpRefusal": "被拒绝",
        "ntp.note.question": "询问时间；服务器须原样送回发送时间戳。",
        "ntp.note.kiss": "“死亡之吻”：服务器要求客户端离开，或降低询问频率。",
        "ntp.note.unsynchronized": "服务器作了应答，但它自己也不知道时间。",
        "ntp.note.answer": "说明问题何时到达、应答何时发出：一次交换的四个时间中的两个。",
        "ntp.note.peerAsks": "一个对等方给出自己的时间，并询问对方的时间。",
        "ntp.note.peerAnswers": "另一个对等方以自己的时间作答。",
        "ntp.note.broadcast": "向网络上的所有人报时；无人询问。",
        "ntp.remark.again": "同一个报文再次出现：发送时间戳没有变化。",
        "ntp.outcome.time": "{1} 个问题中有 {0} 个得到应答；服务器时钟比抓包时钟快 {2} 毫秒。",
        "ntp.outcome.refused": "服务器拒绝：{0}。",
        "ntp.outcome.nothing": "抓包文件中有 {0} 个问题，没有告知时间的应答",
        "limit.ntp.openQuestions": "达到上限：{0} 个问题未能保留到应答到来",
        "NTP-TURNAROUND.early": "应答称其发出早于问题到达。",
        "NTP-TURNAROUND.unasked": "应答称其发出早于问题到达；抓包文件中没有该问题，因而无法判断它所指的是否为上一个应答。",
    ]
}
