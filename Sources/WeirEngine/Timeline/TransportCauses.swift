// Outcomes and causes shown by TCP, for all protocols.

extension Session {
    /// Returns the causes that TCP proves.
    func transportCauses() -> [Cause] {
        guard let window = knownZeroWindow, closedBy == .close || closedBy == .reset, !isTornDown else { return [] }
        return [
            Cause(
                "receive-window-closed", .proved, frames: [window.frame],
                Text("cause.receive-window-closed.\(window.side)", .integer(window.frame), .seconds(window.seconds)))
        ]
    }

    /// Returns the delays caused by TCP, as part of the outcome.
    func delayTexts() -> [Text] {
        let window = knownZeroWindow
        // A window that never reopened is reported once.
        let delay = controlFlows.longestDelay.flatMap { $0.isWindow && $0.frame == window?.frame ? nil : $0.outcome }
        let isOpen = closedBy == nil && completeness.endsEarly
        let open = window.flatMap { window in
            isOpen ? Text("outcome.zeroWindow.\(window.side)", .integer(window.frame), .seconds(window.seconds)) : nil
        }
        return [delay, open].compactMap { $0 }
    }

    /// The zero window that lasted to the end, if the capture contains all segments that might have reopened it.
    var knownZeroWindow: ZeroWindow? {
        guard let zeroWindow = controlFlows.zeroWindow, zeroWindow.isLong, !completeness.hasGap,
            !completeness.isOneSided, !completeness.hasDrops,
            !completeness.isFiltered, !completeness.clockWentBack, !beganBehind
        else { return nil }
        return zeroWindow
    }
}
