import Crypto
package import WeirEngine
package import WeirPackets

/// A message of a DTLS connection (RFC 6347, RFC 9147), as far as it is readable without keys.
package struct DTLSMessage: Message {
    /// The content of a message.
    package enum Content: Sendable, Hashable {
        /// A ClientHello.
        case clientHello(TLSHello)
        /// A ServerHello.
        case serverHello(TLSHello)
        /// The first certificate of the chain, in DER.
        case certificate([UInt8])
        /// An unencrypted alert: whether it is fatal, and its code.
        case alert(isFatal: Bool, UInt8)
        /// The first encrypted alert of a side; after a handshake nearly always close_notify.
        case encryptedAlert
        /// The first encrypted handshake record of a side.
        case finished
        /// The first application data record of a side, which is encrypted.
        case applicationData
        /// The opening of a data channel, in decrypted application data.
        case dataChannel(DataChannelOpening)
    }

    /// The maximum datagram size for any path: the IPv6 minimum MTU of 1,280, less room for IP, UDP and TURN headers
    /// (RFC 8085 §3.2).
    package static let longestDatagram = 1_200

    /// The content.
    package let content: Content
    /// Whether it is a retransmission.
    package internal(set) var isRetransmission = false
    /// The number of its records or fragments.
    package internal(set) var fragments = 1
    /// Whether no hello precedes it: the handshake was on another pair, or before the capture.
    package internal(set) var lacksHandshake = false
    /// The frame of the hello, if its handshake was on another candidate pair.
    package var handshakeFrame: Int?
    /// The data channels of the connection, if its records are decrypted.
    package internal(set) var channels: DataChannels?
    /// The name of the key log with which it was decrypted.
    package internal(set) var keySource: String?
    /// The random octets of a hello.
    package internal(set) var random: [UInt8]?
    /// Octets of the datagram that completed it.
    package internal(set) var datagramOctets = 0
    /// Whether it is relayed.
    package var isRelayed = false
    /// The peer behind the relay, if known.
    package var relayPeer: Endpoint?
    /// The type of its session.
    package var sessionType: Session.Type?

    init(_ content: Content) {
        self.content = content
    }

    /// The protocol name, `dtls`.
    package var protocolName: String { "dtls" }

    /// The kind, as defined in the report format.
    package var kind: String {
        switch content {
        case .clientHello: "clientHello"
        case .serverHello: "serverHello"
        case .certificate: "certificate"
        case .alert, .encryptedAlert: "alert"
        case .finished: "finished"
        case .applicationData: "applicationData"
        case .dataChannel: "dataChannel"
        }
    }

    /// Returns the fingerprint of the certificate in SDP format (RFC 8122 §5): `sha-256 AA:BB:…`; nil if the hash
    /// function is not supported.
    package func fingerprint(_ function: String = "sha-256") -> String? {
        guard case .certificate(let octets) = content else { return nil }
        return CertificateFingerprint.text(octets, function)
    }

    /// Returns the content of the message.
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
        case .finished: words = lacksHandshake ? "encrypted handshake record" : "Finished (encrypted)"
        case .dataChannel(let opening):
            words = "data channel \(opening.label) on stream \(opening.stream)"
            if !opening.subprotocol.isEmpty { words += ", protocol \(opening.subprotocol)" }
            if opening.isUnordered { words += ", unordered" }
            if opening.isPartial { words += ", partially reliable" }
        case .applicationData: words = lacksHandshake ? "encrypted data" : "first encrypted data"
        }
        if fragments > 1 { words += ", in \(fragments) fragments" }
        if isRelayed { words += " (relayed)" }
        if isRetransmission { words += " (retransmission)" }
        return words
    }

    private static func profiles(_ hello: TLSHello) -> Wording {
        guard let profiles = hello.srtpProfiles, !profiles.isEmpty else { return "" }
        return ", \(profiles.map { TLSNames.srtpProfile($0) }.joined(separator: ", "))"
    }

    /// An explanation of the step.
    package var note: Text? {
        switch content {
        case .alert(_, let code):
            Text(Self.explainedAlerts.contains(code) ? "dtls.alert.\(TLSNames.alert(code))" : "dtls.alert")
        case .serverHello(let hello) where hello.asksAgain: Text("dtls.retry")
        case .serverHello(let hello) where hello.hidesCertificates: Text("dtls.serverHello.hides")
        case .encryptedAlert: Text("dtls.alert.encrypted")
        case .certificate where sessionType == nil: Text("dtls.certificate.alone")
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

    /// Retransmissions are counted.
    package var recurrence: String? { isRetransmission ? kind : nil }

    /// Returns the members of the report's `fields`.
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
        case .dataChannel(let opening):
            fields.add("streamId", Int(opening.stream))
            fields.add("label", opening.label)
            if !opening.subprotocol.isEmpty { fields.add("protocol", opening.subprotocol) }
            fields.add("ordered", !opening.isUnordered)
            fields.add("reliable", !opening.isPartial)
        }
        if isRetransmission { fields.add("retransmission", true) }
        if fragments > 1 { fields.add("fragments", fragments) }
        if isRelayed { fields.add("relayed", true) }
        return fields
    }
}

/// The fingerprint of a certificate in SDP format.
package enum CertificateFingerprint {
    /// Returns the name of the hash function, a space, and the digest in uppercase hexadecimal with colons (RFC 8122
    /// §5); nil if the function is not supported.
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
