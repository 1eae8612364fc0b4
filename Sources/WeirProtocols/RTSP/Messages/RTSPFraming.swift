/// How long an RTSP message is, and what deviates in it.
struct RTSPFraming: Sendable, Equatable {
    /// The actual length of the body, in bytes.
    var bodyLength = 0
    /// Bytes of the body beyond `Content-Length`, or the excess of `Content-Length` if negative.
    var bodyDelta = 0
    /// Whether only the beginning of the message is captured.
    var isCut = false
    /// Bytes skipped before the message.
    var skippedBefore = 0
    /// The syntax deviations.
    var oddities: RTSPOddities = []
}
