import Crypto
import WeirPackets

/// The digests of the "complex" handshake, by which peers recognize each other: HMAC-SHA256 with keys shared by Adobe's
/// player and server.
///
/// Not specified; known from Adobe's programs, and implemented alike in librtmp, ffmpeg, nginx-rtmp and SRS. C1 and S1
/// contain a digest of their other 1504 octets, at an offset given by four octets at a fixed position. C2 and S2 end
/// with a digest of their first 1504 octets, whose key is derived from the digest of S1 or C1.
struct HandshakeDigest: Sendable, Hashable {
    /// The position of the four octets that give the offset of the digest.
    enum Place: Int, Sendable, Hashable, CaseIterable {
        /// Octets 8 to 11: scheme 0.
        case first = 8
        /// Octets 772 to 775: scheme 1.
        case second = 772
    }

    /// The side that signed the part.
    enum Signer {
        /// The client: C1, C2.
        case player
        /// The server: S1, S2.
        case server

        fileprivate var name: [UInt8] {
            switch self {
            case .player: Array("Genuine Adobe Flash Player 001".utf8)
            case .server: Array("Genuine Adobe Flash Media Server 001".utf8)
            }
        }

        /// The key of C1 or S1.
        fileprivate var key: SymmetricKey { SymmetricKey(data: name) }
        /// The key from which that of C2 or S2 is derived.
        fileprivate var longKey: SymmetricKey { SymmetricKey(data: name + HandshakeDigest.secret) }
    }

    private static let secret: [UInt8] = [
        0xF0, 0xEE, 0xC2, 0x4A, 0x80, 0x68, 0xBE, 0xE8, 0x2E, 0x00, 0xD0, 0xD1, 0x02, 0x9E, 0x7E, 0x57,
        0x6E, 0xEC, 0x5D, 0x2D, 0x29, 0x80, 0x6F, 0xAB, 0x93, 0xB8, 0xE6, 0x36, 0xCF, 0xEB, 0x31, 0xAE,
    ]
    private static let partOctets = 1_536
    private static let digestOctets = 32

    /// The position of the offset field.
    let place: Place
    /// The offset of the digest in the part.
    let offset: Int
    /// The 32 octets of the digest.
    let octets: [UInt8]

    /// Whether a C1 or S1 may have a digest that librtmp, ffmpeg and nginx-rtmp look for: octets 4 to 7, the version of the
    /// sender's program, are not zero.
    static func mayHaveDigest(_ part: [UInt8]) -> Bool { part.rawSpan.uint32(at: 4) != 0 }

    /// Finds the digest of a C1 or S1, or returns nil if neither position leads to a valid one.
    init?(part: [UInt8], signer: Signer) {
        guard part.count == Self.partOctets else { return nil }
        let key = signer.key
        for place in Place.allCases {
            let offset = Self.offset(part, place)
            var code = HMAC<SHA256>(key: key)
            code.update(data: part[..<offset])
            code.update(data: part[(offset &+ Self.digestOctets)...])
            let digest = Array(part[offset..<offset &+ Self.digestOctets])
            guard code.finalize().elementsEqual(digest) else { continue }
            self.place = place
            self.offset = offset
            octets = digest
            return
        }
        return nil
    }

    /// Returns whether `part`, a C2 or S2, was signed by `signer` in answer to this digest.
    func isAnswered(by part: [UInt8], signer: Signer) -> Bool {
        guard part.count == Self.partOctets else { return false }
        let key = HMAC<SHA256>.authenticationCode(for: octets, using: signer.longKey)
        let end = Self.partOctets &- Self.digestOctets
        let code = HMAC<SHA256>.authenticationCode(for: part[..<end], using: SymmetricKey(data: Array(key)))
        return code.elementsEqual(part[end...])
    }

    /// Returns the digest offset: the sum of the four octets modulo 728, counted from the octet after them.
    private static func offset(_ part: [UInt8], _ place: Place) -> Int {
        let start = place.rawValue
        return start &+ 4 &+ part[start..<start &+ 4].reduce(0) { $0 &+ Int($1) } % 728
    }
}
