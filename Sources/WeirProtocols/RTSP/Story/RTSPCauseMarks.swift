import WeirEngine
import WeirPackets

/// Evidence in requests and answers for why a session ended.
struct RTSPCauseMarks {
    /// A keep-alive that the server refused.
    struct Refusal {
        var method: String
        var status: Int
        /// The frames of request and answer.
        var request: Int
        var answer: Int
        var time: Timestamp
    }

    /// A request of the client with a syntax error, as long as no answer accepts it.
    struct Malformed {
        var method: String
        /// Which error, as the end of a key.
        var flaw: String
        var frame: Int
        var time: Timestamp
    }

    /// Video without a frame that decodes on its own for seconds.
    struct MissingKeyframe {
        /// Seconds from the first packet to the first key frame, or to the end.
        var seconds: Double
        /// Whether none came at all.
        var isNever: Bool
        /// The frame of the first packet.
        var frame: Int
    }

    /// Methods that clients keep a session alive with (RFC 2326 §10.1, §10.8), and SET_PARAMETER.
    static let keepAliveMethods: Set = ["OPTIONS", "GET_PARAMETER", "SET_PARAMETER"]
    /// Refused transports, and endpoints with ICMP errors, that are kept.
    private static let most = 4

    /// The latest keep-alive that was refused, with none accepted since.
    private(set) var keepAlive: Refusal?
    /// When the latest of the client's requests that was accepted was sent.
    private(set) var accepted: Timestamp?
    /// SETUP answered 461: the transport, and the frame of the answer.
    private(set) var transports: [(name: String, frame: Int)] = []
    /// The latest malformed request.
    private(set) var malformed: Malformed?
    /// The answer to DESCRIBE: its frame, and octets of its body.
    private(set) var described: (frame: Int, octets: Int)?
    /// The video that had no key frame.
    var keyframe: MissingKeyframe?
    /// Endpoints that a host says nothing is listening on, and the frames that say so.
    private(set) var refused: [(endpoint: Endpoint, frame: Int)] = []

    /// The client sent a request.
    mutating func ask(_ request: RTSPMessage, _ frame: Int, _ time: Timestamp) {
        malformed = request.syntaxError.map {
            Malformed(method: request.method ?? "", flaw: $0, frame: frame, time: time)
        }
    }

    /// The server accepted a request that was sent at `time`.
    mutating func accept(_ request: RTSPMessage, sent time: Timestamp, by answer: RTSPMessage, in frame: Int) {
        accepted = time
        malformed = nil
        guard let method = request.method else { return }
        if Self.keepAliveMethods.contains(method) { keepAlive = nil }
        if method == "DESCRIBE" { described = (frame, answer.bodyLength) }
    }

    /// The server refused a request; `isFlowing` when media was to flow.
    mutating func refuse(
        _ request: RTSPMessage, in requestFrame: Int, by answer: RTSPMessage, in frame: Int, at time: Timestamp,
        isFlowing: Bool
    ) {
        guard let method = request.method, let status = answer.status, status >= 400 else { return }
        if status == 461, method == "SETUP", transports.count < Self.most {
            transports.append((Text.clip(request.transports.first?.identifier ?? ""), frame))
        }
        // Credentials and sessions that the server does not know are causes of their own.
        if isFlowing, Self.keepAliveMethods.contains(method), ![401, 407, 454].contains(status) {
            keepAlive = Refusal(method: method, status: status, request: requestFrame, answer: frame, time: time)
        }
    }

    /// A host says that nothing is listening on an endpoint.
    mutating func refuse(_ endpoint: Endpoint, in frame: Int) {
        if refused.count < Self.most { refused.append((endpoint, frame)) }
    }
}

extension RTSPMessage {
    /// Errors for which strict servers refuse a request, each with the end of its key.
    private static let refusable: [(flaw: Oddities, key: String)] = [
        (.cseqNotNumber, "number"), (.strayLine, "strayLine"), (.startLineBlanks, "startLine"),
        (.startLineCase, "startLine"), (.blankInURI, "uri"), (.relativeURI, "uri"), (.notUTF8, "notUTF8"),
        (.blankBeforeColon, "colon"), (.contentLengthNotNumber, "length"), (.bodyWithoutLength, "length"),
        (.bareCarriageReturn, "lineEnd"), (.bareLineFeed, "lineEnd"),
    ]

    /// The error of a request for which a strict server may refuse it; nil when there is none.
    var syntaxError: String? {
        if cseqText == nil { return "noNumber" }
        guard !oddities.isEmpty else { return nil }
        return Self.refusable.first { oddities.contains($0.flaw) }?.key
    }
}
