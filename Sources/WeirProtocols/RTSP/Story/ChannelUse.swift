/// How an interleaved channel was used (RFC 2326 §10.12).
package struct ChannelUse: Sendable, Hashable {
    /// Frame of the first packet.
    package var firstFrame: Int
    /// RTP packets, counted up to the first few.
    package var rtpPackets = 0
    /// RTCP packets.
    package var rtcpPackets = 0
    /// Whether a SETUP answer had granted the channel when its first packet came.
    package var isGranted: Bool
    /// Whether the first packet came before an answer to PLAY or RECORD.
    package var isBeforePlay: Bool
}

extension RTSPSession {
    /// Channels are octets, so there are 256 at most.
    package func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int) {
        var use =
            channels[channel]
            ?? ChannelUse(
                firstFrame: frame, isGranted: setupIndex(forChannel: channel) != nil,
                isBeforePlay: playAnswerTime == nil)
        if isRTCP { use.rtcpPackets += 1 } else { use.rtpPackets += 1 }
        channels[channel] = use
    }
}
