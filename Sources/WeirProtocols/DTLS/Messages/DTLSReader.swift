import WeirPackets

/// Parses the records of one DTLS connection, datagram by datagram, and reassembles handshake messages (RFC 6347, RFC
/// 9147).
package struct DTLSReader: Sendable {
    /// The state of one side.
    fileprivate struct Side: Sendable {
        /// Incomplete handshake messages, by sequence number.
        var partial: [UInt16: PartialMessage] = [:]
        /// Messages already reported, by sequence number and type, to detect retransmissions.
        var reported: [UInt32] = []
        /// A part of the random of the last hello of each type, which differs in another handshake.
        private var randoms: [UInt8: UInt64] = [:]
        var hasFinished = false
        var hasData = false
        private var hasAlert = false

        /// Whether a hello was seen.
        var hasHello: Bool { !randoms.isEmpty }
    }

    /// The maximum octets of one handshake message, and the maximum number of messages per side under reassembly.
    static let mostMessageOctets = 32 * 1_024
    static let mostPartial = 8
    private static let maxReported = 64

    private var client = Side()
    private var server = Side()
    /// The secrets of connections, or nil if none were given.
    private let keys: DecryptionKeys?
    /// The random octets of the latest ClientHello, and whether the client of the flow sent it.
    private var clientHello: (random: [UInt8], isFromClient: Bool)?
    private var decryption: DTLSDecryption?
    private var decryption13: DTLS13Decryption?
    private var channels: DataChannels?
    /// The server's hello of a connection whose secrets may still be added to a key log.
    private var awaited: (random: [UInt8], hello: TLSHello)?
    /// The datagrams for which secrets were searched again, and their limit.
    private var attempts = 0
    private let mostAttempts: Int
    private let mostChannels: Int
    /// Whether messages of data channels beyond the limit were dropped.
    package var exceedsChannels: Bool { channels?.isFull ?? false }

    /// Creates a reader of a connection, with secrets that may be its own.
    package init(keys: DecryptionKeys? = nil, mostChannels: Int = 256, mostAttempts: Int = 0) {
        self.keys = keys
        self.mostChannels = mostChannels
        self.mostAttempts = mostAttempts
    }

    /// Whether a datagram starts with a DTLS record: by the first octet (RFC 7983 §7), then the version, or the unified
    /// header of DTLS 1.3 for encrypted records.
    package static func isRecord(_ bytes: RawSpan) -> Bool {
        guard let type = bytes.byte(at: 0) else { return false }
        if 32...63 ~= type { return true }
        guard 20...26 ~= type, let version = bytes.uint16(at: 1), version == 0xFEFF || version == 0xFEFD,
            let length = bytes.uint16(at: 11)
        else { return false }
        return Int(length) &+ 13 <= bytes.byteCount
    }

    /// Returns the first ClientHello in a datagram, if complete: it marks the start of a DTLS connection.
    package static func clientHello(_ bytes: RawSpan) -> TLSHello? {
        guard isRecord(bytes), bytes.byte(at: 0) == 22, bytes.byte(at: 13) == 1, let length = bytes.uint16(at: 11),
            length >= 12
        else { return nil }
        return try? TLSHello(client: bytes.clamped(25, 13 &+ Int(length)), isDatagram: true)
    }

    /// Returns the first ServerHello in a datagram, if complete.
    package static func serverHello(_ bytes: RawSpan) -> TLSHello? {
        guard isRecord(bytes), bytes.byte(at: 0) == 22, bytes.byte(at: 13) == 2, let length = bytes.uint16(at: 11),
            length >= 12
        else { return nil }
        return try? TLSHello(server: bytes.clamped(25, 13 &+ Int(length)), isDatagram: true)
    }

    /// Parses a datagram; returns the messages that it completes, in order.
    package mutating func read(_ bytes: RawSpan, isFromClient: Bool) -> [DTLSMessage] {
        var messages: [DTLSMessage] = []
        var side = isFromClient ? client : server
        side.read(bytes, &messages)
        if isFromClient { client = side } else { server = side }
        if keys != nil { decrypt(bytes, isFromClient, &messages) }
        // The handshake was on another pair, or before the capture.
        let lacksHellos = !client.hasHello && !server.hasHello
        for index in messages.indices {
            messages[index].datagramOctets = bytes.byteCount
            messages[index].lacksHandshake = lacksHellos
        }
        return messages
    }

    /// Derives the keys of a connection after its hellos, and reads the data channels in its application data.
    private mutating func decrypt(_ bytes: RawSpan, _ isFromClient: Bool, _ messages: inout [DTLSMessage]) {
        for index in messages.indices {
            guard let random = messages[index].random else { continue }
            switch messages[index].content {
            case .clientHello: clientHello = (random, isFromClient)
            case .serverHello(let hello) where !hello.asksAgain && !messages[index].isRetransmission:
                awaited = (random, hello)
                attempts = 0
                decryption = nil
                decryption13 = nil
                channels = nil
                deriveKeys()
                messages[index].channels = channels
            default: break
            }
        }
        if awaited != nil { deriveKeys() }
        if decryption13 != nil { return open13(bytes, isFromClient, &messages) }
        guard decryption != nil, let channels, let clientHello else { return }
        var offset = 0
        while let type = bytes.byte(at: offset), let version = bytes.uint16(at: offset &+ 1), version >> 8 == 0xFE,
            let sequence = bytes.uint64(at: offset &+ 3), let length = bytes.uint16(at: offset &+ 11)
        {
            let body = bytes.clamped(offset &+ 13, offset &+ 13 &+ Int(length))
            offset &+= 13 &+ Int(length)
            // The epoch precedes the sequence number; records of the first one are not encrypted.
            guard type == 23, sequence >> 48 > 0,
                let content = decryption?.open(
                    body, type: type, version: version, sequence: sequence,
                    isFromClient: isFromClient == clientHello.isFromClient)
            else { continue }
            take(content, from: decryption?.source, channels, isFromClient, &messages)
        }
    }

    /// Derives the keys of a connection whose hellos were read, unless its secrets may still be added to a key log.
    private mutating func deriveKeys() {
        guard let keys, let clientHello, let awaited, let random = ClientRandom(clientHello.random) else { return }
        attempts &+= 1
        if attempts <= mostAttempts, keys.awaits(random) { return }
        self.awaited = nil
        if awaited.hello.hidesCertificates {
            decryption13 = DTLS13Decryption(keys, clientRandom: clientHello.random, awaited.hello)
        } else {
            decryption = DTLSDecryption(
                keys, clientRandom: clientHello.random, serverRandom: awaited.random, awaited.hello)
        }
        let isKnown = decryption != nil || decryption13 != nil
        channels = isKnown ? DataChannels(most: mostChannels) : nil
    }

    /// Reads the data channels in application data.
    private func take(
        _ content: [UInt8], from source: String?, _ channels: DataChannels, _ isFromClient: Bool,
        _ messages: inout [DTLSMessage]
    ) {
        for opening in channels.take(content.rawSpan, isFromClient: isFromClient) {
            var message = DTLSMessage(.dataChannel(opening))
            message.channels = channels
            message.keySource = source
            messages.append(message)
        }
    }

    /// Reads the encrypted records of DTLS 1.3 in a datagram: certificates, and data channels.
    private mutating func open13(_ bytes: RawSpan, _ isFromClient: Bool, _ messages: inout [DTLSMessage]) {
        guard let clientHello, let channels else { return }
        let isFromDTLSClient = isFromClient == clientHello.isFromClient
        var offset = 0
        while let type = bytes.byte(at: offset) {
            if type >> 5 != 1 {
                guard 20...26 ~= type, let length = bytes.uint16(at: offset &+ 11) else { return }
                offset &+= 13 &+ Int(length)
                continue
            }
            guard let (length, record) = decryption13?.open(bytes.clamped(offset), isFromClient: isFromDTLSClient)
            else { return }
            offset &+= length
            guard let record else { continue }
            if record.type == 23 {
                take(record.content, from: record.source, channels, isFromClient, &messages)
            } else if record.type == 22, record.epoch == DTLS13Decryption.Epoch.handshake {
                var side = isFromClient ? client : server
                let start = messages.count
                side.handshake(record.content.rawSpan, isEncrypted: true, &messages)
                if isFromClient { client = side } else { server = side }
                for index in start..<messages.count { messages[index].keySource = record.source }
            }
        }
    }
}

