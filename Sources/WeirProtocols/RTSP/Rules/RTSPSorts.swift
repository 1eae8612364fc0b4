public import WeirEngine

extension MessageSorts {
    /// A request.
    static let rtspRequest = MessageSorts(rawValue: 1)
    /// An answer.
    static let rtspAnswer = MessageSorts(rawValue: 2)
}

extension RTSPMessage {
    /// By its first line.
    public var sorts: MessageSorts { isRequest ? .rtspRequest : .rtspAnswer }
}
