public import WeirEngine
import WeirPackets

extension SessionDescription {
    /// Returns the ports of a description that is not captured: those of RTP, with the meaning of their payload types,
    /// and those of RTCP, by default the next ones (RFC 3605). Over TCP only the passive side announces a real port;
    /// the active side announces 9 (RFC 4145 §4.1).
    public static func decodeAs(_ text: String) -> [AnalyzerOptions.DecodeAs] {
        SessionDescription(text).media.flatMap { medium -> [AnalyzerOptions.DecodeAs] in
            let profile = TextSyntax.uppercased(medium.proto)
            guard let port = medium.port, port > 0, profile.contains("RTP") else { return [] }
            // RFC 4571 §4 puts TCP before the profile; some implementations put it after.
            let isStream = profile.split(separator: "/").contains("TCP")
            if isStream, port == discardPort { return [] }
            let transport: TransportProtocol = isStream ? .tcp : .udp
            let meanings = medium.mediaFormats(isEncrypted: false).sorted { $0.type < $1.type }.map { type, format in
                let rate = format.clockRate.map { "/\($0)" } ?? ""
                let channels = format.channels > 1 ? "/\(format.channels)" : ""
                let parameters = format.parameters.isEmpty ? "" : " \(format.parameters)"
                return AnalyzerOptions.DecodeAs.Meaning(
                    number: type, text: format.encoding + rate + (rate.isEmpty ? "" : channels) + parameters,
                    kind: format.mediaType, packetTime: medium.attributes.first("ptime").flatMap { Double($0) })
            }
            var media = AnalyzerOptions.DecodeAs(
                transport: transport, port: port, protocolName: "rtp", meanings: meanings)
            media.numbers = medium.payloadTypes
            let reports = medium.rtcp?.port ?? (port < .max ? port + 1 : nil)
            guard let reports, reports != port else { return [media] }
            return [media, AnalyzerOptions.DecodeAs(transport: transport, port: reports, protocolName: "rtp")]
        }
    }

    /// The placeholder port of the side that opens the connection (RFC 4145 §4.1).
    private static let discardPort: UInt16 = 9
}
