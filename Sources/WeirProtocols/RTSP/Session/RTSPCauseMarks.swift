import WeirEngine
import WeirPackets

/// Evidence in requests and responses for the end of a session.
struct RTSPCauseMarks {
    /// A rejected keep-alive.
    struct Refusal {
        var method: String
        var status: Int
        /// The frames of request and response.
        var request: Int
        var answer: Int
        var time: Timestamp
    }

    /// A client request with a syntax error that no response has accepted.
    struct Malformed {
        var method: String
        /// The error, as the suffix of a text key.
        var flaw: String
        var frame: Int
        var time: Timestamp
    }

    /// A response that a client may not be able to use.
    struct Unusable {
        /// The defect, as the identifier of the cause.
        var cause: String
        var method: String
        var frame: Int
        var time: Timestamp
    }

    /// A refused SETUP with a defect.
    struct RefusedSetup {
        /// The defect, as the identifier of the cause.
        var cause: String
        var request: Int
        var answer: Int
        var status: Int
    }

    /// Video without a key frame for seconds.
    struct MissingKeyframe {
        /// Seconds from the first packet to the first key frame, or to the end of the stream.
        var seconds: Double
        /// Whether there was no key frame at all.
        var isNever: Bool
        /// The frame of the first packet.
        var frame: Int
    }

    /// Maximum number of rejected transports, and of endpoints with ICMP errors, stored.
    private static let most = 4

    /// The latest rejected keep-alive, unless a later one was accepted.
    private(set) var keepAlive: Refusal?
    /// The send time of the client's latest accepted request.
    private(set) var accepted: Timestamp?
    /// SETUPs rejected with 461: the transport, and the frame of the response.
    private(set) var transports: [(name: String, frame: Int)] = []
    /// The latest malformed request.
    private(set) var malformed: Malformed?
    /// The response to DESCRIBE: its frame, and the length of its body in bytes.
    private(set) var described: (frame: Int, octets: Int)?
    /// The video stream without a key frame.
    var keyframe: MissingKeyframe?
    /// The duration in seconds of the longest video stream that had no key frame at all.
    var keyless: Double?
    /// Endpoints reported as unreachable by ICMP, and the frames of the errors.
    private(set) var refused: [(endpoint: Endpoint, frame: Int)] = []

    /// The latest response, if a client may not be able to use it.
    private(set) var unusable: Unusable?
    /// The latest refused SETUP with a defect.
    private(set) var refusedSetup: RefusedSetup?
    /// A request that was redirected, and the frame of that response.
    private(set) var redirected: (method: String, uri: String, frame: Int)?
    /// The request to the old URI after a redirection: the frames of the redirection and of the request.
    private(set) var ignoredRedirect: (answer: Int, request: Int)?

    /// Records a response to the client: whether it repeats another number than that of its request.
    mutating func answer(_ request: RTSPMessage, by answer: RTSPMessage, _ pairing: Event.Pairing, _ event: Event) {
        unusable = nil
        guard let status = answer.status, status >= 200, let method = request.method else { return }
        func note(_ cause: String) {
            unusable = Unusable(cause: cause, method: Text.clip(method), frame: event.frame, time: event.time)
        }
        if pairing == .order, let number = answer.cseq, let asked = request.cseq, number != asked {
            note("response-number")
        } else if request.knownMethod == .setup, status < 300, answer.transports.isEmpty {
            note("response-without-transport")
        } else if request.knownMethod == .setup, status < 300, Self.hasOtherChannels(request, answer) {
            note("response-with-other-channels")
        } else if request.knownMethod == .describe, status < 300, answer.contentBaseFlaw != nil {
            note("response-content-base")
        }
        if 300..<400 ~= status, let uri = request.uri, answer.head.first(.location) != nil {
            redirected = redirected ?? (method, uri, event.frame)
        }
    }

    /// Whether a response to SETUP assigns interleaved channels, and none that were requested.
    private static func hasOtherChannels(_ request: RTSPMessage, _ answer: RTSPMessage) -> Bool {
        let requested = request.transports.compactMap { $0.interleaved }
        guard !requested.isEmpty, let assigned = answer.transports.first?.interleaved else { return false }
        return !requested.contains { $0.lowerBound == assigned.lowerBound }
    }

