package import WeirEngine
package import WeirPackets

/// Identifies TLS connections that carry RTMP (RTMPS), RTSP (RTSPS), TURN, or signaling (WSS, WHIP), without
/// decryption.
///
/// The only evidence is a server name, an ALPN protocol, or the RTMP port, and the note names it. On ports where only
/// some servers accept RTMPS, the connection is shown as TLS, with a note that there is no other evidence. Other TLS
/// connections are ignored, unless all are to be shown.
package struct TLSDissector: Dissector {
    /// Name, transports, ports and recognition.
    package static let descriptor = DissectorDescriptor(
        name: "tls", carriers: [.tcp], ports: [322, 1443, 1935, 1936, 2935, 2936, 5349],
        recognition:
            "a ClientHello on a port of RTMPS, RTSPS or TURN, or to a server whose name suggests these or signaling, or one whose secrets are given"
    )

    /// Ports used almost only for RTMP: the registered one, and the next. Of the others in the descriptor, only some
    /// servers use them for RTMPS.
    private static let ownPorts: [UInt16] = [1935, 1936]
    /// Parts of the names of servers that accept RTMPS on port 443, which all kinds of TLS use: descriptive names, and
    /// the publishing endpoints of services. Each contains a word that `mayBeMediaName` searches for.
    private static let serverNames = [
        "rtmp", "live-api-s.facebook.com", "live-upload.instagram.com", "contribute.live-video.net",
        "live.cloudflare.com", "global-live.mux.com",
    ]

    /// Words in the names of signaling servers, each with its meaning; see `mayBeMediaName`.
    private static let signalingWords: [String: String] = [
        "wss": "websocket", "websocket": "websocket", "websockets": "websocket",
        "signaling": "signaling", "signalling": "signaling", "webrtc": "signaling", "janus": "signaling",
        "livekit": "signaling", "mediasoup": "signaling", "whip": "whip", "whep": "whip",
        "turn": "turn", "turns": "turn", "rtsp": "rtsps", "rtsps": "rtsps",
    ]

    private let port: UInt16?
    private var isClientDone = false
    private var isServerDone = false
    /// The secrets, unless the connection is inside a decrypted one.
    private let keys: DecryptionKeys?
    private let limits: LimitsReference
    private let showsAll: Bool
    /// The decryption, if the secrets of the connection are known.
    private var decryption: TLSDecryption?

    /// Creates a dissector of a flow.
    package init(flow: FlowContext) {
        port = Self.descriptor.ports.first { $0 == flow.server.port }
        keys = flow.layer == nil ? flow.limits[DecryptionSettings.self].keys : nil
        limits = flow.limitsReference
        showsAll = flow.showsEncrypted
    }

    /// The type of a handshake record.
    package static func firstOctets(onUsualPort isUsual: Bool) -> FirstOctets { FirstOctets(22...22) }

    /// More while secrets may still be added to a key log.
    package static func probeOctets(_ limits: Limits) -> Int {
        let settings = limits[DecryptionSettings.self]
        return settings.keys?.grows ?? false ? max(limits.probeOctets, settings.awaitedOctets) : limits.probeOctets
    }

    /// Recognizes a ClientHello with evidence of a media protocol.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard let first = opening.client.byte(at: 0) else { return opening.server.byteCount > 0 ? .no : .needMore }
        guard first == 22, (opening.client.byte(at: 1) ?? 3) == 3 else { return .no }
        guard let length = opening.client.uint16(at: 3), opening.client.byteCount >= 5 else { return .needMore }
        guard opening.client.byteCount >= min(5 &+ Int(length), opening.flow.limits.probeOctets) else {
            return .needMore
        }
        let isUsual = descriptor.ports.contains(opening.flow.server.port)
        if let keys = opening.flow.limits[DecryptionSettings.self].keys, opening.flow.layer == nil,
            let random = random(opening.client)
        {
            let octets = max(opening.client.byteCount, opening.server.byteCount)
            // A peer writes the secrets during the handshake, after the first packets.
            if !opening.isLast, octets <= probeOctets(opening.flow.limits), keys.awaits(random) { return .wait }
            if keys.covers(random) { return .yes }
        }
        // Nearly all TLS is unrelated, and not worth parsing.
        let showsAll = opening.flow.showsEncrypted
        guard isUsual || showsAll || mayNameMedia(opening.client) else {
            return isHello(opening.client) ? .hidden : .no
        }
        guard let hello = try? TLSClientHello(opening.client) else { return .no }
        return isUsual || showsAll || reason(hello, port: nil) != nil ? .yes : .hidden
    }

    /// Whether a handshake record starts with a ClientHello, by its first octets.
    private static func isHello(_ bytes: RawSpan) -> Bool {
        bytes.byte(at: 5) == 1 && bytes.byte(at: 6) == 0 && bytes.byte(at: 9) == 3
    }

    /// Returns the random octets of a ClientHello (RFC 8446 §4.1.2).
    private static func random(_ bytes: RawSpan) -> ClientRandom? {
        isHello(bytes) ? ClientRandom(bytes.clamped(11, 43).array()) : nil
    }

    /// Whether a ClientHello may contain a name that `reason` searches for. Only two of its extensions have names: the
    /// rest, mostly random octets, is passed over (RFC 8446 §4.1.2).
    private static func mayNameMedia(_ bytes: RawSpan) -> Bool {
        // Record header, handshake header, version and random octets.
        var offset = 5 &+ 4 &+ 2 &+ 32
        offset &+= 1 &+ Int(bytes.byte(at: offset) ?? 0)
        offset &+= 2 &+ Int(bytes.uint16(at: offset) ?? 0)
        offset &+= 1 &+ Int(bytes.byte(at: offset) ?? 0)
        offset &+= 2
        while let type = bytes.uint16(at: offset), let length = bytes.uint16(at: offset &+ 2) {
            let end = offset &+ 4 &+ Int(length)
            let isName = type == TLSHello.serverNameType || type == TLSHello.protocolsType
            if isName, mayBeMediaName(bytes.clamped(offset &+ 4, end)) { return true }
            offset = end
        }
        return false
    }

    /// Whether the octets contain the start of any of the names.
    private static func mayBeMediaName(_ bytes: RawSpan) -> Bool {
        for offset in 0..<max(0, bytes.byteCount &- 3) {
            guard let word = bytes.uint32(at: offset) else { return false }
            switch word | 0x2020_2020 {
            case 0x7274_6D70, 0x6C69_7665, 0x7374_756E, 0x7274_7370: return true  // rtmp, live, stun, rtsp
            case 0x7475_726E, 0x7768_6970, 0x7768_6570: return true  // turn, whip, whep
            case 0x7765_6273, 0x7765_6272, 0x7369_676E: return true  // webs(ocket), webr(tc), sign(aling)
            case 0x6A61_6E75, 0x6D65_6469, 0x7773_732E, 0x7773_732D: return true  // janu(s), medi(asoup), wss. and wss-
            default: break
            }
        }
        return false
    }

    /// Returns the kind of signaling that a server name indicates, word by word.
    private static func signaling(_ name: String) -> String? {
        for word in name.lowercased().split(whereSeparator: { !$0.isLetter }) {
            if let meaning = signalingWords[String(word)] { return meaning }
        }
        return nil
    }

    /// Emits the hellos of both sides, or the alert in place of the server's; everything after them is encrypted, or
    /// irrelevant.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        if decryption != nil { return decrypt(bytes, direction, outlet) }
        let isClients = direction == .clientToServer
        guard !(isClients ? isClientDone : isServerDone) else { return bytes.byteCount }
        guard let length = bytes.uint16(at: 3) else { return 0 }
        let octets = 5 &+ Int(length)
        guard bytes.byteCount >= octets else {
            outlet.need(octets)
            return 0
        }
        if isClients, !isServerDone, let keys, let random = Self.random(bytes), keys.covers(random) {
            let hello = try? TLSClientHello(bytes)
            let isNamed = hello.flatMap { Self.reason($0, port: port) } != nil
            outlet.layer(isShown: isNamed || showsAll)
            decryption = TLSDecryption(TLSDecryptor(keys, random, limits.values))
            return decrypt(bytes, direction, outlet)
        }
        show(bytes, 0..<octets, isClients, outlet)
        return bytes.byteCount
    }

    /// Decrypts a record, and emits the hellos as without secrets.
    private mutating func decrypt(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) -> Int {
        let isClients = direction == .clientToServer
        if !(isClients ? isClientDone : isServerDone), !(decryption?.hasGap(direction) ?? true),
            let length = bytes.uint16(at: 3), bytes.byteCount >= 5 &+ Int(length)
        {
            show(bytes, 0..<5 &+ Int(length), isClients, outlet)
        }
        return decryption?.read(bytes, direction, outlet) ?? bytes.byteCount
    }

    /// The decryption finds the next record; without it, everything after the hellos is passed over.
    package static var findsStarts: Bool { true }

    /// Discards an incomplete record.
    package mutating func gap(_ direction: Direction, octets: Int, _ outlet: Outlet) {
        decryption?.gap(direction, octets: octets, outlet)
    }

    /// Emits the captured part of a truncated hello.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        let isClients = direction == .clientToServer
        if decryption == nil, !(isClients ? isClientDone : isServerDone) {
            show(bytes, 0..<bytes.byteCount, isClients, outlet)
        }
    }

    private mutating func show(_ bytes: RawSpan, _ range: Range<Int>, _ isClients: Bool, _ outlet: Outlet) {
        guard isClients else {
            isServerDone = true
            if let answer = TLSAnswer(bytes) { outlet.message(answer, range) }
            return
        }
        isClientDone = true
        guard var hello = try? TLSClientHello(bytes) else { return }
        if decryption == nil { hello.because = Self.reason(hello, port: port) }
        outlet.message(hello, range)
    }

    private static func reason(_ hello: TLSClientHello, port: UInt16?) -> Text? {
        if let name = hello.applicationProtocols.first(where: { $0.lowercased().hasPrefix("rtmp") }) {
            return Text("tls.rtmps.protocol", .string(name))
        }
        // RFC 7443 defines ALPN names for STUN and TURN over TLS.
        if let name = hello.applicationProtocols.first(where: { $0.hasPrefix("stun.") }) {
            return Text("tls.turns.protocol", .string(name))
        }
        if let name = hello.serverName, serverNames.contains(where: { name.lowercased().contains($0) }) {
            return Text("tls.rtmps.name", .string(name))
        }
        if let name = hello.serverName, let meaning = signaling(name) {
            return Text("tls.name.\(meaning)", .string(name))
        }
        if port == 322 { return Text("tls.rtsps.port") }
        if port == 5349 { return Text("tls.turns.port") }
        return port.map { Text(ownPorts.contains($0) ? "tls.rtmps.port" : "tls.port", .integer(Int($0))) }
    }
}
