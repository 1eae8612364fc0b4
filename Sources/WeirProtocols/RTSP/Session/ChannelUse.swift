/// The use of an interleaved channel (RFC 2326 §10.12).
struct ChannelUse: Sendable, Hashable {
    /// The frame of the first packet.
    var firstFrame: Int
    /// Number of RTP packets; only the first few are counted.
    var rtpPackets = 0
    /// Number of RTCP packets.
    var rtcpPackets = 0
    /// The frames of the first RTP and of the first RTCP packet.
    var firstRTP: Int?
    var firstRTCP: Int?
    /// Whether a SETUP response had granted the channel before its first packet.
    var isGranted: Bool
    /// Whether the first packet preceded the response to PLAY or RECORD.
    var isBeforePlay: Bool
    /// Whether it preceded the response to the first SETUP, so that it is of an earlier session.
    var isBeforeSetup: Bool

    /// Counts a packet.
    mutating func count(isRTCP: Bool, frame: Int) {
        if isRTCP {
            rtcpPackets += 1
            firstRTCP = firstRTCP ?? frame
        } else {
            rtpPackets += 1
            firstRTP = firstRTP ?? frame
        }
    }
}

extension RTSPSession {
    /// Counts a packet on a channel. Channel numbers are bytes, so there are at most 256.
    func noteChannel(_ channel: Int, isRTCP: Bool, frame: Int) {
        channels[
            channel,
            default: ChannelUse(
                firstFrame: frame, isGranted: setupIndex(forChannel: channel) != nil,
                isBeforePlay: playAnswerTime == nil, isBeforeSetup: setups.isEmpty)
        ].count(isRTCP: isRTCP, frame: frame)
    }

    /// The first channel with media that no response to SETUP assigned, if the assigned ones have none. Not one that was
    /// in use before PLAY: its frames are of an earlier session.
    var misplacedMedia: (channel: Int, frame: Int)? {
        guard !lacksMessages, setups.contains(where: { $0.channels != nil }) else { return nil }
        let media = channels.filter { $0.value.rtpPackets > 0 }
        guard media.keys.allSatisfy({ setupIndex(forChannel: $0) == nil }) else { return nil }
        return media.filter { !$0.value.isBeforePlay }.min { $0.value.firstFrame < $1.value.firstFrame }
            .map { ($0.key, $0.value.firstFrame) }
    }

    /// Whether a stream with another source than announced began before its SETUP was answered, as frames of an earlier
    /// session do.
    func precedesSetup(_ stream: borrowing MediaStream, _ setup: Int) -> Bool {
        guard setups.indices.contains(setup), let announced = setups[setup].granted.ssrc else { return false }
        return announced != stream.ssrc && stream.startTime < setups[setup].answerTime
    }
}
