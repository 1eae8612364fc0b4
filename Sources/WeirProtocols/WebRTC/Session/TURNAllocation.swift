import WeirEngine
import WeirPackets

/// The exchanges with a TURN server on one flow, which has at most one allocation (RFC 8656 §5).
struct TURNAllocation {
    /// An error response: method, code, and its frames.
    struct Refusal: Sendable {
        /// The rejected method, such as `allocate`.
        var method: String
        /// The error code.
        var code: Int
        /// The reason phrase.
        var reason: String
        /// Whether the request contained credentials.
        var isSigned: Bool
        /// The user name in the latest of the requests.
        fileprivate(set) var user: String?
        /// For a rejected ChannelBind: the frame in which its peer was bound to another channel.
        var boundBefore: Int?
        /// For a rejected Allocate: the frame in which the same request was accepted before.
        var acceptedBefore: Int?
        /// The number of such responses since the method last succeeded.
        fileprivate(set) var count = 0
        /// The first and the latest of these.
        fileprivate(set) var first: ICEPair.Moment
        fileprivate(set) var last: ICEPair.Moment
    }

    /// Requests sent since the latest response, of one transaction or several.
    struct Unanswered {
        var first: ICEPair.Moment
        var last: ICEPair.Moment
        /// The number of requests, including retransmissions.
        var count = 0
        /// The maximum number of requests of any one transaction.
        var mostRepeated = 0
        /// The number of requests of the latest transaction.
        fileprivate var ofTransaction = 0
        /// Their method, or nil if there are several.
        var method: UInt16?
        /// Whether the first of them contains a nonce.
        fileprivate var hasNonce: Bool
        /// Whether they request an allocation without credentials, as a client does initially.
        var asksFirst: Bool { method == 0x003 && !hasNonce }
        /// Whether all are equal in method and use of credentials: nothing indicates a response in between.
        fileprivate(set) var isUniform = true
    }

    /// A nonce that was rejected with 438.
    private struct RefusedNonce {
        var nonce: UInt64
        var request: UInt64
        var time: Timestamp
    }

    /// The flow.
    let flow: Int
    /// The endpoints of client and server.
    let client: Endpoint
    let server: Endpoint
    /// The capture interface of the flow.
    let interface: Int
    /// Whether the transport is TCP.
    let isTCP: Bool
    /// The first message.
    let began: ICEPair.Moment
    /// The numbers of requests, including retransmissions, and of responses.
    private(set) var requests = 0
    private(set) var responses = 0
    /// Whether the client sent credentials: it has an allocation, or is about to get one.
    private(set) var hasCredentials = false
    /// The requests since the latest response.
    private(set) var unanswered: Unanswered?
    /// The response that granted the allocation: relayed address, lifetime in seconds, and time.
    private(set) var granted: (address: Endpoint?, lifetime: Int?, moment: ICEPair.Moment)?
    /// The transaction that was accepted.
    private var grantedTransaction: STUNTransaction?
    /// The first request with credentials that succeeded: its user name, and the response.
    private(set) var accepted: (user: String, moment: ICEPair.Moment)?
    /// The latest successful Refresh that did not delete the allocation.
    private(set) var refreshed: (lifetime: Int?, moment: ICEPair.Moment)?
    /// The number of successful Refreshes.
    private(set) var refreshes = 0
    /// When the client deleted the allocation.
    private(set) var released: ICEPair.Moment?
    /// Whether a permission or a channel was granted.
    var hasPermission: Bool { permitted != nil }
    /// When a permission was last installed or refreshed, also by binding a channel (RFC 8656 §9, §12).
    private(set) var permitted: ICEPair.Moment?
    /// When a channel was last bound or refreshed.
    private(set) var bound: ICEPair.Moment?
    /// The channels bound to peers, and the frames of the responses.
    private var channels: [(peer: Endpoint, number: UInt16, frame: Int)] = []
    /// Whether a request for a permission or a channel is pending.
    private(set) var awaitsPermission = false
    /// The first challenge for credentials.
    private(set) var challenge: ICEPair.Moment?
    /// Error responses, by method and code.
    private(set) var refusals: [Refusal] = []
    /// The number of requests that repeat a rejected nonce since the latest success, and their frames.
    private(set) var repeatedNonces = 0
    private(set) var repeatedNonceFrames: [Int] = []
    private var refusedNonces: [RefusedNonce] = []
    /// When ICMP reported that the server's port is unreachable, and the frame.
    var unreachable: Timestamp?
    var unreachableFrame: Int?

