import WeirEngine
import WeirPackets

// Successive calls on the same addresses and ports.

extension WebRTCSession {
    /// Seconds without a successful check after which a peer must stop sending (RFC 7675 §5.1).
    private static var consentSeconds: Double { 30 }

    /// Whether the call has ended on a flow, so that new names there are those of another call: its peers ended it, its
    /// connection was closed, or it was silent for longer than consent lasts.
    ///
    /// New names alone are a restart. An agent keeps its tie-breaker through one (RFC 8445 §16.1): then the call
    /// continues.
    func isOver(on flow: Int, unless tieBreaker: UInt64? = nil, at now: Timestamp) -> Bool {
        if agents.index(ofTieBreaker: tieBreaker) != nil { return false }
        if isTornDown || connections.contains(where: { pairs[$0.pair].flow == flow && $0.closed != nil }) {
            return true
        }
        guard let last = lastSign else { return false }
        return now.seconds(since: last) > Self.consentSeconds
    }

    /// Time of the latest message or packet of the call.
    private var lastSign: Timestamp? {
        (mediaStreams.map { $0.endTime(media.streams) } + [lastTime].compactMap { $0 }).max()
    }

    /// Starts the call on a flow: earlier calls, and their media, leave it.
    func succeed(on flow: FlowState, _ context: MessageContext, _ outlet: SessionOutlet) {
        let frame = FrameInfo(
            number: context.at.frame, time: context.at.time, capturedLength: 0, originalLength: 0, linkType: .raw)
        for case let other as WebRTCSession in outlet.claimants(of: SessionNames.flow(flow.id)) where other !== self {
            other.leave(flow.id, at: frame)
        }
    }

    private func leave(_ flow: Int, at frame: FrameInfo) {
        for entry in mediaStreams where entry.flow == flow { media.end(entry, at: frame) }
    }
}
