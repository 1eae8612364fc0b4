public import WeirEngine
import WeirPackets

extension SessionDescription {
    /// What a description that the capture lacks says of the ports that it names: those of RTP, with what their payload types
    /// mean, and those of RTCP, which are the next ones unless it says otherwise (RFC 3605).
    public static func decodeAs(_ text: String) -> [AnalyzerOptions.DecodeAs] {
        SessionDescription(text).media.flatMap { medium -> [AnalyzerOptions.DecodeAs] in
            guard let port = medium.port, port > 0, TextSyntax.uppercased(medium.proto).contains("RTP")
            else { return [] }
            let meanings = medium.mediaFormats(isEncrypted: false).sorted { $0.type < $1.type }.map { type, format in
                let rate = format.clockRate.map { "/\($0)" } ?? ""
                let parameters = format.parameters.isEmpty ? "" : " \(format.parameters)"
                return AnalyzerOptions.DecodeAs.Meaning(
                    number: type, text: format.encoding + rate + parameters, kind: format.mediaType)
            }
            let media = AnalyzerOptions.DecodeAs(
                transport: .udp, port: port, protocolName: "rtp", meanings: meanings)
            let reports = medium.rtcp?.port ?? (port < .max ? port + 1 : nil)
            guard let reports, reports != port else { return [media] }
            return [media, AnalyzerOptions.DecodeAs(transport: .udp, port: reports, protocolName: "rtp")]
        }
    }
}
