import Crypto
import CryptoExtras
import WeirPackets

/// A stream encrypting key with its salt (§6.1.3).
struct SRTKey: Sendable {
    /// Octets of the salt, of which the first 14 form the IV.
    static let saltOctets = 16
    /// Where the packet index is in the counter; two octets of block counter follow (§6.1.2).
    private static let indexOffset = 10

    let key: SymmetricKey
    let salt: [UInt8]

    /// Decrypts a payload with AES in counter mode (§6.3.2).
    func decrypt(_ octets: [UInt8], sequence: UInt32) -> [UInt8]? {
        guard salt.count == Self.saltOctets else { return nil }
        var counter = salt.prefix(Self.saltOctets - 2) + [0, 0]
        for (place, shift) in [24, 16, 8, 0].enumerated() {
            counter[Self.indexOffset + place] ^= UInt8(truncatingIfNeeded: sequence >> UInt32(shift))
        }
        guard let nonce = try? AES._CTR.Nonce(nonceBytes: counter) else { return nil }
        return (try? AES._CTR.decrypt(octets, using: key, nonce: nonce)).map(Array.init)
    }
}

/// The even and odd key of each direction, as far as passphrases unwrap them.
struct SRTKeys: Sendable {
    private static let rounds = 2_048
    private static let cipher = UInt8(2)

    /// The file whose passphrase fits, or nil if none does so far.
    private(set) var source: String?
    private let file: SRTPassphraseFile
    private var derivations: Int
    private var client: (even: SRTKey?, odd: SRTKey?)
    private var server: (even: SRTKey?, odd: SRTKey?)
    private var latest: [UInt8] = []

    /// Creates keys, or returns nil if the user supplied no passphrase.
    init?(_ settings: SRTSettings) {
        guard let file = settings.passphrases, file.count > 0 else { return nil }
        self.file = file
        derivations = settings.derivations
    }

    /// Unwraps the keys of a message (§6.3.1). Those of a handshake are for both directions, those of a refresh for the
    /// packets of the side that announces it.
    mutating func take(_ material: SRTKeyMaterial, of direction: Direction, isHandshake: Bool) {
        guard material.state == nil, material.isWellFormed, material.cipher == Self.cipher,
            material.salt.count == SRTKey.saltOctets, [16, 24, 32].contains(material.keyLength),
            isHandshake || material.wrapped != latest || !material.isResponse
        else { return }
        if isHandshake, material.wrapped == latest { return }
        latest = material.wrapped
        var isTried = false
        for passphrase in file.passphrases where derivations > 0 && file.takeDerivation() {
            derivations -= 1
            isTried = true
            guard
                let kek = try? KDF.Insecure.PBKDF2.deriveKey(
                    from: passphrase, salt: material.salt.suffix(8), using: .insecureSHA1,
                    outputByteCount: material.keyLength, unsafeUncheckedRounds: Self.rounds),
                let unwrapped = try? AES.KeyWrap.unwrap(material.wrapped, using: kek)
            else { continue }
            var octets = SecretMemory.octets(of: unwrapped)
            defer { SecretMemory.overwrite(&octets) }
            source = file.source
            file.note(isUnwrapped: true)
            let sender = material.isResponse ? direction.opposite : direction
            if isHandshake || sender == .clientToServer { Self.set(&client, octets, material) }
            if isHandshake || sender == .serverToClient { Self.set(&server, octets, material) }
            return
        }
        if isTried { file.note(isUnwrapped: false) }
    }

    private static func set(
        _ keys: inout (even: SRTKey?, odd: SRTKey?), _ octets: [UInt8], _ material: SRTKeyMaterial
    ) {
        var rest = octets[...]
        func next() -> SRTKey {
            defer { rest = rest.dropFirst(material.keyLength) }
            return SRTKey(key: SymmetricKey(data: rest.prefix(material.keyLength)), salt: material.salt)
        }
        if material.slots & 1 == 1 { keys.even = next() }
        if material.slots & 2 == 2 { keys.odd = next() }
    }

    /// Decrypts a payload, or returns nil without its key.
    func decrypt(_ data: SRTPacket.Payload, of direction: Direction) -> [UInt8]? {
        let keys = direction == .clientToServer ? client : server
        let key = data.key == 1 ? keys.even : data.key == 2 ? keys.odd : nil
        return key?.decrypt(data.octets, sequence: data.sequence)
    }
}
