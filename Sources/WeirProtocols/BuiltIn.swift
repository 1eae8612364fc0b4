public import WeirEngine

/// The built-in protocols.
public enum BuiltIn {
    /// All built-in plugins, in the order in which their dissectors probe a flow, and in report order.
    public static let plugins: [any Plugin.Type] = [
        RTSP.self, SDP.self, OfferAnswer.self, RTP.self, RTCP.self, MPEGTS.self, RTMP.self, TLS.self, HTTP.self,
        WebSocket.self,
        WHIP.self, Signaling.self, WebRTC.self, STUN.self, DTLS.self, SRT.self,
    ]

    /// The dissectors of all built-in plugins.
    public static var dissectors: [any Dissector.Type] { plugins.flatMap { $0.dissectors } }
    /// The rules of all built-in plugins.
    public static var rules: [any Rule.Type] { plugins.flatMap { $0.rules } }
}

extension Analyzer {
    /// Creates an analyzer for the built-in protocols.
    package convenience init(options: AnalyzerOptions = AnalyzerOptions(), sink: any TimelineSink) {
        self.init(options: options, plugins: BuiltIn.plugins, sink: sink)
    }
}
