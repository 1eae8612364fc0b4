public import WeirDissectors
import WeirPackets
public import WeirSessions

/// A conformance rule: one small value that watches the steps of one session and says whether a clause is kept.
///
/// One value lives for each session (or, for streams and messages outside any session, for each flow). It may remember
/// what it saw there; what it remembers must be bounded by what is open, such as the requests without an answer.
public protocol Rule {
    /// What the rule checks, and by which clause.
    static var info: RuleInfo { get }
    /// Names of the protocols whose messages the rule looks at, as in the report's `protocol`.
    static var observes: [String] { get }

    /// Begins watching a session.
    init()

    /// Looks at one step.
    mutating func observe(_ step: Step, _ judgement: inout Judgement)

    /// Looks at a media stream that ended.
    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement)

    /// The session has ended; judge what never came.
    mutating func finish(_ session: Session, _ judgement: inout Judgement)
}

extension Rule {
    /// By default the messages of the rule's own protocol.
    public static var observes: [String] { [info.protocolName] }

    /// By default messages are not looked at.
    public mutating func observe(_ step: Step, _ judgement: inout Judgement) {}

    /// By default streams are not looked at.
    public mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {}

    /// By default nothing is awaited.
    public mutating func finish(_ session: Session, _ judgement: inout Judgement) {}
}

/// What a rule says of itself.
public struct RuleInfo: Sendable {
    /// What a rule rests on.
    public enum Basis: String, Sendable {
        /// The clause says MUST, SHALL or REQUIRED.
        case must = "MUST"
        /// The clause says SHOULD or RECOMMENDED.
        case should = "SHOULD"
        /// The clause describes, without a keyword.
        case plain = "no keyword"
        /// What implementations agree on.
        case practice
        /// A limit that a profile sets.
        case profile
    }

    /// Stable id, such as `RTSP-SESSION-ECHO`.
    public var id: String
    /// How bad breaking it is.
    public var severity: Severity
    /// What it rests on.
    public var basis: Basis
    /// Whether only a capture of the whole session without gaps can decide it.
    public var needsFullCapture: Bool
    /// Specification and clause, such as `RFC 2326 §12.37`.
    public var reference: String
    /// What is checked, in one line.
    public var check: String
    /// Two short lines of a conversation: one that breaks the rule, or how it looks when kept.
    public var example: String

    /// Creates a description.
    public init(
        _ id: String,
        _ severity: Severity,
        _ basis: Basis,
        needsFullCapture: Bool = false,
        reference: String,
        check: String,
        example: String
    ) {
        self.id = id
        self.severity = severity
        self.basis = basis
        self.needsFullCapture = needsFullCapture
        self.reference = reference
        self.check = check
        self.example = example
    }

    /// The protocol that the rule belongs to: the first part of its id, in lower case.
    public var protocolName: String {
        id.prefix { $0 != "-" }.lowercased()
    }
}

/// One step of the timeline, as a rule sees it: what many rules ask is found out once.
public struct Step {
    /// The event, linked to what it answers.
    public let event: Event
    /// The session it belongs to, as it is after this step.
    public let session: Session?

    /// The message, if it is RTSP.
    public let rtsp: RTSPMessage?
    /// The message, if it is a session description.
    public let description: SessionDescription?
    /// The RTSP session.
    public let rtspSession: RTSPSession?
    /// For an RTSP answer: the request it answers.
    public let request: RTSPMessage?
    /// The message, if it is RTMP.
    public let rtmp: RTMPMessage?
    /// The message, if it is a part of RTMP's handshake.
    public let handshake: RTMPHandshakePart?
    /// The RTMP command in the message, if it holds one.
    public let said: RTMPSaid?
    /// The RTMP session.
    public let rtmpSession: RTMPSession?
    /// A request of the client.
    let clientRequest: RTSPMessage?
    /// An answer, and the request that it answers. Provisional answers (1xx) are left out.
    let answered: (request: RTSPMessage, answer: RTSPMessage)?
    /// The method of a request of the client to which this is an answer of class 2xx.
    let acceptedMethod: String?
    /// Whether the capture begins after the session did, lacks octets of it, or shows one side only.
    public var evidence: Session.Evidence? { session?.evidence }

    init(event: Event, session: Session?) {
        self.event = event
        self.session = session
        // A cast that fails costs more than a look at the type, and most steps are reports.
        let type = type(of: event.message)
        let message = type == RTSPMessage.self ? event.message as? RTSPMessage : nil
        rtsp = message
        description = type == SessionDescription.self ? event.message as? SessionDescription : nil
        rtspSession = session as? RTSPSession
        rtmpSession = rtspSession == nil ? session as? RTMPSession : nil
        rtmp = type == RTMPMessage.self ? event.message as? RTMPMessage : nil
        handshake = type == RTMPHandshakePart.self ? event.message as? RTMPHandshakePart : nil
        said = rtmp == nil ? nil : RTMPSaid(rtmp)
        request = event.isAnswer ? event.answers?.request as? RTSPMessage : nil
        let isFromClient = event.direction == .clientToServer
        clientRequest = isFromClient && message?.isRequest == true ? message : nil
        if let message, let request, let status = message.status, status >= 200 {
            answered = (request, message)
            acceptedMethod = !isFromClient && message.isSuccess ? request.method : nil
        } else {
            answered = nil
            acceptedMethod = nil
        }
    }
}
