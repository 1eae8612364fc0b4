import WeirEngine

/// What TLS says to people: for each language a file.
enum TLSWords {
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

    /// What a connection is believed to carry.
    private static let english: [String: String] = [
        "tls.rtsps.port":
            "Encrypted. The port is that of RTSP in TLS (RTSPS): what is asked for, and the media, cannot be seen.",
        "tls.turns.port":
            "Encrypted. The port is that of TURN and STUN in TLS: what a relay carries in it cannot be seen.",
        "tls.name.rtsps":
            "Encrypted. The server's name, {0}, says that it takes RTSP, here in TLS (RTSPS): what is asked for, and the media, "
            + "cannot be seen.",
        "tls.name.websocket":
            "Encrypted. The server's name, {0}, says that it takes WebSocket (WSS): what is signaled in it cannot be seen.",
        "tls.name.signaling":
            "Encrypted. The server's name, {0}, has a word of those that serve calls: if this is their signaling, mostly in "
            + "WebSocket (WSS), it cannot be seen.",
        "tls.name.whip":
            "Encrypted. The server's name, {0}, says that it takes WHIP or WHEP: offer and answer in it cannot be seen.",
        "tls.name.turn":
            "Encrypted. The server's name, {0}, says that it is a relay (TURN): what it carries in TLS cannot be seen.",
        "tls.turns.protocol":
            "Encrypted. The client asks for {0}: STUN or TURN in TLS, and what a relay carries in it cannot be seen.",
    ]

    private static let chineseLines = [
        "ClientHello, {0}": "ClientHello，{0}", ", server {0}": "，服务器名 {0}", ", for {0}": "，用于 {0}",
    ]

    /// 这条连接大概承载什么。
    private static let chinese: [String: String] = [
        "tls.rtsps.port": "已加密。端口是 TLS 上的 RTSP（RTSPS）：看不到请求的内容，也看不到媒体。",
        "tls.turns.port": "已加密。端口是 TLS 上的 TURN 与 STUN：看不到中继承载的内容。",
        "tls.name.rtsps": "已加密。服务器名 {0} 表明它接受 RTSP，这里在 TLS 上（RTSPS）：看不到请求的内容，也看不到媒体。",
        "tls.name.websocket": "已加密。服务器名 {0} 表明它接受 WebSocket（WSS）：看不到其中的信令。",
        "tls.name.signaling": "已加密。服务器名 {0} 含有通话服务常用的词：若这是其信令（多为 WSS），则看不到内容。",
        "tls.name.whip": "已加密。服务器名 {0} 表明它接受 WHIP 或 WHEP：看不到其中的提议与应答。",
        "tls.name.turn": "已加密。服务器名 {0} 表明它是中继（TURN）：看不到 TLS 里承载的内容。",
        "tls.turns.protocol": "已加密。客户端要求 {0}：TLS 上的 STUN 或 TURN，看不到中继承载的内容。",
    ]
}
