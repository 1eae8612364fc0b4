import WeirEngine
import WeirPackets

/// Decrypts the records of a connection with the secrets of a key log.
///
/// Each direction has its own state. The server's hello determines the cipher suite, so that encrypted records of the
/// client wait for it if the capture has it later.
struct TLSDecryptor {
    /// What a record results in.
    enum Outcome {
        /// The record is consumed; it has nothing for the reader.
        case nothing
        /// Application data.
        case content([UInt8])
        /// An alert, with its level and description.
        case alert(isFatal: Bool, code: UInt8)
        /// The record can only be read after one of the other direction.
        case wait
        /// After missing octets: this is not a record, or too many before it are missing.
        case unverified
        /// A record that was damaged on the way, or by the capture: its content is missing.
        case damaged
        /// Nothing more can be decrypted.
        case stop(TLSDecryptionEnd)
    }

    /// The record types (RFC 8446 §5.1).
    enum RecordType {
        static let changeCipherSpec: UInt8 = 20
        static let alert: UInt8 = 21
        static let handshake: UInt8 = 22
        static let applicationData: UInt8 = 23
    }

    /// The handshake types (RFC 8446 §4, RFC 5246 §7.4).
    private enum HandshakeType {
        static let clientHello: UInt8 = 1
        static let serverHello: UInt8 = 2
        static let encryptedExtensions: UInt8 = 8
        static let finished: UInt8 = 20
        static let keyUpdate: UInt8 = 24
    }

    private enum Phase {
        case hello
        case version12
        case version13
        case ended
    }

    /// Whether early data of the client was accepted by the server.
    private enum EarlyData {
        case none
        case undecided
        case accepted
        /// The server ignores it; the client sends it again.
        case rejected
        /// The server's answer cannot be decrypted.
        case unknown
    }

    private let keys: DecryptionKeys
    private let random: ClientRandom
    private let mostSearched: Int
    private var phase = Phase.hello
    private var client: TLSDecryptionSide
    private var server: TLSDecryptionSide
    private var early = EarlyData.none
    /// Whether the peers agreed on HTTP/2.
    private var isHTTP2 = false
    private var suite: TLSCipherSuite?
    /// Whether the other direction may have records that wait for the one just read.
    private(set) var releases = false
    /// The name of the source of the secrets that were used first.
    private(set) var source: String?

    /// Whether a handshake message was too long to be read.
    var exceedsLimit: Bool { client.messages.hasSkipped || server.messages.hasSkipped }

    init(_ keys: DecryptionKeys, _ random: ClientRandom, _ limits: Limits) {
        self.keys = keys
        self.random = random
        let settings = limits[DecryptionSettings.self]
        mostSearched = settings.searchedRecords
        client = TLSDecryptionSide(mostOctets: settings.handshakeOctets)
        server = TLSDecryptionSide(mostOctets: settings.handshakeOctets)
    }

    /// Reads a complete record.
    mutating func read(_ record: RawSpan, _ direction: Direction) -> Outcome {
        releases = false
        guard let type = record.byte(at: 0), let version = record.uint16(at: 1) else { return .nothing }
        let fragment = record.clamped(5)
        switch phase {
        case .ended: return .nothing
        case .hello: return readHello(type, fragment, direction)
        case .version12: return read12(type, version, fragment, direction)
        case .version13: return read13(type, record, direction)
        }
    }

    /// Handles missing octets of a direction. Returns whether decryption goes on.
    mutating func gap(_ direction: Direction, octets: Int) -> Bool {
        switch phase {
        case .ended: return false
        case .hello:
            // Without the server's hello, the cipher suite is unknown.
            _ = end(.noHello)
            return false
        case .version12, .version13:
            // No record is smaller than its header and a tag.
            let most = min(mostSearched, octets / 13 &+ 1)
            if direction == .clientToServer {
                client.noteGap(most, limit: mostSearched)
            } else {
                server.noteGap(most, limit: mostSearched)
            }
            return true
        }
    }

    // MARK: - Hellos

