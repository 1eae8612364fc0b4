public import WeirEngine

extension MessageSorts {
    /// Parts of the handshake.
    static let rtmpHandshake = MessageSorts(rawValue: 1)
    /// Command messages, and data messages, which may contain a command.
    static let rtmpCommand = MessageSorts(rawValue: 2)
    /// Protocol control messages and user control messages.
    static let rtmpControl = MessageSorts(rawValue: 4)
    /// Audio and video messages.
    static let rtmpMedia = MessageSorts(rawValue: 8)
    /// All other messages.
    static let rtmpOther = MessageSorts(rawValue: 16)
    /// `connect` of either side.
    static let rtmpConnect = MessageSorts(rawValue: 1 << 5)
    /// `_result` and `_error`.
    static let rtmpResult = MessageSorts(rawValue: 1 << 6)
    /// `onStatus`.
    static let rtmpStatus = MessageSorts(rawValue: 1 << 7)
    /// Commands to a message stream, such as `publish`.
    static let rtmpStreamCommand = MessageSorts(rawValue: 1 << 8)
    /// All messages, as opposed to parts of the handshake and events about streams.
    static let rtmpMessage: MessageSorts = [.rtmpCommand, .rtmpControl, .rtmpMedia, .rtmpOther]

    // By content.

    /// Data messages.
    static let rtmpData = MessageSorts(rawValue: 1 << 9)
    /// Messages that may contain AMF values.
    static let rtmpValues = MessageSorts(rawValue: 1 << 10)
    /// Audio and video in enhanced FLV.
    static let rtmpEnhanced = MessageSorts(rawValue: 1 << 11)
    /// Acknowledgements.
    static let rtmpAcknowledgement = MessageSorts(rawValue: 1 << 12)
    /// User control messages.
    static let rtmpUserControl = MessageSorts(rawValue: 1 << 13)

    // By transport.

    /// The first message on its chunk stream.
    static let rtmpFirstOnChunkStream = MessageSorts(rawValue: 1 << 14)
    /// Messages with an extended timestamp, or one that wraps for lack of it.
    static let rtmpExtended = MessageSorts(rawValue: 1 << 15)
    /// Messages with a known previous timestamp.
    static let rtmpTimestampStep = MessageSorts(rawValue: 1 << 16)
    /// Messages whose first chunk contains a message stream ID other than 0.
    static let rtmpMessageStreamID = MessageSorts(rawValue: 1 << 17)
    /// Set Chunk Size, and messages in chunks longer than announced.
    static let rtmpChunkSize = MessageSorts(rawValue: 1 << 18)
    /// Messages sent before the handshake permits it.
    static let rtmpPremature = MessageSorts(rawValue: 1 << 19)
    /// Events of any kind with remarks.
    static let rtmpRemarked = MessageSorts(rawValue: 1 << 20)

    // Parts of the handshake.

    /// C0 and S0.
    static let rtmpVersion = MessageSorts(rawValue: 1 << 21)
    /// C1 and S1.
    static let rtmpFirstPart = MessageSorts(rawValue: 1 << 22)
    /// C2.
    static let rtmpC2 = MessageSorts(rawValue: 1 << 23)
    /// S2.
    static let rtmpS2 = MessageSorts(rawValue: 1 << 24)

    // Events about streams.

    /// Events about streams, such as their start.
    static let rtmpStream = MessageSorts(rawValue: 1 << 25)
    /// The start of a stream.
    static let rtmpStart = MessageSorts(rawValue: 1 << 26)
    /// Timestamps that go back.
    static let rtmpTimestampBack = MessageSorts(rawValue: 1 << 27)

    /// The sorts, and that for remarks if the event has any.
    fileprivate func withRemarks(of event: Event) -> MessageSorts {
        event.remarks.isEmpty ? self : union(.rtmpRemarked)
    }
}

extension RTMPMessage {
    /// Returns the sort by message type, even if the payload cannot be parsed, and those of its content and transport.
    public func sorts(of event: Event) -> MessageSorts {
        contentSorts.union(framing.sorts(messageStreamID: messageStreamID)).withRemarks(of: event)
    }

