package import WeirEngine
package import WeirPackets

/// Names TLS connections that carry RTMP (RTMPS), RTSP (RTSPS), TURN, or signaling (WSS, WHIP), as far as anything says so;
/// nothing in them can be read.
///
/// What TLS carries cannot be seen: a server's name, a protocol name, or the port of RTMP itself are all there is to go
/// by, and the note says which of them it was. On ports where only some servers take RTMPS the connection is shown as
/// TLS, and that nothing says more. Other TLS connections are left alone.
package struct TLSDissector: Dissector {
    /// Name, carriers, ports and how it is recognised.
    package static let descriptor = DissectorDescriptor(
        name: "tls", carriers: [.tcp], ports: [322, 1443, 1935, 1936, 2935, 2936, 5349],
        recognition:
            "a ClientHello, on a port where servers take RTMPS, RTSPS or TURN, or to a server whose name says so, or that it "
            + "takes signaling")

    /// Ports where hardly anything but RTMP is spoken: its own, and the one beside it. Of the others in the descriptor
    /// only some servers are known to use them for RTMPS.
    private static let ownPorts: [UInt16] = [1935, 1936]
    /// Parts of the names of servers that take RTMPS on port 443, which all kinds of TLS use: those that say it, and
    /// those that services tell their users to publish to. Each has a word that `mayNameRTMP` looks for.
    private static let serverNames = [
        "rtmp", "live-api-s.facebook.com", "live-upload.instagram.com", "contribute.live-video.net",
        "live.cloudflare.com", "global-live.mux.com",
    ]

    /// Words in the names of servers that take signaling, each with what it stands for; see `mayNameMedia`.
    private static let signalingWords: [String: String] = [
        "wss": "websocket", "websocket": "websocket", "websockets": "websocket",
        "signaling": "signaling", "signalling": "signaling", "webrtc": "signaling", "janus": "signaling",
        "livekit": "signaling", "mediasoup": "signaling", "whip": "whip", "whep": "whip",
        "turn": "turn", "turns": "turn", "rtsp": "rtsps", "rtsps": "rtsps",
    ]

    private let port: UInt16?
    private var isDone = false

    /// Begins reading a flow.
    package init(flow: FlowContext) {
        port = Self.descriptor.ports.first { $0 == flow.server.port }
    }

    /// Recognises a ClientHello that something ties to RTMP.
    package static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        guard let first = opening.client.byte(at: 0) else { return opening.server.byteCount > 0 ? .no : .needMore }
        guard first == 22, (opening.client.byte(at: 1) ?? 3) == 3 else { return .no }
        guard let length = opening.client.uint16(at: 3), opening.client.byteCount >= 5 else { return .needMore }
        guard opening.client.byteCount >= min(5 &+ Int(length), opening.flow.limits.probeOctets) else {
            return .needMore
        }
        let isUsual = descriptor.ports.contains(opening.flow.server.port)
        // Nearly all of TLS is something else, and not worth taking apart.
        guard isUsual || mayNameMedia(opening.client) else { return isHello(opening.client) ? .hidden : .no }
        guard let hello = try? TLSClientHello(opening.client) else { return .no }
        return isUsual || reason(hello, port: nil) != nil ? .yes : .hidden
    }

    /// Whether a handshake record begins with a ClientHello, as far as its first octets say.
    private static func isHello(_ bytes: RawSpan) -> Bool {
        bytes.byte(at: 5) == 1 && bytes.byte(at: 6) == 0 && bytes.byte(at: 9) == 3
    }

    /// Whether a word stands in the octets with which each name begins that `reason` looks for.
    private static func mayNameMedia(_ bytes: RawSpan) -> Bool {
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

    /// What a server's name says of signaling, word by word.
    private static func signaling(_ name: String) -> String? {
        for word in name.lowercased().split(whereSeparator: { !$0.isLetter }) {
            if let meaning = signalingWords[String(word)] { return meaning }
        }
        return nil
    }

    /// Shows the ClientHello; what follows is encrypted, or says nothing of what is inside.
    package mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        guard !isDone, direction == .clientToServer else { return bytes.byteCount }
        guard let length = bytes.uint16(at: 3) else { return 0 }
        let octets = 5 &+ Int(length)
        guard bytes.byteCount >= octets else {
            outlet.need(octets)
            return 0
        }
        show(bytes, 0..<octets, outlet)
        return bytes.byteCount
    }

    /// Shows what there is of a ClientHello that was cut.
    package mutating func readCut(_ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet) {
        if !isDone, direction == .clientToServer { show(bytes, 0..<bytes.byteCount, outlet) }
    }

    private mutating func show(_ bytes: RawSpan, _ range: Range<Int>, _ outlet: Outlet) {
        isDone = true
        guard var hello = try? TLSClientHello(bytes) else { return }
        hello.because = Self.reason(hello, port: port)
        outlet.message(hello, range)
    }

    private static func reason(_ hello: TLSClientHello, port: UInt16?) -> Text? {
        if let name = hello.applicationProtocols.first(where: { $0.lowercased().hasPrefix("rtmp") }) {
            return Text("tls.rtmps.protocol", .string(name))
        }
        // RFC 7443 has names for STUN and TURN in TLS.
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
