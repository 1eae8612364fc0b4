import WeirEngine
import WeirPackets

/// The software of a peer, with the evidence for it.
struct RTMPPeer: Sendable, Hashable {
    /// The program or family of programs.
    let name: String
    /// Whether the name is the peer's own.
    let isOwnName: Bool
    /// Whether the peer announces no version.
    let lacksVersion: Bool
    /// The evidence, quoted.
    let quotes: String

    init(_ name: String, _ quotes: [String?], isOwnName: Bool = false, lacksVersion: Bool = false) {
        self.name = name
        self.isOwnName = isOwnName
        self.lacksVersion = lacksVersion
        var list = ""
        for case let quote? in quotes {
            if !list.isEmpty { list += ", " }
            list += quote
        }
        self.quotes = list
    }

    /// The evidence.
    var evidence: String {
        lacksVersion ? quotes.isEmpty ? "no flashVer" : "no flashVer, \(quotes)" : quotes
    }
}

extension RTMPSession {
    /// The client's software, or nil if it does not identify itself.
    var clientPeer: RTMPPeer? {
        guard connect != nil || encoder != nil else { return nil }
        let object = connect?.command.arguments.first
        let flash = flashVersion ?? ""
        let encoder = publishes ? encoder : nil
        let made = encoder ?? ""
        let words: [String?] = [
            flashVersion.map { "flashVer " + $0 }, version(.c1).map { "C1 version " + $0 },
            encoder.map { "encoder " + $0 },
        ]
        if ASCII.contains(made, "obs") { return RTMPPeer("OBS Studio", words) }
        if ASCII.contains(flash, "Lavf") { return RTMPPeer("ffmpeg", words) }
        if flash.hasPrefix("LNX.11,1,102,55") || ASCII.contains(flash, "ngx-local-relay") {
            return RTMPPeer("nginx-rtmp as a relay", words)
        }
        // ffmpeg, GStreamer and librtmp as players share the Flash version but differ in the codec flags.
        let codecs = object?["audioCodecs"]?.number
        if flash == "LNX 9,0,124,2" { return RTMPPeer("ffmpeg", words) }
        if flash == "LNX 10,0,32,18" {
            if codecs == 3_191 { return RTMPPeer("librtmp (rtmpdump)", words + ["audioCodecs 3191"]) }
            if codecs == 4_071 { return RTMPPeer("GStreamer rtmp2", words + ["audioCodecs 4071"]) }
            return RTMPPeer(made.hasPrefix("GStreamer") ? "GStreamer" : "librtmp or GStreamer", words)
        }
        if made.hasPrefix("GStreamer") { return RTMPPeer("GStreamer", words) }
        if flash.hasPrefix("FMLE/") { return RTMPPeer("librtmp (as in OBS) or Flash Media Live Encoder", words) }
        if ["WIN ", "MAC ", "LNX ", "AND "].contains(where: flash.hasPrefix) { return RTMPPeer("Flash Player", words) }
        // The connect command may be truncated.
        if flash.isEmpty, connect?.message.isCut == true { return nil }
        if flash.isEmpty { return RTMPPeer("unidentified software", words, lacksVersion: true) }
        return RTMPPeer(flash, words, isOwnName: true)
    }

    /// The server's software, or nil if it does not identify itself.
    var serverPeer: RTMPPeer? {
        let made = version(.s1)
        let words: [String?] = [serverVersion.map { "fmsVer " + $0 }, made.map { "S1 version " + $0 }]
        if let sign = serverWords.first(where: { $0.hasPrefix("srs_server=") || $0.hasPrefix("srs_sig=") }) {
            return RTMPPeer("SRS", [sign] + words)
        }
        // Values that only nginx-rtmp writes into the handshake.
        if made == "13.14.10.13" { return RTMPPeer("nginx-rtmp", words) }
        if made == "12.0.13.14" { return RTMPPeer("nginx-rtmp as a relay", words) }
        guard let version = serverVersion else { return nil }
        let program = serverWords.first { $0.hasPrefix("version=") }
        if version.hasPrefix("RED5") { return RTMPPeer("Red5", words) }
        if version == "LNX 9,0,124,2" { return RTMPPeer("MediaMTX or another Go server", words) }
        if ASCII.contains(version, "Wowza") || (version == "FMS/3,5,7,7009" && program != nil) {
            return RTMPPeer("Wowza or a compatible server", words + [program])
        }
        if version == "FMS/3,0,1,123" {
            return RTMPPeer("a server with the same replies as nginx-rtmp", words)
        }
        if version.hasPrefix("FMS/") {
            return RTMPPeer("Adobe Media Server or a compatible server", words + [program])
        }
        return RTMPPeer(version, words, isOwnName: true)
    }

    /// Whether the client publishes.
    var publishes: Bool {
        // Streams are large, and not copied.
        for index in netStreams.indices where netStreams[index].role == .publish { return true }
        return false
    }

    /// Returns the version that a peer writes in place of the zero field of C1 or S1.
    private func version(_ packet: RTMPHandshakePart.Packet) -> String? {
        guard let field = handshake[packet]?.part.secondField, field != 0 else { return nil }
        return "\(field >> 24).\(field >> 16 & 0xFF).\(field >> 8 & 0xFF).\(field & 0xFF)"
    }
}
