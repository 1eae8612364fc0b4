public import WeirEngine

extension RTMPHandshakePart {
    /// Listed by name, unless the part is irregular.
    package var condensed: Condensed {
        let isOdd = isUnfinished || isCut || prematureOf != nil || echoes == false || answer == .ownFirstPart
        return isOdd || isEncrypting ? .step : .brief(Wording(verbatim: packet.rawValue))
    }
}

extension RTMPKeyframe {
    /// The first one shows when video can start.
    package var condensed: Condensed { .firstOnly("key frame") }
}

extension RTMPEnd {
    /// The stream table contains its figures.
    package var condensed: Condensed { .omitted }
}

extension RTMPMessage {
    /// Acknowledgements, pings, media and data recur throughout a session; settings and the usual commands outside the
    /// specification are listed side by side.
    public var condensed: Condensed {
        switch payload {
        case .acknowledgement: return .counted("acknowledgement")
        case .userControl(let event) where event.eventType == 6: return .counted("ping request")
        case .userControl(let event) where event.eventType == 7: return .counted("ping response")
        case .windowAckSize, .setPeerBandwidth, .setChunkSize: return .brief(nil)
        case .command(let command) where command.kind?.isAccompanying == true: return .brief(nil)
        default: return recurrence == nil ? .step : .firstOnly(Self.names[typeID] ?? "message")
        }
    }

    /// The names under which messages are counted, by type.
    private static let names: [UInt8: String] = [
        8: "audio message", 9: "video message", 15: "data message", 18: "data message",
    ]
}

extension RTMPCommandKind {
    /// Whether encoders and players send it in addition to the essential commands.
    fileprivate var isAccompanying: Bool {
        switch self {
        case .releaseStream, .fcPublish, .fcUnpublish, .fcSubscribe, .getStreamLength, .checkBandwidth: true
        default: false
        }
    }
}
