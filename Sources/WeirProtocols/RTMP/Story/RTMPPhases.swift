package import WeirEngine

extension Phase {
    /// RTMP: the handshake (RTMP §5.2).
    package static let handshake: Phase = "handshake"
    /// RTMP: the client asks for an application (`connect`).
    package static let connectCommand: Phase = "connectCommand"
    /// RTMP: the client asks for a message stream (`createStream`), with what publishers say before.
    package static let createStream: Phase = "createStream"
    /// RTMP: the client asks to send media.
    package static let publish: Phase = "publish"
    /// RTMP: the client asks to receive media.
    package static let play: Phase = "play"
}
