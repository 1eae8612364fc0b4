extension DTLSWords {
    /// DTLS 的步骤。
    static let chinese: [String: String] = [
        "dtls.clientHello": "开始密钥交换：版本、加密套件、SRTP 方案。",
        "dtls.serverHello": "选定版本、加密套件和 SRTP 方案。",
        "dtls.serverHello.hides": "选定参数；此后全部加密（DTLS 1.3）。",
        "dtls.retry": "要求客户端带上 cookie 重发 hello。",
        "dtls.certificate": "必须与会话描述中的 a=fingerprint 一致。",
        "dtls.certificate.alone": "一方的证书，未加密。",
        "dtls.certificate.matches": "与第 {0} 帧的指纹一致。",
        "dtls.certificate.matchesBy": "与第 {0} 帧的 {1} 指纹一致；本行的 SHA-256 不在其中。",
        "dtls.certificate.differs": "与第 {0} 帧的指纹不一致：必须拒绝。",
        "dtls.alert": "报告握手失败的原因。",
        "dtls.alert.close_notify": "关闭连接。",
        "dtls.alert.handshake_failure": "提议中没有可接受的参数。",
        "dtls.alert.bad_certificate": "证书被拒绝，常常是指纹不符。",
        "dtls.alert.certificate_unknown": "证书被拒绝。",
        "dtls.alert.unknown_ca": "证书被拒绝：签发者未知。",
        "dtls.finished": "双方都发送后，媒体密钥即已建立。",
        "dtls.alert.encrypted": "已加密的警报；几乎总是连接结束。",
        "dtls.moved": "第 {0} 帧的连接在另一候选对上继续。",
        "dtls.finished.late": "抓包里没有这次握手的 hello。",
        "dtls.applicationData.late": "这里没有抓到握手；数据已加密。",
        "dtls.dataChannel": "打开数据通道（DCEP）；已解密。",
        "dtls.applicationData": "首份数据：数据通道（已加密）或 TLS 消息。",
    ]
}
