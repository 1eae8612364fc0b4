public import WeirEngine

// Reports recur throughout a session: the condensed timeline counts them, and goodbyes, since the ends of streams stand there.

extension SenderReport {
    /// Counted.
    public var condensed: Condensed { .counted("sender report") }
}

extension ReceiverReport {
    /// Counted.
    public var condensed: Condensed { .counted("receiver report") }
}

extension SourceDescription {
    /// Counted.
    public var condensed: Condensed { .counted("source description") }
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
    /// The first one shows what is asked for.
    public var condensed: Condensed { .firstOnly("payload feedback") }
}

extension ApplicationDefined {
    /// The first one shows what it is.
    public var condensed: Condensed { .firstOnly("application data") }
}

extension OpaqueRTCP {
    /// As the same packet in the clear.
    public var condensed: Condensed {
        switch packetType {
        case 200: .counted("sender report")
        case 201: .counted("receiver report")
        case 202: .counted("source description")
        case 203: .counted("goodbye")
        case 205: .counted("transport feedback")
        case 206: .counted("payload feedback")
        case 207: .counted("extended report")
        default: .firstOnly("application data")
        }
    }
}
