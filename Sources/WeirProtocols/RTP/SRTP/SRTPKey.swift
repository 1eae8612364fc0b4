import Crypto
import WeirPackets

/// An SRTP master key with its salt and profile (RFC 3711 §3.2.1, RFC 4568 §6.1). Secret: never printed.
package struct SRTPKey: Sendable, Hashable {
    /// The origin of a key.
    package enum Source: Sendable, Hashable {
        /// `a=crypto` of a session description (RFC 4568).
        case description
        /// MIKEY (RFC 3830) in a session description or in RTSP.
        case mikey
        /// A line of a file with SRTP keys.
        case file(String, line: Int)
        /// The master secret of a DTLS handshake (RFC 5764), by the name of its key log.
        case handshake(String)

        /// Whether the packets must match it: it is the key of a description, whose other key exchange is none.
        var isSignaled: Bool {
            switch self {
            case .description: true
            case .mikey, .file, .handshake: false
            }
        }

        /// The name in reports: of the attribute or protocol, or of the file.
        package var name: String {
            switch self {
            case .description: "a=crypto"
            case .mikey: "MIKEY"
            case .file(let name, _), .handshake(let name): name
            }
        }
    }

    /// The profile.
    package let profile: SRTPProfile
    let master: SymmetricKey
    let salt: [UInt8]
    /// Octets of the MKI in packets; 0 if there is none (RFC 3711 §3.1).
    let identifierOctets: Int
    /// Packets after which session keys are derived anew; 0 for never (RFC 3711 §4.3.1).
    let rate: UInt64
    /// Where it is from.
    package let source: Source

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - secret: master key and salt.
    ///   - identifierOctets: octets of the MKI in packets.
    ///   - rate: the key derivation rate, a power of two up to 2^24, or 0.
    /// - Returns: nil if a length or the rate does not match the profile.
    package init?(
        _ profile: SRTPProfile, secret: [UInt8], identifierOctets: Int = 0, rate: UInt64 = 0,
        source: Source = .description
    ) {
        guard secret.count == profile.keyOctets + profile.saltOctets, 0...128 ~= identifierOctets,
            rate & (rate &- 1) == 0 || rate == 0, rate <= 1 << 24
        else { return nil }
        self.profile = profile
        master = SymmetricKey(data: secret.prefix(profile.keyOctets))
        salt = Array(secret.dropFirst(profile.keyOctets))
        self.identifierOctets = identifierOctets
        self.rate = rate
        self.source = source
    }

    /// Hashes everything but the key, which offers no access to its octets.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(profile)
        hasher.combine(salt)
        hasher.combine(identifierOctets)
    }
}