    /// The maximum number of kinds of error responses, and of frames, kept per flow.
    private static let most = 16
    /// The maximum number of rejected nonces kept.
    private static let mostNonces = 4
    /// Seconds after an error response within which a request may have been sent without knowledge of it.
    private static let reaction = 1.0

    init(flow: FlowState, client: Direction, began: ICEPair.Moment) {
        self.flow = flow.id
        let isClient = client == .clientToServer
        self.client = isClient ? flow.client : flow.server
        server = isClient ? flow.server : flow.client
        isTCP = flow.transport == .tcp
        interface = flow.interface
        self.began = began
    }

    /// Whether a flow has the same endpoints: after a long silence it is another flow.
    func isOn(_ flow: FlowState, _ direction: Direction) -> Bool {
        let isClient = direction == .clientToServer
        return isTCP == (flow.transport == .tcp) && client == (isClient ? flow.client : flow.server)
            && server == (isClient ? flow.server : flow.client)
    }

    /// The lifetime in seconds, and the time since when it applies; the allocation expires unless refreshed.
    var expiry: (lifetime: Int, since: ICEPair.Moment)? {
        guard released == nil else { return nil }
        if let refreshed, let lifetime = refreshed.lifetime { return (lifetime, refreshed.moment) }
        return granted.flatMap { granted in granted.lifetime.map { ($0, granted.moment) } }
    }

    /// Whether the client ignores the new nonces of the server: it repeats rejected ones, and nothing succeeded since.
    var isStuck: Bool { repeatedNonces > 0 && responses > 0 }
}

// MARK: - Requests

extension TURNAllocation {
    /// Records a request, and returns whether it repeats a rejected nonce.
    mutating func note(request message: STUNMessage, _ moment: ICEPair.Moment) -> Bool? {
        requests += 1
        let hasNonce = message.nonce != nil
        if hasNonce { hasCredentials = true }
        var run =
            unanswered ?? Unanswered(first: moment, last: moment, method: message.method, hasNonce: hasNonce)
        run.last = moment
        run.count += 1
        run.ofTransaction = message.isRetransmission ? run.ofTransaction + 1 : 1
        run.mostRepeated = max(run.mostRepeated, run.ofTransaction)
        if run.method != message.method { run.method = nil }
        if run.method == nil || run.hasNonce != hasNonce { run.isUniform = false }
        unanswered = run
        if Self.permits(message) { awaitsPermission = true }
        return message.isRetransmission ? nil : repeats(message, moment)
    }

    /// Whether a message is about a permission or a channel.
    private static func permits(_ message: STUNMessage) -> Bool { message.method == 0x008 || message.method == 0x009 }

    private mutating func repeats(_ message: STUNMessage, _ moment: ICEPair.Moment) -> Bool? {
        guard !refusedNonces.isEmpty, let nonce = message.nonce.map(Self.digest) else { return nil }
        guard let known = refusedNonces.last(where: { $0.nonce == nonce }) else {
            // An unknown nonce is a new one.
            return false
        }
        // A request sent before the error response arrived proves nothing.
        guard known.request == Self.digest(of: message) || moment.time.seconds(since: known.time) >= Self.reaction
        else { return nil }
        repeatedNonces += 1
        if repeatedNonceFrames.count < Self.most { repeatedNonceFrames.append(moment.frame) }
        return true
    }

    /// Returns a digest of a nonce, so that no text of arbitrary length is kept.
    private static func digest(_ nonce: String) -> UInt64 { Fingerprint.hash([nonce]) }

    /// Returns a digest of a request's method, channel, peer and lifetime.
    private static func digest(of request: STUNMessage) -> UInt64 {
        let peer = request.peerAddress?.description ?? ""
        let numbers = [request.channelNumber.map { Int($0) }, request.lifetime.map { Int($0) }]
        return Fingerprint.hash(["\(request.method)", peer] + numbers.map { $0.map(String.init) ?? "-" })
    }
}

