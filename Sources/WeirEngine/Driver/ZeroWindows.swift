import WeirPackets

// Receive windows that stay closed until the end of a connection.

extension Analyzer {
    /// The maximum number of bytes sent to probe a zero window (RFC 9293 §3.8.6.1), including a FIN.
    private static let mostProbed: UInt32 = 2

    /// Records in the sessions of an ending connection which side closed its receive window and did not reopen it. If
    /// the other side sent more data since, the window was reopened in a segment that was not captured.
    func noteZeroWindow(of state: FlowState) {
        guard state.connection >= 0, state.session != nil else { return }
        let connection = self[connection: state]
        for (receiver, since, received) in state.history?.delays.closedWindows ?? [] {
            let sent = connection.nextSequence(receiver.opposite) &- received
            guard sent <= Self.mostProbed else { continue }
            let seconds = connection.last.time.seconds(since: since.time)
            for session in state.sessions {
                session.controlFlows.note(ZeroWindow(receiver: receiver, frame: since.frame, seconds: seconds))
                guard session.knownZeroWindow?.frame == since.frame else { continue }
                let moment = state.moment(receiver, frame: since.frame, time: since.time)
                timeline.emit(timeline.event(tcp(.zeroWindow, state, session), at: moment), session: session)
            }
        }
    }
}
