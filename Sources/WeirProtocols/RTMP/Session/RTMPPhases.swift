package import WeirEngine

extension Phase {
    /// RTMP: the handshake (RTMP §5.2).
    package static let handshake: Phase = "handshake"
    /// RTMP: the client connects to an application (`connect`).
    package static let connectCommand: Phase = "connectCommand"
    /// RTMP: the client creates a message stream (`createStream`), including preceding commands of publishers.
    package static let createStream: Phase = "createStream"
    /// RTMP: the client requests to send media.
    package static let publish: Phase = "publish"
    /// RTMP: the client requests to receive media.
    package static let play: Phase = "play"
}
