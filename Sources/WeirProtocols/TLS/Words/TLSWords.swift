import WeirEngine

/// The texts of TLS in each language.
enum TLSWords {
    static func all(_ language: Language) -> [[String: String]] {
        switch language {
        case .english: [english]
        case .chinese: [chinese]
        }
    }

    /// Returns the line templates of a language; none for English.
    static func lines(_ language: Language) -> [String: String] {
        switch language {
        case .english: [:]
        case .chinese: chineseLines
        }
    }

    /// The assumed application protocol of a connection.
    private static let english: [String: String] = [
        "limit.handshake":
            "limit reached: handshake messages too long to be read in {0} TLS {0|connection|connections}",
        "tls.rtsps.port": "Encrypted; RTSP over TLS (RTSPS) according to the port.",
        "tls.turns.port": "Encrypted; TURN or STUN over TLS according to the port.",
        "tls.name.rtsps": "Encrypted; RTSP over TLS (RTSPS) according to the name {0}.",
        "tls.name.websocket": "Encrypted; WebSocket (WSS) according to the server name {0}.",
        "tls.name.signaling": "Encrypted; the server name {0} suggests call signaling.",
        "tls.name.whip": "Encrypted; WHIP or WHEP according to the server name {0}.",
        "tls.name.turn": "Encrypted; TURN over TLS according to the server name {0}.",
        "tls.turns.protocol": "Encrypted; the client requests {0}: STUN or TURN over TLS.",
    ]

    private static let chineseLines = [
        "ClientHello, {0}": "ClientHello，{0}", ", server {0}": "，服务器名 {0}", ", for {0}": "，用于 {0}",
        "ServerHello, {0}": "ServerHello，{0}", "HelloRetryRequest, {0}": "HelloRetryRequest，{0}",
        ", cipher suite {0}": "，密码套件 {0}",
        "not decrypted: cipher suite {0}": "未解密：密码套件 {0}", "not decrypted: {0}": "未解密：{0}",
        "not decrypted: a secret is missing in the key log": "未解密：密钥日志中缺少密钥",
        "not decrypted: the secret in the key log does not match": "未解密：密钥日志中的密钥不匹配",
        "renegotiation: not decrypted from here": "重新协商：此后未解密",
        "not decrypted: no ServerHello": "未解密：没有 ServerHello",
        "HTTP/2: decrypted, but not dissected": "HTTP/2：已解密，但未解析",
    ]

    /// 连接可能承载的应用协议。
    private static let chinese: [String: String] = [
        "limit.handshake": "达到上限：{0} 个 TLS 连接中的握手消息过长，未读取",
        "tls.rtsps.port": "已加密；从端口看是 TLS 上的 RTSP（RTSPS）。",
        "tls.turns.port": "已加密；从端口看是 TLS 上的 TURN 或 STUN。",
        "tls.name.rtsps": "已加密；从服务器名 {0} 看是 TLS 上的 RTSP（RTSPS）。",
        "tls.name.websocket": "已加密；从服务器名 {0} 看是 WebSocket（WSS）。",
        "tls.name.signaling": "已加密；服务器名 {0} 表明可能是通话信令。",
        "tls.name.whip": "已加密；从服务器名 {0} 看是 WHIP 或 WHEP。",
        "tls.name.turn": "已加密；从服务器名 {0} 看是 TLS 上的 TURN。",
        "tls.turns.protocol": "已加密；客户端请求 {0}：TLS 上的 STUN 或 TURN。",
    ]
}
