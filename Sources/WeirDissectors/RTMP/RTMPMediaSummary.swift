/// Said when the connection ends: how many messages of audio and video one side sent that were not shown one by one.
public struct RTMPMediaSummary: Message, Hashable {
    /// Messages of audio that were not shown.
    public let audioMessages: Int
    /// Messages of video that were not shown.
    public let videoMessages: Int
    /// Octets of all audio messages, also those shown.
    public let audioOctets: Int
    /// Octets of all video messages, also those shown.
    public let videoOctets: Int
    /// Whether the client sent them.
    public let isFromClient: Bool

    init(_ side: RTMPSide) {
        (audioMessages, videoMessages) = (side.audio.silent, side.video.silent)
        (audioOctets, videoOctets) = (side.audio.octets, side.video.octets)
        isFromClient = side.isClient
    }

    /// `rtmp`.
    public var protocolName: String { "rtmp" }
    /// `message`.
    public var kind: String { "message" }
    /// The counts.
    public func summary(_ secrets: SecretPolicy) -> String {
        let sender = isFromClient ? "client" : "server"
        return
            "media of the \(sender), not shown one by one: \(audioMessages) audio and \(videoMessages) video messages"
    }
    /// Says why they are not there.
    public var note: Text? { Text("rtmp.mediaSummary") }
    /// The counts.
    public func fields(_ secrets: SecretPolicy) -> [Field] {
        [
            Field("type", .string("mediaSummary")), Field("audioMessages", .integer(audioMessages)),
            Field("videoMessages", .integer(videoMessages)), Field("audioOctets", .integer(audioOctets)),
            Field("videoOctets", .integer(videoOctets)),
        ]
    }
}
