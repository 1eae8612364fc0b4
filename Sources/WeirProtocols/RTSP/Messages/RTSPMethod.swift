import WeirPackets

/// The methods of RFC 2326 §10 and RFC 7826 §13.
public enum RTSPMethod: UInt8, CaseIterable, Sendable {
    /// Asks for the methods of the other side, or keeps a session alive.
    case options
    /// Asks for a description.
    case describe
    /// Sends a description.
    case announce
    /// Negotiates the transport of a medium.
    case setup
    /// Starts media from the server.
    case play
    /// Stops media for a while.
    case pause
    /// Ends the session, or a medium of it.
    case teardown
    /// Asks for parameters, or keeps a session alive.
    case getParameter
    /// Sets parameters.
    case setParameter
    /// Sends the client to another server.
    case redirect
    /// Starts media from the client.
    case record
    /// Informs about media that is played (RTSP 2.0).
    case playNotify

    /// The name in requests.
    public var name: String {
        switch self {
        case .options: "OPTIONS"
        case .describe: "DESCRIBE"
        case .announce: "ANNOUNCE"
        case .setup: "SETUP"
        case .play: "PLAY"
        case .pause: "PAUSE"
        case .teardown: "TEARDOWN"
        case .getParameter: "GET_PARAMETER"
        case .setParameter: "SET_PARAMETER"
        case .redirect: "REDIRECT"
        case .record: "RECORD"
        case .playNotify: "PLAY_NOTIFY"
        }
    }

    /// The text that explains a request with it.
    var requestKey: String { Self.keys[Int(rawValue)].request }
    /// The text that explains its 200 response.
    var responseKey: String { Self.keys[Int(rawValue)].response }

    private static let keys = allCases.map {
        (request: "rtsp.request.\($0.name)", response: "rtsp.response.200.\($0.name)")
    }

    /// Whether clients use it as keep-alive: OPTIONS (RFC 2326 §10.1), GET_PARAMETER (§10.8), and SET_PARAMETER.
    var isKeepAlive: Bool { self == .options || self == .getParameter || self == .setParameter }

    /// Returns the method with a name, or nil for others.
    init?(_ name: String) {
        guard let method = name.withOctets({ Self($0) }) else { return nil }
        self = method
    }

    /// Returns the method with a name; names are case-sensitive (RFC 2326 §6.1).
    init?(_ name: Span<UInt8>) {
        // Length and first letter leave one: comparing with all would take longer.
        guard let first = name.indices.first.map({ name[$0] }) else { return nil }
        let candidate: RTSPMethod
        switch (name.count, first) {
        case (4, _): candidate = .play
        case (5, UInt8(ascii: "S")): candidate = .setup
        case (5, _): candidate = .pause
        case (6, _): candidate = .record
        case (7, _): candidate = .options
        case (8, UInt8(ascii: "D")): candidate = .describe
        case (8, UInt8(ascii: "T")): candidate = .teardown
        case (8, UInt8(ascii: "A")): candidate = .announce
        case (8, _): candidate = .redirect
        case (11, _): candidate = .playNotify
        case (13, UInt8(ascii: "G")): candidate = .getParameter
        case (13, _): candidate = .setParameter
        default: return nil
        }
        guard candidate.name.withOctets({ $0.rawSpan.equals(name.rawSpan) }) else { return nil }
        self = candidate
    }
}
