package import WeirEngine
package import WeirPackets

/// Dissects the traffic of WebRTC peers and of STUN and TURN servers on one flow: STUN, DTLS and media, demultiplexed
/// by the first octet (RFC 7983 §7), also inside TURN messages and channels (RFC 8656 §11, §12).
package struct PeerDissector: Dissector {
    /// Name, transports, ports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "stun", carriers: [.udp, .tcp], ports: STUN.ports,
        recognition:
            "the STUN magic cookie and a matching length; a DTLS hello with SRTP; without a hello, DTLS records")

    /// The recognizer of handshakes whose hellos were not captured.
    package static var recognizer: (any Recognizer.Type)? { PeerRecognizer.self }

    /// The framing of messages on a TCP connection.
    private enum Framing {
        /// Messages with their own length: to a TURN server (RFC 8656 §3.1).
        case plain
        /// Two octets of length before each packet (RFC 4571 §2): between peers.
        case lengthPrefixed
    }

    /// A transaction whose request was seen.
    private struct Transaction {
        var id: STUNTransaction
        var direction: Direction
        var isSigned: Bool
    }

    private let transport: TransportProtocol
    private let limits: WebRTCLimits
    private var framing: Framing?
    /// The most recent transactions, oldest first.
    private var transactions: [Transaction] = []
    /// The peers that channels are bound to (RFC 8656 §12).
    private var channels: [UInt16: Endpoint] = [:]
    private var permissions: RelayPermissions
    private let keys: DecryptionKeys?
    /// The datagrams of a DTLS connection for which secrets are searched again.
    private let mostAttempts: Int
    private var direct: DTLSReader
    /// The DTLS connections with peers behind the relay.
    private var relayed: [STUNMessage.Relay.Way: DTLSReader] = [:]
    /// Whether the flow is between peers of a call, as a connectivity check or SRTP offered in DTLS has shown.
    private var isPeer = false
    private var hasRemarkedOctet = false
    private var hasReportedChannels = false
    /// Whether a response without a captured check was seen.
    private var hasUnasked = false

    /// Creates a dissector of a flow.
    package init(flow: FlowContext) {
        transport = flow.transport
        limits = flow.limits[WebRTCLimits.self]
        let settings = flow.limits[DecryptionSettings.self]
        keys = settings.keys
        mostAttempts = settings.awaitedDatagrams
        direct = DTLSReader(keys: keys, mostChannels: limits.dataChannels, mostAttempts: mostAttempts)
        permissions = RelayPermissions(most: limits.permissions)
    }

    /// Takes over from the recognizer; checks or media between records show that the flow is between peers of a call.
    package mutating func take(over recognizer: any Recognizer) {
        if let recognizer = recognizer as? PeerRecognizer, recognizer.isPeer { isPeer = true }
    }

    /// Dissects a datagram, or all complete messages available in a stream.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        guard transport == .tcp else {
            packet(bytes, 0..<bytes.byteCount, nil, direction, outlet)
            return bytes.byteCount
        }
        var used = 0
        while let octets = next(bytes.clamped(used)) {
            let range = used &+ octets.header..<used &+ octets.header &+ octets.packet
            guard used &+ octets.whole <= bytes.byteCount else {
                outlet.need(octets.whole)
                break
            }
            packet(bytes, range, nil, direction, outlet)
            used &+= octets.whole
        }
        return used
    }

    /// Returns the octets of the next packet on a connection and of its framing, or nil if they are not known yet.
    private mutating func next(_ bytes: RawSpan) -> (header: Int, packet: Int, whole: Int)? {
        guard let first = bytes.byte(at: 0) else { return nil }
        if framing == nil { framing = Self.framing(bytes) }
        guard let framing, let prefix = bytes.uint16(at: 0) else { return nil }
        switch framing {
        case .lengthPrefixed: return (2, Int(prefix), 2 &+ Int(prefix))
        case .plain:
            guard let length = bytes.uint16(at: 2) else { return nil }
            if first < 4 { return (0, 20 &+ Int(length), 20 &+ Int(length)) }
            // Over TCP, channel data is padded to four octets (RFC 8656 §12.5).
            return (0, 4 &+ Int(length), (4 &+ Int(length) &+ 3) & ~3)
        }
    }

    private static func framing(_ bytes: RawSpan) -> Framing? {
        guard bytes.byteCount >= 10 else { return nil }
        return bytes.uint32(at: 6) == STUNMessage.cookie ? .lengthPrefixed : .plain
    }

    /// Forgets the permissions: requests in the missing octets are unknown.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) { permissions.forget() }

    /// Returns the next position where a message with a magic cookie starts; between peers also a packet of DTLS or
    /// media, recognized by the length before it.
    package func resynchronize(_ bytes: RawSpan, from start: Int, _ direction: Direction) -> Int? {
        var offset = start
        while offset &+ 8 <= bytes.byteCount {
            switch framing {
            case .plain: if PeerFrames.isPlain(bytes, at: offset) { return offset }
            case .lengthPrefixed: if PeerFrames.isFrame(bytes, at: offset) { return offset }
            // A matching length shows which of the two framings applies.
            case nil:
                if PeerFrames.isFramedMessage(bytes, at: offset) || PeerFrames.isPlain(bytes, at: offset) {
                    return offset
                }
            }
            offset &+= 1
        }
        return nil
    }
}