    /// Records why a server may have refused a SETUP.
    ///
    /// - Parameters:
    ///   - isPresentation: Whether its URI is that of the presentation, and not of one of several media.
    ///   - isUnknown: Whether its URI is none of the description.
    mutating func refuse(
        setup request: RTSPMessage, isPresentation: Bool, isUnknown: Bool, in frames: (Int, Int), status: Int
    ) {
        let lacksChannels =
            !request.transports.isEmpty
            && request.transports.allSatisfy { $0.lowerTransport == .tcp && $0.interleaved == nil }
        let repeatsTimeout = status == 454 && request.session?.timeoutSeconds != nil
        let isElsewhere = status == 404 && isUnknown
        guard isPresentation || lacksChannels || repeatsTimeout || isElsewhere else { return }
        refusedSetup = RefusedSetup(
            cause: repeatsTimeout
                ? "session-with-timeout"
                : isPresentation
                    ? "setup-of-presentation" : isElsewhere ? "setup-of-other-url" : "transport-without-channels",
            request: frames.0, answer: frames.1, status: status)
    }

    /// Records a client request.
    mutating func ask(_ request: RTSPMessage, _ frame: Int, _ time: Timestamp) {
        unusable = nil
        if let redirected, redirected.method == request.method, redirected.uri == request.uri, ignoredRedirect == nil {
            ignoredRedirect = (redirected.frame, frame)
        }
        malformed = request.syntaxError.map {
            Malformed(method: request.method ?? "", flaw: $0, frame: frame, time: time)
        }
    }

    /// Records that the server accepted a request sent at `time`.
    mutating func accept(_ request: RTSPMessage, sent time: Timestamp, by answer: RTSPMessage, in frame: Int) {
        accepted = time
        malformed = nil
        if request.isKeepAlive { keepAlive = nil }
        if request.knownMethod == .describe { described = (frame, answer.bodyLength) }
    }

    /// Records that the server rejected a request; `isFlowing` if media should be flowing.
    mutating func refuse(
        _ request: RTSPMessage, in requestFrame: Int, by answer: RTSPMessage, in frame: Int, at time: Timestamp,
        isFlowing: Bool
    ) {
        guard let method = request.method, let status = answer.status, status >= 400 else { return }
        if status == 461, request.knownMethod == .setup, transports.count < Self.most {
            transports.append((Text.clip(request.transports.first?.identifier ?? ""), frame))
        }
        // An unknown session is a separate cause.
        if isFlowing, request.isKeepAlive, status != 454 {
            keepAlive = Refusal(method: method, status: status, request: requestFrame, answer: frame, time: time)
        }
    }

    /// The protocol in which the server answered instead of RTSP, and the frame.
    var otherProtocol: (name: String, frame: Int)?

    /// Records an ICMP error: nothing is listening on the endpoint.
    mutating func refuse(_ endpoint: Endpoint, in frame: Int) {
        if refused.count < Self.most { refused.append((endpoint, frame)) }
    }
}

extension RTSPMessage {
    /// Errors for which strict servers reject a request, with the suffix of the text key.
    private static let refusable: [(flaw: Oddities, key: String)] = [
        (.cseqNotNumber, "number"), (.strayLine, "strayLine"), (.startLineBlanks, "startLine"),
        (.startLineCase, "startLine"), (.blankInURI, "uri"), (.relativeURI, "uri"), (.notUTF8, "notUTF8"),
        (.blankBeforeColon, "colon"), (.contentLengthNotNumber, "length"), (.bodyWithoutLength, "length"),
        (.bareCarriageReturn, "lineEnd"), (.bareLineFeed, "lineEnd"),
    ]

    /// The error for which a strict server may reject the request, or nil if there is none.
    var syntaxError: String? {
        if cseqText == nil { return "noNumber" }
        guard !oddities.isEmpty else { return nil }
        return Self.refusable.first { oddities.contains($0.flaw) }?.key
    }
}
