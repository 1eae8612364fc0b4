import WeirPackets

// The meaning of a media section for its streams.

extension MediaDescription {
    /// Whether the profile encrypts media: SAVP or SAVPF (RFC 3711 §12, RFC 5124). Keys in a description apply only to
    /// these profiles (RFC 4568 §6).
    var isEncrypted: Bool { Self.isEncrypted(proto: proto) }

    /// Whether a transport protocol has such a profile.
    static func isEncrypted(proto: String) -> Bool {
        // The common case first.
        proto != "RTP/AVP" && TextSyntax.uppercased(proto).split(separator: "/").contains { $0.hasPrefix("SAVP") }
    }

    /// Returns the meaning of each payload type of the section: from rtpmap and fmtp (RFC 8866 §6.6, §6.15), or the
    /// static assignment (RFC 3551 §6) if it is encrypted.
    func mediaFormats(isEncrypted: Bool) -> [(type: UInt8, format: MediaFormat)] {
        payloadTypes.compactMap { type in
            if let map = rtpMap(type) {
                let parameters = formatParameters(type)?.raw ?? ""
                // AirPlay signals the rate of AppleLossless as the last number of a=fmtp.
                let isAppleLossless =
                    map.clockRate == nil && ASCII.equalIgnoringCase(map.encoding, "AppleLossless")
                let clockRate =
                    isAppleLossless ? parameters.split(separator: " ").last.flatMap { Int($0) } : map.clockRate
                let format = MediaFormat(
                    mediaType: self.type, encoding: map.encoding, clockRate: clockRate, parameters: parameters,
                    channels: map.channels, packetTime: attributes.first("ptime").flatMap { Double($0) },
                    isEncrypted: isEncrypted)
                return (type, format)
            }
            guard isEncrypted || attributes.has("ptime"), let known = MediaFormat(staticPayloadType: type) else {
                return nil
            }
            let format = MediaFormat(
                mediaType: known.mediaType, encoding: known.encoding, clockRate: known.clockRate,
                channels: known.channels, packetTime: attributes.first("ptime").flatMap { Double($0) },
                isEncrypted: isEncrypted)
            return (type, format)
        }
    }
}

extension MediaDescription {
    /// Returns the parameters of the section's streams; `shared` are the session-level attributes. At most `most`
    /// sources, feedback types and keys are stored.
    func agreement(_ shared: [SDPAttribute], isEncrypted: Bool, most: Int) -> StreamAgreement {
        var agreement = StreamAgreement(payloadTypes: payloadTypes)
        agreement.sharesPort = attributes.has("rtcp-mux")
        agreement.isEncrypted = isEncrypted
        // With another key exchange in the description, it is unknown whether these keys are used.
        let others = isEncrypted ? ["fingerprint", "key-mgmt"].filter { attributes.has($0) || shared.has($0) } : []
        if others == ["key-mgmt"] {
            // Keys of the media section replace those of the session (RFC 4567 §3.1).
            let lines = attributes.all("key-mgmt") + (attributes.has("key-mgmt") ? [] : shared.all("key-mgmt"))
            let messages = lines.prefix(most).map { MIKEYMessage(keyManagement: $0) }
            agreement.keys = Array(messages.flatMap { $0?.keys ?? [] }.prefix(most))
            agreement.hasOtherKeys = true
        }
        if isEncrypted, others.isEmpty {
            let reported = srtpKeys(most: most)
            agreement.keys = reported.keys
            agreement.hasOtherKeys = reported.hasOthers
            agreement.hasMoreKeys = reported.hasMore
            agreement.hasClearPayload = reported.leavesClear
        }
        agreement.hasRetransmission = rtpMaps.contains { ASCII.equalIgnoringCase($0.encoding, "rtx") }
        agreement.hasReducedSize = attributes.has("rtcp-rsize")
        agreement.hasFeedbackProfile =
            proto != "RTP/AVP"
            && TextSyntax.uppercased(proto).split(separator: "/").contains { $0 == "AVPF" || $0 == "SAVPF" }
        for line in attributes.all("rtcp-fb") {
            let words = line.split(separator: " ").dropFirst().prefix(2).map { TextSyntax.lowercased(String($0)) }
            let kind = words.joined(separator: " ")
            if agreement.feedback.count < most {
                agreement.feedback.insert(kind)
            } else if !agreement.feedback.contains(kind) {
                agreement.announcesMore = true
            }
        }
        let maps = extensionMaps + shared.all("extmap").compactMap(ExtensionMap.init)
        // Identifiers from 4096 on may have alternative definitions (RFC 8285 §5) and do not occur in packets.
        agreement.extensions = [:]
        for map in maps { if let id = UInt8(exactly: map.id) { agreement.extensions?[id] = map.uri } }
        var sources: Set<UInt32> = []
        for line in attributes.all("ssrc") {
            guard let source = line.split(separator: " ").first.flatMap({ UInt32($0) }) else { continue }
            if sources.count < most {
                sources.insert(source)
            } else if !sources.contains(source) {
                agreement.announcesMore = true
            }
        }
        agreement.sources = sources.sorted()
        return agreement
    }
}