// MARK: - Packets

extension PeerDissector {
    /// Dissects one packet, sent directly on the flow or relayed.
    private mutating func packet(
        _ bytes: RawSpan, _ range: Range<Int>, _ relay: STUNMessage.Relay?, _ direction: Direction, _ outlet: Outlet
    ) {
        let octets = bytes.clamped(range.lowerBound, range.upperBound)
        guard let first = octets.byte(at: 0) else { return }
        switch first {
        case 0...3: message(bytes, range, relay, direction, outlet)
        case 16...19: break
        case 20...63: handshake(octets, range, relay, direction, outlet)
        case 64...79 where relay == nil: channelData(bytes, range, direction, outlet)
        case 128...191:
            let cut = range.upperBound == bytes.byteCount ? outlet.octetsCut : 0
            outlet.packet("rtp", channel: nil, range, wireLength: range.count &+ cut, isRelayed: relay != nil)
        default:
            // Some agents send keep-alives of one octet; and STUN is not used by WebRTC only.
            guard isPeer, !hasRemarkedOctet, range.count > 4 else { return }
            hasRemarkedOctet = true
            outlet.remark(
                Remark(
                    Text("webrtc.remark.firstOctet", .integer(Int(first))), reference: "RFC 7983 §7",
                    range: range.lowerBound..<range.lowerBound &+ 1))
        }
    }

    private mutating func message(
        _ bytes: RawSpan, _ range: Range<Int>, _ relay: STUNMessage.Relay?, _ direction: Direction, _ outlet: Outlet
    ) {
        let octets = bytes.clamped(range.lowerBound, range.upperBound)
        // A truncated message may be longer on the wire than in the capture, so nothing is reported.
        let isDatagram = transport == .udp && relay == nil && outlet.octetsCut == 0
        guard var message = try? STUNMessage(octets, isDatagram: isDatagram) else { return }
        if message.transaction.isClassic, !Self.isClassic(message, octets.byteCount) { return }
        message.relay = relay
        follow(&message, direction, outlet)
        outlet.message(message, range)
        guard relay == nil, message.messageClass == .indication, message.method == 0x006 || message.method == 0x007,
            let data = message.data
        else { return }
        let inner = STUNMessage.Relay(channel: nil, peer: message.peerAddress)
        let start = range.lowerBound &+ data.lowerBound
        packet(bytes, start..<min(start &+ data.count, range.upperBound), inner, direction, outlet)
    }