extension DTLSReader.Side {
    mutating func read(_ bytes: RawSpan, _ messages: inout [DTLSMessage]) {
        var offset = 0
        while let type = bytes.byte(at: offset) {
            if 32...63 ~= type {
                // DTLS 1.3 encrypts everything after the hellos. The last two bits are the epoch: 2 is that of the
                // handshake (RFC 9147).
                if type & 0x03 == 2 { finished(&messages) } else { data(&messages) }
                return
            }
            guard 20...26 ~= type, let version = bytes.uint16(at: offset &+ 1), version >> 8 == 0xFE,
                let epoch = bytes.uint16(at: offset &+ 3), let length = bytes.uint16(at: offset &+ 11)
            else { return }
            let body = bytes.clamped(offset &+ 13, offset &+ 13 &+ Int(length))
            record(type, epoch, body, &messages)
            offset &+= 13 &+ Int(length)
        }
    }

    private mutating func record(
        _ type: UInt8, _ epoch: UInt16, _ body: RawSpan, _ messages: inout [DTLSMessage]
    ) {
        switch (type, epoch) {
        case (21, 0):
            guard body.byteCount == 2, let level = body.byte(at: 0), let code = body.byte(at: 1) else { return }
            messages.append(DTLSMessage(.alert(isFatal: level == 2, code)))
        case (21, _):
            // Without earlier encrypted records it proves nothing.
            guard !hasAlert, hasFinished || hasData else { return }
            hasAlert = true
            messages.append(DTLSMessage(.encryptedAlert))
        case (22, 0): handshake(body, &messages)
        case (22, _): finished(&messages)
        case (23, 1...): data(&messages)
        default: break
        }
    }

