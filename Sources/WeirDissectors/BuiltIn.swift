/// The dissectors that come with Weir.
public enum BuiltIn {
    /// All of them, in the order in which they are asked whether they recognise a flow.
    public static var dissectors: [any Dissector.Type] {
        [
            RTSPDissector.self,
            HTTPTunnelDissector.self,
            RTMPDissector.self,
            RTMPTDissector.self,
            TLSDissector.self,
            SDPDissector.self,
            RTCPDissector.self,
            RTPDissector.self,
        ]
    }
}