    /// Marks retransmitted requests, and tracks channel bindings.
    private mutating func follow(_ message: inout STUNMessage, _ direction: Direction, _ outlet: Outlet) {
        message.sessionType = WebRTCSession.self
        message.isOverTCP = transport == .tcp && message.relay == nil
        let known = transactions.last { $0.id == message.transaction }
        if message.isRequest {
            message.isRetransmission = known?.direction == direction
            if message.isICECheck { isPeer = true }
            if known == nil {
                if transactions.count >= limits.transactions {
                    transactions.removeFirst()
                    outlet.remark(Remark(Text("limit.requests")))
                }
                transactions.append(
                    Transaction(id: message.transaction, direction: direction, isSigned: message.integrity != nil))
            }
        } else if let known, known.direction != direction {
            message.answersSigned = known.isSigned
        } else if known == nil, message.isAnswer, message.isBinding {
            hasUnasked = true
        }
        message.isBehindUnasked = hasUnasked
        if message.isTURN, message.relay == nil, !permissions.follow(&message) {
            outlet.remark(Remark(Text("limit.permissions")))
        }
        guard message.method == 0x009, message.isRequest, let channel = message.channelNumber,
            let peer = message.peerAddress
        else { return }
        guard channels.count < limits.channels || channels[channel] != nil else {
            return outlet.remark(Remark(Text("limit.relayed")))
        }
        channels[channel] = peer
    }

    /// Dissects channel data (RFC 8656 §12.4): channel number, length, and the relayed packet.
    private mutating func channelData(
        _ bytes: RawSpan, _ range: Range<Int>, _ direction: Direction, _ outlet: Outlet
    ) {
        guard let number = bytes.uint16(at: range.lowerBound), let length = bytes.uint16(at: range.lowerBound &+ 2)
        else { return }
        let start = range.lowerBound &+ 4
        let relay = STUNMessage.Relay(channel: number, peer: channels[number])
        packet(bytes, start..<max(start, min(start &+ Int(length), range.upperBound)), relay, direction, outlet)
    }

    private mutating func handshake(
        _ octets: RawSpan, _ range: Range<Int>, _ relay: STUNMessage.Relay?, _ direction: Direction, _ outlet: Outlet
    ) {
        guard DTLSReader.isRecord(octets) else { return }
        if !isPeer, (DTLSReader.clientHello(octets) ?? DTLSReader.serverHello(octets))?.srtpProfiles != nil {
            isPeer = true
        }
        let isFromClient = direction == .clientToServer
        var messages: [DTLSMessage]
        if let relay {
            guard relayed.count < limits.relayedPeers || relayed[relay.way] != nil else {
                return outlet.remark(Remark(Text("limit.relayed")))
            }
            var reader =
                relayed[relay.way]
                ?? DTLSReader(keys: keys, mostChannels: limits.dataChannels, mostAttempts: mostAttempts)
            messages = reader.read(octets, isFromClient: isFromClient)
            if reader.exceedsChannels { reportChannels(outlet) }
            relayed[relay.way] = reader
        } else {
            messages = direct.read(octets, isFromClient: isFromClient)
            if direct.exceedsChannels { reportChannels(outlet) }
        }
        for index in messages.indices {
            messages[index].isRelayed = relay != nil
            messages[index].relayPeer = relay?.peer
            if isPeer { messages[index].sessionType = WebRTCSession.self }
            outlet.message(messages[index], range)
        }
    }
}

extension PeerDissector {
    /// Reports, once, that data channels are not counted.
    private mutating func reportChannels(_ outlet: Outlet) {
        guard !hasReportedChannels else { return }
        hasReportedChannels = true
        outlet.remark(Remark(Text("limit.dataChannels")))
    }
}

// MARK: - Recognition

