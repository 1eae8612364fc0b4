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
                    isEncrypted: isEncrypted)
                return (type, format)
            }
            guard isEncrypted, let known = MediaFormat(staticPayloadType: type) else { return nil }
            let format = MediaFormat(
                mediaType: known.mediaType, encoding: known.encoding, clockRate: known.clockRate, isEncrypted: true)
            return (type, format)
        }
    }
}
