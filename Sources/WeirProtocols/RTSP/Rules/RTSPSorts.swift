public import WeirEngine
import WeirPackets

extension MessageSorts {
    // By the start line.

    /// RTSP requests.
    static let rtspRequest = MessageSorts(rawValue: 1)
    /// RTSP responses.
    static let rtspAnswer = MessageSorts(rawValue: 1 << 1)

    // By the method of the request.

    /// SETUP requests of either side.
    static let rtspSetup = MessageSorts(rawValue: 1 << 2)
    /// PLAY and RECORD requests of either side.
    static let rtspStart = MessageSorts(rawValue: 1 << 3)
    /// ANNOUNCE requests of either side.
    static let rtspAnnounce = MessageSorts(rawValue: 1 << 4)
    /// Final responses to SETUP.
    static let rtspSetupAnswered = MessageSorts(rawValue: 1 << 5)
    /// The server's 2xx responses to OPTIONS.
    static let rtspOptionsAccepted = MessageSorts(rawValue: 1 << 6)
    /// The server's 2xx responses to SETUP.
    static let rtspSetupAccepted = MessageSorts(rawValue: 1 << 7)
    /// The server's 2xx responses to PLAY.
    static let rtspPlayAccepted = MessageSorts(rawValue: 1 << 8)
    /// The server's 2xx responses to TEARDOWN.
    static let rtspTeardownAccepted = MessageSorts(rawValue: 1 << 9)

    // By what the message has.

    /// Messages with a body or a Content-Length.
    static let rtspBody = MessageSorts(rawValue: 1 << 10)
    /// Messages with a Content-Base.
    static let rtspContentBase = MessageSorts(rawValue: 1 << 11)
    /// Messages with a Date.
    static let rtspDate = MessageSorts(rawValue: 1 << 12)
    /// Messages with a Transport.
    static let rtspTransport = MessageSorts(rawValue: 1 << 13)
    /// Messages with credentials or a nonce, and responses that demand credentials.
    static let rtspAuthentication = MessageSorts(rawValue: 1 << 14)
    /// Responses to a request with a Timestamp.
    static let rtspTimestamp = MessageSorts(rawValue: 1 << 15)
    /// Responses to a request with a required option, and those with status 551.
    static let rtspRequire = MessageSorts(rawValue: 1 << 16)
}

extension RTSPMessage {
    /// Returns the sorts by start line, method of the request, and headers.
    public func sorts(of event: Event) -> MessageSorts {
        var sorts: MessageSorts = []
        if bodyLength > 0 || head.names.contains(.contentLength) { sorts.insert(.rtspBody) }
        if head.names.contains(.contentBase) { sorts.insert(.rtspContentBase) }
        if head.names.contains(.date) { sorts.insert(.rtspDate) }
        if head.names.contains(.transport) { sorts.insert(.rtspTransport) }
        if head.names.contains(.authorization) || head.names.contains(.authenticationInfo) {
            sorts.insert(.rtspAuthentication)
        }
        if let status {
            sorts.insert(.rtspAnswer)
            if status == 401 || status == 407 { sorts.insert(.rtspAuthentication) }
            if status == 551 { sorts.insert(.rtspRequire) }
            if let request = event.answers.flatMap({ RTSPMessage($0.request) }) {
                addAnswer(to: request, event, &sorts)
            }
        } else {
            sorts.insert(.rtspRequest)
            switch knownMethod {
            case .setup: sorts.insert(.rtspSetup)
            case .play, .record: sorts.insert(.rtspStart)
            case .announce: sorts.insert(.rtspAnnounce)
            default: break
            }
        }
        return sorts
    }

    private func addAnswer(to request: RTSPMessage, _ event: Event, _ sorts: inout MessageSorts) {
        if request.head.names.contains(.timestamp) { sorts.insert(.rtspTimestamp) }
        if request.head.names.contains(.require) || request.head.names.contains(.proxyRequire) {
            sorts.insert(.rtspRequire)
        }
        guard let status, status >= 200 else { return }
        let isAccepted = isSuccess && event.direction == .serverToClient
        switch request.knownMethod {
        case .setup:
            sorts.insert(.rtspSetupAnswered)
            if isAccepted { sorts.insert(.rtspSetupAccepted) }
        case .options where isAccepted: sorts.insert(.rtspOptionsAccepted)
        case .play where isAccepted: sorts.insert(.rtspPlayAccepted)
        case .teardown where isAccepted: sorts.insert(.rtspTeardownAccepted)
        default: break
        }
    }
}
