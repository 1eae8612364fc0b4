public import WeirEngine

/// The RTP Control Protocol (RFC 3550).
public enum RTCP: Plugin {
    /// The plugin name, `rtcp`.
    public static let name = "rtcp"
    /// The RTCP dissector, used over UDP and by protocols that carry RTCP.
    public static var dissectors: [any Dissector.Type] { [RTCPDissector.self] }

    /// The rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            RTCPSenderReportAbsent.self, RTCPReceiverReportAbsent.self,
            RTCPCompoundForm.self, RTCPLength.self, RTCPCanonicalName.self, RTCPSenderCounts.self,
            RTCPSenderClock.self, RTCPLastReport.self, RTCPHighestSequence.self, RTCPReportedLoss.self,
            RTCPInterval.self, RTCPGoodbye.self,
            RTCPMultiplexed.self, RTCPFeedbackNegotiated.self, RTCPNackServed.self, RTCPPictureServed.self,
            RTCPFullIntraRequest.self,
        ]
    }
}