    private mutating func readHello(_ type: UInt8, _ fragment: RawSpan, _ direction: Direction) -> Outcome {
        if direction == .serverToClient {
            switch type {
            case RecordType.alert: return alert(fragment)
            case RecordType.changeCipherSpec: return .nothing  // after a HelloRetryRequest
            case RecordType.handshake: break
            default: return end(.noHello)
            }
            for message in server.messages.add(fragment) where message.type == HandshakeType.serverHello {
                guard let hello = try? TLSHello(server: message.body.rawSpan, isDatagram: false) else {
                    return end(.noHello)
                }
                if hello.asksAgain {
                    // Early data is rejected by it (RFC 8446 §4.2.10).
                    if case .undecided = early { early = .rejected }
                    continue
                }
                return begin(hello, serverRandom: message.body.rawSpan.clamped(2, 34).array())
            }
            return .nothing
        }
        // Everything after the hello, except a second one, needs the server's answer.
        guard type == RecordType.handshake, client.isHello(fragment) else { return .wait }
        for message in client.messages.add(fragment) where message.type == HandshakeType.clientHello {
            if let hello = try? TLSHello(client: message.body.rawSpan, isDatagram: false), hello.offersEarlyData,
                case .none = early
            {
                early = .undecided
            }
        }
        return .nothing
    }

    /// Starts decryption with the parameters of the server's hello.
    private mutating func begin(_ hello: TLSHello, serverRandom: [UInt8]) -> Outcome {
        guard let number = hello.cipherSuites.first, let suite = TLSCipherSuite(number) else {
            return end(.cipherSuite(hello.cipherSuites.first ?? 0))
        }
        self.suite = suite
        releases = true
        isHTTP2 = hello.applicationProtocols.first == "h2"
        switch hello.version {
        case 0x0304:
            phase = .version13
            server.begin(suite, keys, random, [.serverHandshakeTraffic, .serverTraffic])
            client.begin(suite, keys, random, [.clientHandshakeTraffic, .clientTraffic])
            // One direction alone would look like a peer that does not respond.
            guard client.canEnd, server.canEnd else { return end(.missingSecret) }
        case 0x0303:
            phase = .version12
            let secrets = keys.secrets(.masterSecret, of: random)
            guard !secrets.isEmpty else { return end(.missingSecret) }
            for secret in secrets {
                let block = TLSKeys.keyBlock(
                    suite, master: secret.key, clientRandom: random.octets, serverRandom: serverRandom,
                    encryptsThenMACs: hello.encryptsThenMACs)
                client.add(block.client, secret)
                server.add(block.server, secret)
            }
        default: return end(.version(hello.version))
        }
        return .nothing
    }

    private mutating func end(_ reason: TLSDecryptionEnd) -> Outcome {
        let problem: String? =
            switch reason {
            case .noHello: "its connection is not decrypted: no ServerHello was read"
            case .cipherSuite(let suite): "its connection is not decrypted: cipher suite \(TLSNames.cipherSuite(suite))"
            case .version(let version): "its connection is not decrypted: \(TLSNames.version(version))"
            case .missingSecret: "its connection is not decrypted: \(missing) is missing"
            case .wrongSecret, .renegotiation, .http2: nil
            }
        phase = .ended
        releases = true
        if let problem { keys.note(problem, of: random) }
        return .stop(reason)
    }

    /// The labels of the secrets without which nothing is decrypted.
    private var missing: String {
        guard phase == .version13 else { return "the master secret" }
        let unknown = [SecretLabel.clientTraffic, .serverTraffic].filter { keys.secrets($0, of: random).isEmpty }
        // Otherwise that of early data, or of the server's answer to it.
        return unknown.isEmpty ? "a secret of early data" : unknown.map(\.rawValue).joined(separator: ", ")
    }

    private func alert(_ fragment: RawSpan) -> Outcome {
        guard let level = fragment.byte(at: 0), let code = fragment.byte(at: 1) else { return .nothing }
        return .alert(isFatal: level == 2, code: code)
    }

    // MARK: - TLS 1.2

    private mutating func read12(
        _ type: UInt8, _ version: UInt16, _ fragment: RawSpan, _ direction: Direction
    ) -> Outcome {
        let isClients = direction == .clientToServer
        var side = isClients ? client : server
        defer { if isClients { client = side } else { server = side } }
        if type == RecordType.changeCipherSpec, !side.isLost {
            // A second one is that of a renegotiation, whose secrets a key log has under other random octets.
            guard !side.isEncrypted else { return end(.renegotiation) }
            side.encrypt()
            return .nothing
        }
        if !side.isEncrypted {
            // The ChangeCipherSpec may be among the missing records.
            guard side.isLost || type == RecordType.applicationData else {
                return type == RecordType.alert ? alert(fragment) : .nothing
            }
            side.encrypt()
        }
        guard let opened = side.open12(fragment, type, version) else {
            guard !side.isLost else { return .unverified }
            if side.isProven { return Self.skip(&side, mostSearched) }
            side.noteMismatch()
            return end(.wrongSecret)
        }
        source = source ?? opened.source
        switch type {
        case RecordType.applicationData: return isHTTP2 ? end(.http2) : .content(opened.octets)
        case RecordType.alert: return alert(opened.octets.rawSpan)
        default: return .nothing
        }
    }

