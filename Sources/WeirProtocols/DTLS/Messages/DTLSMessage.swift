import Crypto
package import WeirEngine
package import WeirPackets

/// A step of a DTLS handshake or what follows it (RFC 6347, RFC 9147), as far as it can be read without keys.
package struct DTLSMessage: Message {
    /// What it is.
    package enum Content: Sendable, Hashable {
        /// The client's offer.
        case clientHello(TLSHello)
        /// The server's choice.
        case serverHello(TLSHello)
        /// The certificate that one side shows: the first of its chain, octets of DER.
        case certificate([UInt8])
        /// An alert in the clear: whether it is fatal, and its code.
        case alert(isFatal: Bool, UInt8)
        /// The first encrypted alert of a side: what it says is hidden, and after a handshake nearly always that it closes.
        case encryptedAlert
        /// The first encrypted handshake record of a side.
        case finished
        /// The first record of data of a side; what is in it is encrypted.
        case applicationData
    }

    /// Octets of the longest datagram that every path takes: what IPv6 carries everywhere, 1,280, less room for the headers of
    /// IP, UDP and a relay (RFC 8085 §3.2).
    package static let longestDatagram = 1_200

    /// What it is.
    package let content: Content
    /// Whether it was sent before.
    package internal(set) var isRetransmission = false
    /// Records or fragments that it came in.
    package internal(set) var fragments = 1
    /// Whether no hello came before it: the handshake was elsewhere, or before the capture.
    package internal(set) var lacksHandshake = false
    /// Where the handshake was that it belongs to, when that was on another pair of candidates: the frame of its hello.
    package var handshakeFrame: Int?
    /// Octets of the datagram that completed it.
    package internal(set) var datagramOctets = 0
    /// Whether a relay carries it.
    package var isRelayed = false
    /// The peer behind the relay, where that is known.
    package var relayPeer: Endpoint?
    /// The story that it is a step of.
    package var story: Session.Type?

    init(_ content: Content) {
        self.content = content
    }

    /// `dtls`.
    package var protocolName: String { "dtls" }

    /// The kind, as the contract of reports calls it.
    package var kind: String {
        switch content {
        case .clientHello: "clientHello"
        case .serverHello: "serverHello"
        case .certificate: "certificate"
        case .alert, .encryptedAlert: "alert"
        case .finished: "finished"
        case .applicationData: "applicationData"
        }
    }

    /// The hash of the certificate as SDP writes it (RFC 8122 §5): `sha-256 AA:BB:…`; nil when the function is not known.
    package func fingerprint(_ function: String = "sha-256") -> String? {
        guard case .certificate(let octets) = content else { return nil }
        return CertificateFingerprint.text(octets, function)
    }

    /// What the step says.
    package func wording(_ secrets: SecretPolicy) -> Wording {
        var words: Wording
        switch content {
        case .clientHello(let hello):
            words = "ClientHello, \(TLSNames.version(hello.version))"
            if let name = hello.serverName { words += ", server \(name)" }
            if hello.hasCookie { words += ", with cookie" }
            words += Self.profiles(hello)
        case .serverHello(let hello):
            words = hello.asksAgain ? "HelloRetryRequest" : "ServerHello"
            words += ", \(TLSNames.version(hello.version))"
            if let suite = hello.cipherSuites.first { words += ", \(TLSNames.cipherSuite(suite))" }
            words += Self.profiles(hello)
        case .certificate: words = "Certificate, \(fingerprint() ?? "")"
        case .alert(true, let code): words = "fatal alert \(TLSNames.alert(code))"
        case .alert(false, let code): words = "warning alert \(TLSNames.alert(code))"
        case .encryptedAlert: words = "encrypted alert"
        case .finished: words = lacksHandshake ? "encrypted handshake record" : "first encrypted handshake record"
        case .applicationData: words = lacksHandshake ? "encrypted data" : "first encrypted data"
        }
        if fragments > 1 { words += ", in \(fragments) fragments" }
        if isRelayed { words += " (relayed)" }
        if isRetransmission { words += " (sent again)" }
        return words
    }

    private static func profiles(_ hello: TLSHello) -> Wording {
        guard let profiles = hello.srtpProfiles, !profiles.isEmpty else { return "" }
        return ", \(profiles.map { TLSNames.srtpProfile($0) }.joined(separator: ", "))"
    }

    /// What the step does.
    package var note: Text? {
        switch content {
        case .alert(_, let code):
            Text(Self.explainedAlerts.contains(code) ? "dtls.alert.\(TLSNames.alert(code))" : "dtls.alert")
        case .serverHello(let hello) where hello.asksAgain: Text("dtls.retry")
        case .serverHello(let hello) where hello.hidesCertificates: Text("dtls.serverHello.hides")
        case .encryptedAlert: Text("dtls.alert.encrypted")
        case .certificate where story == nil: Text("dtls.certificate.alone")
        case .applicationData, .finished:
            if let handshakeFrame {
                Text("dtls.moved", .integer(handshakeFrame))
            } else {
                Text(lacksHandshake ? "dtls.\(kind).late" : "dtls.\(kind)")
            }
        default: Text("dtls.\(kind)")
        }
    }

    private static let explainedAlerts: Set<UInt8> = [0, 40, 42, 46, 48]

    /// What is sent again is a repetition.
    package var recurrence: String? { isRetransmission ? kind : nil }

    /// The members of the report's `fields`.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        switch content {
        case .clientHello(let hello), .serverHello(let hello):
            fields.add("version", TLSNames.version(hello.version))
            fields.add("serverName", hello.serverName)
            if !hello.applicationProtocols.isEmpty {
                fields.add("alpn", .array(hello.applicationProtocols.map { .string($0) }))
            }
            if case .serverHello = content {
                fields.add("cipherSuite", hello.cipherSuites.first.map(TLSNames.cipherSuite))
            }
            if let profiles = hello.srtpProfiles {
                fields.add("srtpProfiles", .array(profiles.map { .string(TLSNames.srtpProfile($0)) }))
            }
            if hello.asksAgain { fields.add("retryRequest", true) }
        case .certificate: fields.add("fingerprint", fingerprint())
        case .alert(let isFatal, let code):
            fields.add("level", isFatal ? "fatal" : "warning")
            fields.add("description", TLSNames.alert(code))
        case .encryptedAlert: fields.add("encrypted", true)
        case .finished, .applicationData: break
        }
        if isRetransmission { fields.add("retransmission", true) }
        if fragments > 1 { fields.add("fragments", fragments) }
        if isRelayed { fields.add("relayed", true) }
        return fields
    }
}

/// The hash of a certificate, as session descriptions write it.
package enum CertificateFingerprint {
    /// The function's name, a blank, and the digest in capital hexadecimal with colons (RFC 8122 §5); nil when the function
    /// is not one that is known.
    package static func text(_ certificate: [UInt8], _ function: String) -> String? {
        let digest: [UInt8]
        switch TextSyntax.lowercased(function) {
        case "sha-1": digest = Array(Insecure.SHA1.hash(data: certificate))
        case "sha-256": digest = Array(SHA256.hash(data: certificate))
        case "sha-384": digest = Array(SHA384.hash(data: certificate))
        case "sha-512": digest = Array(SHA512.hash(data: certificate))
        case "md5": digest = Array(Insecure.MD5.hash(data: certificate))
        default: return nil
        }
        let octets = digest.map { octet in
            let text = String(octet, radix: 16, uppercase: true)
            return text.utf8.count == 1 ? "0" + text : text
        }
        return TextSyntax.lowercased(function) + " " + octets.joined(separator: ":")
    }
}
