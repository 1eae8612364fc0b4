public import WeirEngine

// Reports recur throughout a session, so the condensed timeline counts them. It also counts goodbyes, since it shows
// the ends of streams.

extension SenderReport {
    /// Counted.
    public var condensed: Condensed { .counted(Self.countedName) }
    /// The name under which it is counted.
    static let countedName = "sender report"
}

extension ReceiverReport {
    /// Counted.
    public var condensed: Condensed { .counted(Self.countedName) }
    /// The name under which it is counted.
    static let countedName = "receiver report"
}

extension SourceDescription {
    /// Counted.
    public var condensed: Condensed { .counted(Self.countedName) }
    /// The name under which it is counted.
    static let countedName = "source description"
}

extension RTCPPacket {
    /// The name under which a report or source description is counted, and what rules see of it; nil for others, whose events
    /// are always created.
    var brief: (name: String, view: AnyObject?)? {
        switch self {
        case .senderReport: (SenderReport.countedName, nil)
        case .receiverReport: (ReceiverReport.countedName, nil)
        case .sourceDescription(let description): (SourceDescription.countedName, description.contents)
        default: nil
        }
    }
}

extension Bye {
    /// Counted.
    public var condensed: Condensed { .counted("goodbye") }
}

extension ExtendedReport {
    /// Counted.
    public var condensed: Condensed { .counted("extended report") }
}

extension TransportFeedback {
    /// Counted.
    public var condensed: Condensed { .counted("transport feedback") }
}

extension PayloadFeedback {
    /// The first one shows the requested feedback.
    public var condensed: Condensed { .firstOnly("payload feedback") }
}

extension ApplicationDefined {
    /// The first one shows the application.
    public var condensed: Condensed {
        switch rist {
        case nil: .firstOnly("application data")
        case .rangeNACK: .firstOnly("RIST NACK")
        case .echoRequest, .echoResponse: .counted("RIST round-trip time echo")
        }
    }
}

extension OpaqueRTCP {
    /// Like the corresponding unencrypted packet.
    public var condensed: Condensed {
        switch packetType {
        case 200: .counted(SenderReport.countedName)
        case 201: .counted(ReceiverReport.countedName)
        case 202: .counted(SourceDescription.countedName)
        case 203: .counted("goodbye")
        case 205: .counted("transport feedback")
        case 206: .counted("payload feedback")
        case 207: .counted("extended report")
        default: .firstOnly("application data")
        }
    }
}
