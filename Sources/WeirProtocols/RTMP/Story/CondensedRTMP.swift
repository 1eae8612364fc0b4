public import WeirEngine

extension RTMPHandshakePart {
    /// Named, unless something is odd about it.
    package var condensed: Condensed {
        let isOdd = isUnfinished || isCut || hurriesAhead != nil || echoes == false || answer == .ownFirstPart
        return isOdd || isEncrypting ? .step : .brief(Wording(verbatim: packet.rawValue))
    }
}

extension RTMPKeyframe {
    /// The first one shows when video can start.
    package var condensed: Condensed { .firstOnly("key frame") }
}

extension RTMPEnd {
    /// The table of streams has its figures.
    package var condensed: Condensed { .omitted }
}

extension RTMPMessage {
    /// Acknowledgements and pings recur throughout a session, and so do media and data; settings and the commands that encoders
    /// send beside those of the specification are named side by side.
    public var condensed: Condensed {
        switch payload {
        case .acknowledgement: return .counted("acknowledgement")
        case .userControl(let event) where event.eventType == 6: return .counted("ping request")
        case .userControl(let event) where event.eventType == 7: return .counted("ping response")
        case .windowAckSize, .setPeerBandwidth, .setChunkSize: return .brief(nil)
        case .command(let command) where command.name.map(Self.accompanying.contains) ?? false: return .brief(nil)
        default: return recurrence == nil ? .step : .firstOnly(Self.names[typeID] ?? "message")
        }
    }

    /// What messages are counted as, by type.
    private static let names: [UInt8: String] = [
        8: "audio message", 9: "video message", 15: "data message", 18: "data message",
    ]

    /// Commands that encoders and players send beside those that do the work.
    private static let accompanying: Set<String> = [
        "releaseStream", "FCPublish", "FCUnpublish", "FCSubscribe", "getStreamLength", "_checkbw",
    ]
}
