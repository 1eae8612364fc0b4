import WeirEngine

extension Phase {
    /// RTMP: the handshake (RTMP §5.2).
    static let handshake: Phase = "handshake"
    /// RTMP: the client connects to an application (`connect`).
    static let connectCommand: Phase = "connectCommand"
    /// RTMP: the client creates a message stream (`createStream`), including preceding commands of publishers.
    static let createStream: Phase = "createStream"
    /// RTMP: the client requests to send media.
    static let publish: Phase = "publish"
    /// RTMP: the client requests to receive media.
    static let play: Phase = "play"
}
