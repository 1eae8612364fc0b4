import WeirEngine
import WeirPackets

/// What a session speaks beside RTSP.
package enum RTSPDialect: String, Sendable {
    /// AirPlay, once called RAOP: it borrows RTSP's messages for pairing, keys and playback control, with paths for URIs and
    /// property lists for bodies.
    case airPlay = "AirPlay"
}

extension RTSPMessage {
    /// What shows that the message is of AirPlay; nil when nothing does.
    var airPlaySign: String? {
        if contentType == Self.propertyList { return Self.propertyList }
        if let server, TextSyntax.hasPrefix(server, "AirTunes/") { return "Server: \(server)" }
        if let userAgent, TextSyntax.hasPrefix(userAgent, "AirPlay/") { return "User-Agent: \(userAgent)" }
        if let purpose = airPlayPurpose, purpose != "flush", let method { return "\(method) \(uri ?? "")" }
        return headers.first("Apple-Challenge") == nil ? nil : "Apple-Challenge"
    }

    /// What a request of AirPlay is for, where RTSP has no such request.
    var airPlayPurpose: String? {
        guard let method, let uri else { return nil }
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
