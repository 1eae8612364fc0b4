public import WeirEngine

/// The protocols that come with Weir.
public enum BuiltIn {
    /// All of them, in the order in which their dissectors are asked whether they recognise a flow, and in which reports
    /// list their rules.
    public static let plugins: [any Plugin.Type] = [
        RTSP.self, SDP.self, OfferAnswer.self, RTP.self, RTCP.self, MPEGTS.self, RTMP.self, TLS.self, HTTP.self,
        WebSocket.self,
        WHIP.self, Signaling.self, WebRTC.self, STUN.self, DTLS.self,
    ]

    /// The dissectors of all of them.
    public static var dissectors: [any Dissector.Type] { plugins.flatMap { $0.dissectors } }
    /// The rules of all of them.
    public static var rules: [any Rule.Type] { plugins.flatMap { $0.rules } }
}

extension Analyzer {
    /// Creates an analyzer that looks for the protocols that come with Weir.
    package convenience init(options: AnalyzerOptions = AnalyzerOptions(), sink: any TimelineSink) {
        self.init(options: options, plugins: BuiltIn.plugins, sink: sink)
    }
}
