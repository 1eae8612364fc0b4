import WeirPackets

// What the payload types of a media section mean to the streams that it describes.

extension MediaDescription {
    /// Whether its profile encrypts media: SAVP or SAVPF (RFC 3711 §12, RFC 5124). Keys in a description are for these
    /// only (RFC 4568 §6): beside another profile they do not encrypt.
    var isEncrypted: Bool { TextSyntax.uppercased(proto).split(separator: "/").contains { $0.hasPrefix("SAVP") } }

    /// What each payload type of the section means, by its rtpmap and fmtp (RFC 8866 §6.6, §6.15), or what it means
    /// everywhere (RFC 3551 §6) when it is encrypted.
    func mediaFormats(isEncrypted: Bool) -> [(type: UInt8, format: MediaFormat)] {
        payloadTypes.compactMap { type in
            if let map = rtpMap(type) {
                let parameters = formatParameters(type)?.raw ?? ""
                // AirPlay gives the rate of AppleLossless as the last number of a=fmtp.
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
    /// What the section agrees on for its streams; `shared` are the attributes of the session level.
    /// `most` sources, kinds of feedback and keys are kept.
    func agreement(_ shared: [SDPAttribute], isEncrypted: Bool, most: Int) -> StreamAgreement {
        var agreement = StreamAgreement(payloadTypes: payloadTypes)
        agreement.sharesPort = attributes.has("rtcp-mux")
        agreement.isEncrypted = isEncrypted
        // Where keys are agreed on in another way, too, nothing says that these are used.
        if isEncrypted, !["fingerprint", "key-mgmt"].contains(where: { attributes.has($0) || shared.has($0) }) {
            let told = srtpKeys(most: most)
            agreement.keys = told.keys
            agreement.hasOtherKeys = told.hasOthers
            agreement.hasMoreKeys = told.hasMore
            agreement.hasClearPayload = told.leavesClear
        }
        agreement.hasRetransmission = rtpMaps.contains { ASCII.equalIgnoringCase($0.encoding, "rtx") }
        agreement.hasReducedSize = attributes.has("rtcp-rsize")
        agreement.hasFeedbackProfile = TextSyntax.uppercased(proto).split(separator: "/").contains {
            $0 == "AVPF" || $0 == "SAVPF"
        }
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
        // Several definitions may stand for one identifier from 4096 on (RFC 8285 §5), which no packet has.
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
