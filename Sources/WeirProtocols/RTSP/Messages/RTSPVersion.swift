import WeirPackets

/// The RTSP version of a message.
public struct RTSPVersion: Sendable, Hashable {
    /// The number before the dot.
    public var major: Int
    /// The number after the dot.
    public var minor: Int
    /// The version as sent, such as `RTSP/1.0`.
    public var text: String

    /// RTSP 1.0, as nearly all messages have it.
    static let version1 = RTSPVersion(major: 1, minor: 0, text: "RTSP/1.0")

    /// The octets of its text, big-endian.
    static let octets1: UInt64 = 0x5254_5350_2F31_2E30

    private init(major: Int, minor: Int, text: String) {
        (self.major, self.minor, self.text) = (major, minor, text)
    }

    /// Parses `RTSP/` major `.` minor (RFC 2326 §3.1, RFC 2068 §3.1); returns nil for anything else.
    public init?(_ text: String) {
        if text == Self.version1.text {
            self = .version1
            return
        }
        guard TextSyntax.hasPrefix(text, "RTSP/") else { return nil }
        let parts = text.utf8.dropFirst(5).split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 2,
            let major = TextSyntax.decimal(String(decoding: parts[0], as: UTF8.self)),
            let minor = TextSyntax.decimal(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        self.major = major
        self.minor = minor
        self.text = text
    }
}
