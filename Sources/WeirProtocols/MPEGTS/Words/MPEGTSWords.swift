import WeirEngine

/// What transport streams in UDP say to people.
enum MPEGTSWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }

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
