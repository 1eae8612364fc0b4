// What TCP shows of the end of a session, whatever its protocol.

extension Session {
    /// The causes that TCP shows, whatever the protocol.
    func transportCauses() -> [Cause] {
        guard let window = knownZeroWindow, closedBy == .close || closedBy == .reset, !isTornDown else { return [] }
        return [
            Cause(
                "receive-window-closed", .proved, frames: [window.frame],
                Text("cause.receive-window-closed.\(window.side)", .integer(window.frame), .seconds(window.seconds)))
        ]
    }

    /// What TCP held up, as a part of the outcome.
    func delayTexts() -> [Text] {
        let window = knownZeroWindow
        // The window that never opened is reported once.
        let delay = longestDelay.flatMap { $0.isWindow && $0.frame == window?.frame ? nil : $0.outcome }
        let isOpen = closedBy == nil && completeness.endsEarly
        let open = window.flatMap { window in
            isOpen ? Text("outcome.zeroWindow.\(window.side)", .integer(window.frame), .seconds(window.seconds)) : nil
        }
        return [delay, open].compactMap { $0 }
    }

    /// The window that was closed to the end, where the capture has all segments that may have opened it.
    private var knownZeroWindow: ZeroWindow? {
        guard let zeroWindow, zeroWindow.isLong, !completeness.hasGap, !completeness.isOneSided, !completeness.hasDrops,
            !completeness.isFiltered, !completeness.clockWentBack, !beganBehind
        else { return nil }
        return zeroWindow
    }
}
