internal import WeirEngine

/// Selects the events that are steps of a session.
enum StepFilter {
    /// Events that the analyzer derives from media packets or segments, and reports that follow a clock.
    private static let derived: Set<String> = ["tcp", "rtp", "rtcp", "icmp"]
    private static let media: Set<String> = ["start", "end", "keyframe", "gap", "timestampBack"]

    /// Whether a message was exchanged as such, so that two captures of the same traffic both contain it.
    static func isExchanged(_ message: any Message) -> Bool {
        !derived.contains(message.protocolName) && !message.isRoutine && message.recurrence == nil
            && !media.contains(message.kind)
    }

    /// Whether an event is a step: something that a program does once, or of its own accord.
    static func isStep(_ event: Event) -> Bool {
        let message = event.message
        guard !message.isRoutine, !event.isOneOfMany else { return false }
        switch message.protocolName {
        case "rtp": return message.kind == "start"
        case "rtcp": return message.kind == "bye"
        case "tcp": return message.kind != "gap"
        case "icmp": return true
        case "stun": return !event.isCut
        case "rtmp" where message.kind == "start": return true
        case "signaling" where message.kind == "heartbeat": return false
        default: return message.recurrence == nil && !media.contains(message.kind)
        }
    }

    /// Whether steps of a protocol depend on timing so much that their order and number say nothing.
    static func isUnordered(_ protocolName: String) -> Bool {
        ["rtp", "rtcp", "stun", "icmp", "tcp", "srt"].contains(protocolName)
    }
}