    private var contentSorts: MessageSorts {
        switch typeID {
        case 1: [.rtmpControl, .rtmpChunkSize]
        case 3: [.rtmpControl, .rtmpAcknowledgement]
        case 4: [.rtmpControl, .rtmpUserControl]
        case 2, 5, 6: .rtmpControl
        case 8, 9: mediaSorts
        case 15, 17, 18, 20: commandSorts
        default: [.rtmpOther, .rtmpValues]
        }
    }

    private var mediaSorts: MessageSorts {
        switch payload {
        case .video(let video?):
            video.enhanced == nil ? .rtmpMedia : [.rtmpMedia, .rtmpEnhanced, .rtmpValues]
        case .audio(let audio?): audio.enhanced == nil ? .rtmpMedia : [.rtmpMedia, .rtmpEnhanced]
        default: .rtmpMedia
        }
    }

    /// The sorts of the command, which may be sent in a data message by mistake.
    private var commandSorts: MessageSorts {
        let sorts: MessageSorts = [.rtmpCommand, .rtmpValues]
        return switch payload {
        case .command(let command): sorts.union(command.sort)
        case .data(let data): sorts.union(data.sort).union(.rtmpData)
        default: sorts
        }
    }
}

extension RTMPFraming {
    /// Returns the sorts that rules about chunks distinguish.
    fileprivate func sorts(messageStreamID: UInt32) -> MessageSorts {
        var sorts: MessageSorts = []
        if isFirstOnChunkStream { sorts.insert(.rtmpFirstOnChunkStream) }
        if isExtended || wrapsAt24Bits { sorts.insert(.rtmpExtended) }
        if step != nil { sorts.insert(.rtmpTimestampStep) }
        if format == 0, messageStreamID != 0 { sorts.insert(.rtmpMessageStreamID) }
        if exceedsChunkSize { sorts.insert(.rtmpChunkSize) }
        if prematureOf != nil { sorts.insert(.rtmpPremature) }
        return sorts
    }
}

extension RTMPCommand {
    fileprivate var sort: MessageSorts {
        switch kind {
        case .connect: .rtmpConnect
        case .result, .error: .rtmpResult
        case .onStatus: .rtmpStatus
        case let kind? where kind.isStreamCommand: .rtmpStreamCommand
        default: []
        }
    }
}

extension RTMPHandshakePart {
    /// Returns the sort of handshake parts, and that of the part.
    package func sorts(of event: Event) -> MessageSorts {
        let sorts: MessageSorts =
            switch packet {
            case .c0, .s0: [.rtmpHandshake, .rtmpVersion]
            case .c1, .s1: [.rtmpHandshake, .rtmpFirstPart]
            case .c2: [.rtmpHandshake, .rtmpC2]
            case .s2: [.rtmpHandshake, .rtmpS2]
            }
        return sorts.withRemarks(of: event)
    }
}

extension RTMPStart {
    /// Returns the sort of starts.
    func sorts(of event: Event) -> MessageSorts {
        MessageSorts([.rtmpStream, .rtmpStart]).withRemarks(of: event)
    }
}

extension RTMPTimestampBack {
    /// Returns the sort of timestamps that go back.
    func sorts(of event: Event) -> MessageSorts {
        MessageSorts([.rtmpStream, .rtmpTimestampBack]).withRemarks(of: event)
    }
}

extension RTMPKeyframe {
    /// Returns the sort of events about streams.
    func sorts(of event: Event) -> MessageSorts { MessageSorts.rtmpStream.withRemarks(of: event) }
}

extension RTMPGap {
    /// Returns the sort of events about streams.
    func sorts(of event: Event) -> MessageSorts { MessageSorts.rtmpStream.withRemarks(of: event) }
}

extension RTMPEnd {
    /// Returns the sort of events about streams.
    func sorts(of event: Event) -> MessageSorts { MessageSorts.rtmpStream.withRemarks(of: event) }
}