// MARK: - Responses

extension TURNAllocation {
    /// Records a response, and its request if that was captured.
    mutating func note(response message: STUNMessage, to request: STUNMessage?, _ moment: ICEPair.Moment) {
        responses += 1
        unanswered = nil
        if Self.permits(message) { awaitsPermission = false }
        // A server sends other error codes only to requests with credentials.
        if message.errorCode?.code != 401 { hasCredentials = true }
        if let error = message.errorCode {
            note(error, message, request, moment)
        } else {
            succeed(message, request, moment)
        }
    }

    private mutating func succeed(_ message: STUNMessage, _ request: STUNMessage?, _ moment: ICEPair.Moment) {
        refusals.removeAll { $0.method == message.methodName }
        repeatedNonces = 0
        repeatedNonceFrames = []
        refusedNonces = []
        if accepted == nil, message.answersSigned, let user = request?.username { accepted = (user, moment) }
        let lifetime = message.lifetime.map { Int($0) }
        switch message.method {
        case 0x003:
            granted = (message.relayedAddress, lifetime, moment)
            grantedTransaction = message.transaction
            released = nil
        case 0x004:
            // A lifetime of 0 deletes the allocation (RFC 8656 §8.2).
            guard lifetime != 0 else {
                released = moment
                return
            }
            refreshes += 1
            refreshed = (lifetime, moment)
        case 0x008: permitted = moment
        case 0x009:
            (permitted, bound) = (moment, moment)
            if let peer = request?.peerAddress, let number = request?.channelNumber, channels.count < Self.most,
                !channels.contains(where: { $0.peer == peer })
            {
                channels.append((peer, number, moment.frame))
            }
        default: break
        }
    }

    private mutating func note(
        _ error: (code: Int, reason: String), _ message: STUNMessage, _ request: STUNMessage?, _ moment: ICEPair.Moment
    ) {
        // The first 401 only asks for credentials (RFC 8489 §9.2.4).
        if error.code == 401, !message.answersSigned {
            challenge = challenge ?? moment
            return
        }
        if error.code == 438 { note(stale: message, request, moment) }
        // Deleting an expired allocation has the intended result (RFC 8656 §8.3).
        if error.code == 437, request?.method == 0x004, request?.lifetime == 0 {
            released = released ?? moment
            return
        }
        let method = message.methodName
        if let index = refusals.firstIndex(where: { $0.method == method && $0.code == error.code }) {
            refusals[index].count += 1
            refusals[index].last = moment
            refusals[index].user = request?.username
        } else if refusals.count < Self.most {
            let reason = String(error.reason.prefix { $0 != "\0" }.prefix(64))
            var refusal = Refusal(
                method: method, code: error.code, reason: reason, isSigned: message.answersSigned, first: moment,
                last: moment)
            refusal.count = 1
            refusal.user = request?.username
            if message.method == 0x003, message.transaction == grantedTransaction {
                refusal.acceptedBefore = granted?.moment.frame
            }
            if request?.method == 0x009, let peer = request?.peerAddress, let number = request?.channelNumber {
                refusal.boundBefore = channels.first { $0.peer == peer && $0.number != number }?.frame
            }
            refusals.append(refusal)
        }
    }

    /// Records the rejection of a nonce, and the new nonce.
    private mutating func note(stale message: STUNMessage, _ request: STUNMessage?, _ moment: ICEPair.Moment) {
        guard let request, let old = request.nonce, let new = message.nonce, old != new else { return }
        let refused = RefusedNonce(nonce: Self.digest(old), request: Self.digest(of: request), time: moment.time)
        if let known = refusedNonces.firstIndex(where: { $0.nonce == refused.nonce && $0.request == refused.request }) {
            refusedNonces[known].time = min(refusedNonces[known].time, moment.time)
            return
        }
        if refusedNonces.count >= Self.mostNonces { refusedNonces.removeFirst() }
        refusedNonces.append(refused)
    }
}
