/// The kinds of secrets in a key log (RFC 9850 §2, with the labels that earlier versions of NSS and OpenSSL write).
public enum SecretLabel: String, Sendable, Hashable, CaseIterable {
    /// The master secret of TLS 1.2, DTLS 1.2 and earlier versions.
    case masterSecret = "CLIENT_RANDOM"
    /// The secret of early data (RFC 8446 §7.1).
    case clientEarlyTraffic = "CLIENT_EARLY_TRAFFIC_SECRET"
    /// The secret of the client's handshake messages.
    case clientHandshakeTraffic = "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
    /// The secret of the server's handshake messages.
    case serverHandshakeTraffic = "SERVER_HANDSHAKE_TRAFFIC_SECRET"
    /// The secret of the client's first application data.
    case clientTraffic = "CLIENT_TRAFFIC_SECRET_0"
    /// The secret of the server's first application data.
    case serverTraffic = "SERVER_TRAFFIC_SECRET_0"
    /// The secret from which other protocols derive keys.
    case exporter = "EXPORTER_SECRET"
    /// The same, available with early data.
    case earlyExporter = "EARLY_EXPORTER_SECRET"

    /// Labels of secrets that no dissector needs, or that are derived from others: of later key updates,
    /// QUIC, encrypted ClientHellos, and the name of `earlyExporter` in OpenSSL.
    static let unused: Set<String> = ["RSA", "EARLY_EXPORTER_MASTER_SECRET", "ECH_SECRET", "ECH_CONFIG"]
    /// How further such labels start.
    static let unusedPrefixes = ["QUIC_", "CLIENT_TRAFFIC_SECRET_", "SERVER_TRAFFIC_SECRET_"]

    /// Whether a secret of this kind may have a length in octets: 48 for a master secret (RFC 5246 §8.1), otherwise
    /// that of the hash function of a cipher suite.
    func allows(octets: Int) -> Bool {
        self == .masterSecret ? octets == 48 : octets == 32 || octets == 48
    }
}

/// The random octets of a ClientHello, which identify a connection in a key log.
public struct ClientRandom: Sendable, Hashable {
    /// The number of octets.
    public static let octetCount = 32
    /// The octets.
    public let octets: [UInt8]

    /// Creates a value from 32 octets; nil for any other number.
    public init?(_ octets: [UInt8]) {
        guard octets.count == Self.octetCount else { return nil }
        self.octets = octets
    }
}
