public import WeirEngine

extension Phase {
    /// RTMP: the handshake (RTMP §5.2).
    public static let handshake: Phase = "handshake"
    /// RTMP: the client asks for an application (`connect`).
    public static let connectCommand: Phase = "connectCommand"
    /// RTMP: the client asks for a message stream (`createStream`), with what publishers say before.
    public static let createStream: Phase = "createStream"
    /// RTMP: the client asks to send media.
    public static let publish: Phase = "publish"
    /// RTMP: the client asks to receive media.
    public static let play: Phase = "play"
}
