import WeirEngine
import WeirPackets

/// A protocol dialect based on RTSP.
enum RTSPDialect: String, Sendable {
    /// AirPlay, formerly RAOP: uses RTSP messages for pairing, keys and playback control, with paths as URIs and
    /// property lists as bodies.
    case airPlay = "AirPlay"
}

extension RTSPMessage {
    /// The evidence that the message is AirPlay, or nil if there is none.
    var airPlaySign: String? {
        if contentType == Self.propertyList { return Self.propertyList }
        if let server, TextSyntax.hasPrefix(server, "AirTunes/") { return "Server: \(server)" }
        if let userAgent, TextSyntax.hasPrefix(userAgent, "AirPlay/") { return "User-Agent: \(userAgent)" }
        if let purpose = airPlayPurpose, purpose != "flush", let method { return "\(method) \(uri ?? "")" }
        return head.headers.first("Apple-Challenge") == nil ? nil : "Apple-Challenge"
    }

    /// The purpose of an AirPlay request that RTSP does not define.
    var airPlayPurpose: String? {
        guard knownMethod == nil || oddities.contains(.relativeURI), let method, let uri else { return nil }
        if method == "FLUSH" { return "flush" }
        guard oddities.contains(.relativeURI) else { return nil }
        let path = uri.prefix { $0 != "?" }
        return Self.purposes[String(path)]
    }

    private static let propertyList = "application/x-apple-binary-plist"
    private static let purposes = [
        "/info": "info", "/pair-setup": "pairing", "/pair-verify": "pairing", "/pair-pin-start": "pairing",
        "/auth-setup": "keys", "/fp-setup": "keys", "/feedback": "feedback", "/command": "command",
        "/audioMode": "command",
    ]
}
