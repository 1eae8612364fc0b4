public import WeirEngine

/// The protocols that come with Weir.
public enum BuiltIn {
    /// All of them, in the order in which their dissectors are asked whether they recognise a flow.
    public static var plugins: [any Plugin.Type] {
        [
            RTSP.self, RTMP.self, TLS.self, SDP.self, RTCP.self, RTP.self, FLV.self,
        ]
    }

    /// The dissectors of all of them.
    public static var dissectors: [any Dissector.Type] { plugins.flatMap { $0.dissectors } }
}