    private mutating func data(_ messages: inout [DTLSMessage]) {
        guard !hasData else { return }
        hasData = true
        messages.append(DTLSMessage(.applicationData))
    }

    private mutating func finished(_ messages: inout [DTLSMessage]) {
        guard !hasFinished else { return }
        hasFinished = true
        messages.append(DTLSMessage(.finished))
    }

    /// Parses the handshake messages or fragments in one record.
    fileprivate mutating func handshake(
        _ record: RawSpan, isEncrypted: Bool = false, _ messages: inout [DTLSMessage]
    ) {
        var offset = 0
        while let type = record.byte(at: offset), let low = record.uint16(at: offset &+ 2),
            let high = record.byte(at: offset &+ 1), let number = record.uint16(at: offset &+ 4),
            let fragmentOffset = DTLSReader.uint24(record, offset &+ 6),
            let fragmentLength = DTLSReader.uint24(record, offset &+ 9)
        {
            let length = Int(high) << 16 | Int(low)
            let fragment = record.clamped(offset &+ 12, offset &+ 12 &+ fragmentLength)
            offset &+= 12 &+ fragmentLength
            guard isEncrypted ? type == 11 : [1, 2, 11].contains(type), fragment.byteCount == fragmentLength,
                fragmentOffset &+ fragmentLength <= length
            else { continue }
            if fragmentLength == length {
                complete(type, number, fragment, fragments: 1, isEncrypted, &messages)
            } else {
                join(type, number, length, fragmentOffset, fragment, isEncrypted, &messages)
            }
        }
    }

