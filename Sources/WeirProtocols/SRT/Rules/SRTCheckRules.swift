import WeirEngine

// Rules about all packets of a connection, which the session judges while it follows them.

/// A rule whose evidence is in the checks of the session.
protocol SRTCheckRule: Rule {
    static var kind: SRTChecks.Kind { get }
    static var problem: String { get }
}

extension SRTCheckRule {
    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let session = session as? SRTSession, session.checks.isJudged(Self.kind) else {
            return judgement.notApplicable()
        }
        guard let fault = session.checks.fault(Self.kind) else { return judgement.pass() }
        judgement.fail(Text(Self.problem, .integer(fault.count)), frame: fault.frame, time: fault.time)
    }
}

/// SRT-FIRST-SEQUENCE: data starts with the initial sequence number of the handshake (§3.2.1).
struct SRTFirstSequence: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-FIRST-SEQUENCE", .warning, .plain, reference: "SRT §3.2.1",
        check: "Data starts with the initial sequence number of the side's handshake.",
        example: "CONCLUSION, initial sequence number 7\ndata 90000")
    static let kind = SRTChecks.Kind.firstSequence
    static let problem = "SRT-FIRST-SEQUENCE.other"
}

/// SRT-KK: the key flags of a data packet select one key (§3.1).
struct SRTKeyFlags: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-KK", .error, .plain, reference: "SRT §3.1",
        check: "A data packet is encrypted with the even key, the odd key, or none.", example: "data 7, KK 3")
    static let kind = SRTChecks.Kind.keyFlags
    static let problem = "SRT-KK.both"
}

/// SRT-TIMESTAMP: timestamps of successive data packets do not decrease (§4.5).
struct SRTTimestampOrder: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-TIMESTAMP", .warning, .plain, reference: "SRT §4.5",
        check: "Timestamps of successive new data packets do not decrease.",
        example: "data 7, timestamp 1000\ndata 8, timestamp 500")
    static let kind = SRTChecks.Kind.timestamp
    static let problem = "SRT-TIMESTAMP.backward"
}

/// SRT-MESSAGE: message numbers increase by one from message to message (§3.1).
struct SRTMessageNumber: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-MESSAGE", .warning, .plain, reference: "SRT §3.1",
        check: "Packets of a message have its number, and the next message has the next number.",
        example: "data 7, message 1\ndata 8, message 5")
    static let kind = SRTChecks.Kind.message
    static let problem = "SRT-MESSAGE.other"
}

/// SRT-POSITION: the position flags of successive packets form messages (§4.2.1).
struct SRTPositionFlags: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-POSITION", .error, .plain, reference: "SRT §4.2.1",
        check: "After the last packet of a message comes the first of another, and after others none.",
        example: "data 7, PP 11\ndata 8, PP 01")
    static let kind = SRTChecks.Kind.position
    static let problem = "SRT-POSITION.other"
}

/// SRT-ACK-LIGHT: a light acknowledgement has no number (§3.2.4).
struct SRTLightACK: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-ACK-LIGHT", .warning, .should, reference: "SRT §3.2.4",
        check: "A light ACK has the acknowledgement number 0.", example: "light ACK, number 5")
    static let kind = SRTChecks.Kind.lightACK
    static let problem = "SRT-ACK-LIGHT.numbered"
}

/// SRT-ACKACK: the sender answers full acknowledgements (§4.8).
struct SRTACKACK: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-ACKACK", .warning, .should, needsFullCapture: true, reference: "SRT §4.8",
        check: "The sender answers full ACKs with ACKACKs.", example: "ACK 1\nACK 2\nACK 3\nACK 4")
    static let kind = SRTChecks.Kind.ackACK
    static let problem = "SRT-ACKACK.none"
}

/// SRT-NAK-AHEAD: a loss report contains only packets that later ones have followed (§3.2.5).
struct SRTNAKAhead: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-NAK-AHEAD", .error, .plain, needsFullCapture: true, restsOnOrder: true, reference: "SRT §3.2.5",
        check: "A NAK reports only packets that the peer has sent.", example: "data 7\nNAK 90")
    static let kind = SRTChecks.Kind.nakAhead
    static let problem = "SRT-NAK-AHEAD.unsent"
}

/// SRT-NAK-SERVED: the sender retransmits what loss reports ask for, or announces that it cannot (§4.8.2).
struct SRTNAKServed: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-NAK-SERVED", .warning, .plain, needsFullCapture: true, restsOnTimes: true, reference: "SRT §4.8.2",
        check: "The sender serves NAKs with retransmissions or drop requests.",
        example: "NAK 8\nNAK 8\nNAK 8\nNAK 8")
    static let kind = SRTChecks.Kind.nakServed
    static let problem = "SRT-NAK-SERVED.never"
}

/// SRT-REQUESTED: retransmissions follow loss reports (§4.8.2).
struct SRTRequested: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-REQUESTED", .note, .plain, needsFullCapture: true, reference: "SRT §4.8.2",
        check: "Retransmissions follow loss reports of the receiver.",
        example: "data 7\ndata 7, R\ndata 8\ndata 8, R")
    static let kind = SRTChecks.Kind.requested
    static let problem = "SRT-REQUESTED.blind"
}

/// SRT-KEEPALIVE: a side with nothing to send sends keep-alives (§3.2.3).
struct SRTKeepAlive: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-KEEPALIVE", .warning, .plain, needsFullCapture: true, restsOnTimes: true, reference: "SRT §3.2.3",
        check: "No side is silent for more than 3.5 s: a keep-alive is due after 1 s.",
        example: "data 7\n4 s later: data 8")
    static let kind = SRTChecks.Kind.keepAlive
    static let problem = "SRT-KEEPALIVE.silent"
}

/// SRT-AFTER-SHUTDOWN: no data follows a shutdown (§3.2.7).
struct SRTAfterShutdown: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-AFTER-SHUTDOWN", .warning, .plain, restsOnTimes: true, reference: "SRT §3.2.7",
        check: "A side sends no data after its shutdown.", example: "shutdown\n1 s later: data 8")
    static let kind = SRTChecks.Kind.afterShutdown
    static let problem = "SRT-AFTER-SHUTDOWN.data"
}

/// SRT-SOCKET: packets are addressed to the socket ID of the peer's handshake (§3).
struct SRTSocket: SRTCheckRule {
    static let info = RuleInfo(
        "SRT-SOCKET", .error, .plain, reference: "SRT §3",
        check: "Packets are addressed to the socket ID of the peer's handshake.",
        example: "CONCLUSION response, socket 98\ndata 7 to socket 55")
    static let kind = SRTChecks.Kind.socket
    static let problem = "SRT-SOCKET.other"
}