    /// Goes on behind a record that cannot be decrypted, as after missing octets.
    private static func skip(_ side: inout TLSDecryptionSide, _ mostSearched: Int) -> Outcome {
        side.noteGap(1, limit: mostSearched)
        return .damaged
    }

    // MARK: - TLS 1.3

    private mutating func read13(_ type: UInt8, _ record: RawSpan, _ direction: Direction) -> Outcome {
        // Sent for old middleboxes only (RFC 8446 §5); an alert in the clear ends the handshake.
        if type == RecordType.changeCipherSpec { return .nothing }
        let isClients = direction == .clientToServer
        if type != RecordType.applicationData {
            if isClients ? client.isLost : server.isLost { return .unverified }
            return type == RecordType.alert ? alert(record.clamped(5)) : .nothing
        }
        if isClients, let outcome = decideEarlyData() { return outcome }
        var side = isClients ? client : server
        let wasLost = side.isLost
        let opened = side.open13(record)
        if isClients { client = side } else { server = side }
        guard let opened else {
            if wasLost { return .unverified }
            return unopened(direction)
        }
        source = source ?? opened.source
        if !isClients, case .undecided = early, side.isApplication {
            // The server's extensions could not be decrypted.
            early = .unknown
            releases = true
        }
        // The type is the last octet that is not zero (RFC 8446 §5.2).
        guard let last = opened.octets.lastIndex(where: { $0 != 0 }) else { return .nothing }
        let content = Array(opened.octets[..<last])
        switch opened.octets[last] {
        case RecordType.applicationData: return isHTTP2 ? end(.http2) : .content(content)
        case RecordType.alert: return alert(content.rawSpan)
        case RecordType.handshake:
            handshake(content.rawSpan, isClients)
            return .nothing
        default: return .nothing
        }
    }

    /// Determines whether the client's first records are early data that counts. Returns the outcome if that is not yet
    /// known, or if it cannot be decrypted.
    private mutating func decideEarlyData() -> Outcome? {
        switch early {
        case .none, .rejected: return nil
        case .undecided: return .wait
        case .accepted:
            early = .none
            if let suite, client.insertEarly(suite, keys, random) { return nil }
            // The rest without its beginning would be another dialogue.
            return end(.missingSecret)
        case .unknown:
            early = .none
            return end(.missingSecret)
        }
    }

    private mutating func unopened(_ direction: Direction) -> Outcome {
        if direction == .clientToServer {
            // Early data that the server ignores, or that cannot be decrypted.
            guard client.isApplication, client.hasOpened else { return .nothing }
            if client.isProven { return Self.skip(&client, mostSearched) }
            client.noteMismatch()
        } else {
            // Without the handshake secret, its records are passed over.
            guard server.hasOpened || server.hasHandshakeSecret else { return .nothing }
            if server.isApplication, server.isProven { return Self.skip(&server, mostSearched) }
            server.noteMismatch()
        }
        return end(.wrongSecret)
    }

    private mutating func handshake(_ bytes: RawSpan, _ isClients: Bool) {
        let messages = isClients ? client.messages.add(bytes) : server.messages.add(bytes)
        for message in messages {
            switch message.type {
            case HandshakeType.finished:
                if isClients { client.finishHandshake() } else { server.finishHandshake() }
            case HandshakeType.keyUpdate:
                if isClients { client.updateKeys() } else { server.updateKeys() }
            case HandshakeType.encryptedExtensions where !isClients:
                let extensions = TLSHello.EncryptedExtensions(message.body.rawSpan)
                isHTTP2 = extensions.applicationProtocol == "h2"
                guard case .undecided = early else { continue }
                early = extensions.acceptsEarlyData ? .accepted : .rejected
                releases = true
            default: break
            }
        }
    }
}

/// Why nothing more of a connection is decrypted.
enum TLSDecryptionEnd: Sendable, Hashable {
    /// The server does not answer with a ServerHello.
    case noHello
    /// Weir cannot decrypt this cipher suite.
    case cipherSuite(UInt16)
    /// Weir cannot decrypt this version.
    case version(UInt16)
    /// The key log lacks a secret of the connection.
    case missingSecret
    /// The secret in the key log is that of something else.
    case wrongSecret
    /// The keys were renegotiated.
    case renegotiation
    /// HTTP/2, which Weir does not dissect.
    case http2
}