extension PeerDissector {
    /// The ranges of STUN, of a DTLS handshake record, and on the usual ports of channel data (RFC 7983 §7). Over TCP, a
    /// length precedes the message.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets {
        let octets = FirstOctets(0...3).union(FirstOctets(22...22))
        return isUsual ? octets.union(FirstOctets(64...79)) : octets
    }

    /// Recognizes STUN by its magic cookie, and DTLS by a ClientHello that offers SRTP.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        let isUsual = opening.usesPort(descriptor.ports)
        if opening.flow.transport == .tcp {
            let answer = probeStream(opening.client.byteCount > 0 ? opening.client : opening.server)
            guard case .no = answer, opening.flow.startsLate, isUsual else { return answer }
            return probeRelayed(opening)
        }
        return isPeerDatagram(opening.client, isUsual) || isPeerDatagram(opening.server, isUsual) ? .yes : .no
    }

    private static func probeStream(_ bytes: RawSpan) -> ProbeAnswer {
        guard let first = bytes.byte(at: 0) else { return .needMore }
        guard first < 4 else { return .no }
        guard bytes.byteCount >= 10 else { return .needMore }
        if bytes.uint32(at: 4) == STUNMessage.cookie {
            return bytes.uint16(at: 2).map { $0 % 4 == 0 } ?? false ? .yes : .no
        }
        return bytes.uint32(at: 6) == STUNMessage.cookie && bytes.byte(at: 2).map { $0 < 4 } ?? false ? .yes : .no
    }

    /// Recognizes relayed packets in a capture that starts late: first at the start of a segment.
    private static func probeRelayed(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        for start in [0] + opening.clientStarts where PeerFrames.isRelayed(opening.client, at: start) { return .yes }
        for start in [0] + opening.serverStarts where PeerFrames.isRelayed(opening.server, at: start) { return .yes }
        let known = max(opening.client.byteCount, opening.server.byteCount)
        return known < opening.flow.limits.probeOctets ? .needMore : .no
    }

    private static func isPeerDatagram(_ bytes: RawSpan, _ isUsualPort: Bool) -> Bool {
        guard let first = bytes.byte(at: 0) else { return false }
        switch first {
        case 0...3:
            guard let length = bytes.uint16(at: 2) else { return false }
            if bytes.uint32(at: 4) == STUNMessage.cookie {
                let rest = bytes.byteCount &- 20 &- Int(length)
                // A length that is no multiple of 4 is wrong by less than that.
                return length % 4 == 0 ? rest >= 0 : rest.magnitude < 4
            }
            guard length % 4 == 0, Int(length) &+ 20 == bytes.byteCount, let message = try? STUNMessage(bytes) else {
                return false
            }
            return isClassic(message, bytes.byteCount) && (isUsualPort || message.attributes.count > 1)
        case 22: return (DTLSReader.clientHello(bytes) ?? DTLSReader.serverHello(bytes))?.srtpProfiles != nil
        case 64...79 where isUsualPort:
            // Channel data that contains a STUN message, or whose DTLS or media packet fills the datagram.
            guard let length = bytes.uint16(at: 2), Int(length) &+ 4 <= bytes.byteCount else { return false }
            if bytes.uint32(at: 8) == STUNMessage.cookie { return true }
            guard let inner = bytes.byte(at: 4), 20...63 ~= inner || 128...191 ~= inner else { return false }
            return Int(length) &+ 4 == bytes.byteCount && length >= 12
        default: return false
        }
    }

    /// Whether a message without a magic cookie is classic STUN (RFC 3489): one of its two methods, exactly as long as
    /// its length field, with attributes defined there.
    private static func isClassic(_ message: STUNMessage, _ octets: Int) -> Bool {
        (message.method == 1 || message.method == 2) && message.messageClass != .indication
            && message.isWellFormed && octets == message.length &+ 20
            && message.attributes.allSatisfy { 1...0x0B ~= $0.type || 0x8020...0x8023 ~= $0.type }
    }
}