    private mutating func join(
        _ type: UInt8, _ number: UInt16, _ length: Int, _ offset: Int, _ fragment: RawSpan, _ isEncrypted: Bool,
        _ messages: inout [DTLSMessage]
    ) {
        guard length <= DTLSReader.mostMessageOctets else { return }
        var message = partial[number] ?? PartialMessage(type: type, length: length)
        guard message.type == type, message.octets.count == length else { return }
        message.add(fragment, at: offset)
        guard message.isComplete else {
            if partial.count < DTLSReader.mostPartial || partial[number] != nil { partial[number] = message }
            return
        }
        partial[number] = nil
        let octets = message.octets
        complete(type, number, octets.rawSpan, fragments: message.fragments, isEncrypted, &messages)
    }

    private mutating func complete(
        _ type: UInt8, _ number: UInt16, _ body: RawSpan, fragments: Int, _ isEncrypted: Bool,
        _ messages: inout [DTLSMessage]
    ) {
        guard let content = DTLSReader.content(type, body, isEncrypted: isEncrypted) else { return }
        var message = DTLSMessage(content)
        message.fragments = fragments
        // A hello with another random starts another handshake, whose messages have the same numbers (RFC 6347 §4.2.2).
        if type != 11, let random = body.uint64(at: 6) {
            if let known = randoms[type], known != random { reported = [] }
            randoms[type] = random
            message.random = body.clamped(2, 2 &+ ClientRandom.octetCount).array()
        }
        let key = UInt32(number) << 8 | UInt32(type)
        message.isRetransmission = reported.contains(key)
        if !message.isRetransmission, reported.count < DTLSReader.maxReported { reported.append(key) }
        messages.append(message)
    }
}

extension DTLSReader {
    static func content(_ type: UInt8, _ body: RawSpan, isEncrypted: Bool = false) -> DTLSMessage.Content? {
        switch type {
        case 1: (try? TLSHello(client: body, isDatagram: true)).map { .clientHello($0) }
        case 2: (try? TLSHello(server: body, isDatagram: true)).map { .serverHello($0) }
        // In DTLS 1.3, a context precedes the list, empty in a handshake (RFC 8446 §4.4.2).
        case 11: certificate(isEncrypted ? body.clamped(1) : body).map { .certificate($0) }
        default: nil
        }
    }

    /// Returns the first certificate of the list.
    private static func certificate(_ body: RawSpan) -> [UInt8]? {
        guard let length = uint24(body, 3), length > 0 else { return nil }
        let octets = body.clamped(6, 6 &+ length)
        return octets.byteCount == length ? octets.array() : nil
    }

    static func uint24(_ bytes: RawSpan, _ offset: Int) -> Int? {
        guard let high = bytes.byte(at: offset), let low = bytes.uint16(at: offset &+ 1) else { return nil }
        return Int(high) << 16 | Int(low)
    }
}

/// A handshake message under reassembly.
struct PartialMessage: Sendable {
    let type: UInt8
    private(set) var octets: [UInt8]
    private(set) var fragments = 0
    /// The ranges received: disjoint, not adjacent, and in order.
    private var present: [Range<Int>] = []

    init(type: UInt8, length: Int) {
        self.type = type
        octets = [UInt8](repeating: 0, count: length)
    }

    /// Whether nothing is missing.
    var isComplete: Bool { present.count == 1 && present.first == 0..<octets.count }

    mutating func add(_ fragment: RawSpan, at offset: Int) {
        let range = offset..<offset &+ fragment.byteCount
        guard !range.isEmpty, range.upperBound <= octets.count, present.count < 64,
            !present.contains(where: { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound })
        else { return }
        octets.replaceSubrange(range, with: fragment.array())
        fragments += 1
        var joined = range
        var others: [Range<Int>] = []
        for known in present {
            if known.upperBound < joined.lowerBound || joined.upperBound < known.lowerBound {
                others.append(known)
            } else {
                joined = min(known.lowerBound, joined.lowerBound)..<max(known.upperBound, joined.upperBound)
            }
        }
        present = (others + [joined]).sorted { $0.lowerBound < $1.lowerBound }
    }
}
