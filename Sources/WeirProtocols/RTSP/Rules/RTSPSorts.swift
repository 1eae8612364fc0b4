public import WeirEngine

extension MessageSorts {
    /// RTSP requests.
    static let rtspRequest = MessageSorts(rawValue: 1)
    /// RTSP responses.
    static let rtspAnswer = MessageSorts(rawValue: 2)
}

extension RTSPMessage {
    /// The sort of message, by its start line.
    public var sorts: MessageSorts { isRequest ? .rtspRequest : .rtspAnswer }
}
