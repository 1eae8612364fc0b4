import WeirEngine
import WeirPackets

// First and second priority checks of ETSI TR 101 290 for MPEG transport streams. Times are capture times, with a
// tolerance of 50 ms.

/// A rule about packets that carry a transport stream, in RTP or in plain UDP.
protocol TransportStreamRule: Rule {
    /// The faults that violate the rule.
    static var forms: [FaultForm] { get }
    /// Returns whether the stream contains anything that the rule applies to.
    static func isKept(by stream: TransportStream) -> Bool
}

extension TransportStreamRule {
    static var observes: [String] { [] }
    static func isKept(by stream: TransportStream) -> Bool { true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        if let media = stream.media, !media.hasTransportStream {
            judgement.notApplicable()
            return
        }
        // A cast that fails is slow: other streams have nothing to cast.
        let carrier = stream.media ?? stream.details.carrier as? any TransportStreamDetails
        guard let details: any TransportStreamDetails = carrier else { return judgement.ignore() }
        let faults = details.faults
        guard let content = details.transportStream,
            Self.isKept(by: content) || Self.forms.contains(where: { faults[$0.fault] != nil })
        else {
            judgement.notApplicable()
            return
        }
        judgement.judge(Self.forms, faults, packets: details.packets, stream, isNumbered: details.isNumbered)
    }
}

/// TS-SYNC: the sync byte of each packet is 0x47 (1.2).
struct TransportStreamSync: TransportStreamRule {
    static let info = RuleInfo(
        "TS-SYNC", .error, .practice, reference: "ETSI TR 101 290 1.2",
        check: "Each transport stream packet starts with 0x47, and datagrams contain whole packets.",
        example: "48 00 11 … instead of 47 00 11 …")
    static let forms = [FaultForm(.streamSync, "TS-SYNC.broken")]
}

/// TS-PAT: the program association table is sent at least every 500 ms, and PID 0 contains nothing else (1.3).
struct TransportStreamAssociation: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PAT", .error, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 1.3",
        check: "The PAT is sent every 500 ms, unscrambled.",
        example: "PID 0 without data for 2 s")
    static let forms = [FaultForm(.streamAssociation, "TS-PAT.late")]
    static func isKept(by stream: TransportStream) -> Bool { !stream.programs.isEmpty }
}

/// TS-CC: the continuity counter of each PID is incremented for each packet with a payload; gaps due to missing RTP
/// packets are ignored (1.4).
struct TransportStreamContinuity: TransportStreamRule {
    static let info = RuleInfo(
        "TS-CC", .error, .practice, restsOnOrder: true, reference: "ETSI TR 101 290 1.4",
        check: "The continuity counter of a PID increases by one.", example: "PID 256: counter 4, then 7")
    static let forms = [FaultForm(.streamContinuity, "TS-CC.jump", unnumbered: "TS-CC.datagram")]
}

/// TS-PMT: the map table of each program is sent at least every 500 ms (1.5).
struct TransportStreamMap: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PMT", .error, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 1.5",
        check: "Each PMT is sent every 500 ms, unscrambled.",
        example: "PMT on PID 4096, without data for 2 s")
    static let forms = [FaultForm(.streamMap, "TS-PMT.late")]
    static func isKept(by stream: TransportStream) -> Bool { stream.programs.contains { !$0.elements.isEmpty } }
}

/// TS-TEI: the transport error indicator is clear; if set, an upstream device detected an uncorrectable error (2.1).
struct TransportStreamIndicator: TransportStreamRule {
    static let info = RuleInfo(
        "TS-TEI", .error, .practice, reference: "ETSI TR 101 290 2.1",
        check: "The transport error indicator is 0.", example: "47 80 11 …")
    static let forms = [FaultForm(.streamTransport, "TS-TEI.set")]
}

/// TS-CRC: the CRC-32 of program tables is correct (2.2).
struct TransportStreamChecksum: TransportStreamRule {
    static let info = RuleInfo(
        "TS-CRC", .error, .practice, reference: "ETSI TR 101 290 2.2",
        check: "The CRC of each table is correct.", example: "PAT with a wrong CRC-32")
    static let forms = [FaultForm(.streamChecksum, "TS-CRC.wrong")]
}

/// TS-PCR: the program clock reference is sent every 100 ms, and has no larger steps without a discontinuity indicator
/// (2.3).
struct TransportStreamClock: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PCR", .warning, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 2.3",
        check: "The PCR is sent every 100 ms, and does not jump.", example: "PCR of PID 256: none for 400 ms")
    static let forms = [FaultForm(.streamClock, "TS-PCR.late"), FaultForm(.streamClockJump, "TS-PCR.jump")]
    static func isKept(by stream: TransportStream) -> Bool { stream.hasClock }
}

/// TS-PTS: each elementary stream has a presentation timestamp every 700 ms (2.5).
struct TransportStreamPresentation: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PTS", .warning, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 2.5",
        check: "Each elementary stream has a PTS every 700 ms.", example: "video without a PTS for 2 s")
    static let forms = [FaultForm(.streamPresentation, "TS-PTS.late")]
}
