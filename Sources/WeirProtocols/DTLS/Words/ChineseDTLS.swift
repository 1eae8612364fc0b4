extension DTLSWords {
    /// DTLS 的步骤。
    static let chinese: [String: String] = [
        "dtls.clientHello": "一方开始协商密钥：提出版本、加密套件，以及可用于加密媒体的方案。",
        "dtls.serverHello": "另一方从中选定。",
        "dtls.serverHello.hides": "另一方从中选定。在这个版本里此后一切都加密，证书也不例外：看不到它们是否与宣布的散列值一致。",
        "dtls.retry": "服务器要求客户端再提一次，以确认客户端确实存在。",
        "dtls.certificate": "对端出示证书。它的散列值必须与会话描述里宣布的一致：这样双方知道中间没有别人。",
        "dtls.certificate.alone": "一方以明文出示证书。",
        "dtls.certificate.matches": "对端出示证书，散列值与第 {0} 帧的描述所宣布的一致。",
        "dtls.certificate.matchesBy": "对端出示证书。其 {1} 散列值是第 {0} 帧的描述所宣布的；本行所示的 SHA-256 散列值不在其中。",
        "dtls.certificate.differs": "对端出示证书，散列值与第 {0} 帧的描述所宣布的不一致：另一方必须拒绝。",
        "dtls.alert": "对端说明握手出了什么问题。",
        "dtls.alert.close_notify": "对端表示要关闭连接。",
        "dtls.alert.handshake_failure": "对端在提议中找不到可用的方案。",
        "dtls.alert.bad_certificate": "对端不接受证书：常常是散列值与宣布的不同。",
        "dtls.alert.certificate_unknown": "对端不接受证书。",
        "dtls.alert.unknown_ca": "对端不认识证书的签发者。",
        "dtls.finished": "从这里起这一方的握手已加密；双方都如此时，媒体密钥就谈妥了。",
        "dtls.alert.encrypted": "一条已加密的警报，内容看不到；握手之后几乎总是表示连接结束。",
        "dtls.moved": "握手始于第 {0} 帧的连接在这里的另一候选对上继续；所载内容已加密。",
        "dtls.finished.late": "这一方完成握手，或开始新的一次握手；抓包里没有握手开头的 Hello 消息。",
        "dtls.applicationData.late": "连接早已建立：握手在抓包之前，或在别处。所载内容已加密。",
        "dtls.applicationData": "连接里的第一份数据：属于数据通道（已加密），或 TLS 自身的消息。",
    ]
}
