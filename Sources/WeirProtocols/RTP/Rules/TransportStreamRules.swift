import WeirEngine
import WeirPackets

// What ETSI TR 101 290 measures in an MPEG transport stream, first and second priority. Times are those of
// the capture, with 50 ms to spare.

/// A rule that packets break which carry a transport stream, in RTP or in plain UDP.
protocol TransportStreamRule: Rule {
    /// The faults that break it.
    static var forms: [FaultForm] { get }
    /// Whether there was anything by which it is kept.
    static func isKept(by stream: TransportStream) -> Bool
}

extension TransportStreamRule {
    static var observes: [String] { [] }
    static func isKept(by stream: TransportStream) -> Bool { true }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        // Whether a type conforms is looked up slowly, and most streams are of RTP.
        let carrier = stream.media ?? stream.details as? any TransportStreamDetails
        guard let details: any TransportStreamDetails = carrier else { return }
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
        check: "Each packet of a transport stream begins with 0x47, and datagrams hold whole packets.",
        example: "48 00 11 … in place of 47 00 11 …")
    static let forms = [FaultForm(.streamSync, "TS-SYNC.broken")]
}

/// TS-PAT: the program association table comes at least every 500 ms, and PID 0 has nothing else (1.3).
struct TransportStreamAssociation: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PAT", .error, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 1.3",
        check: "The program association table comes every 500 ms, unscrambled.",
        example: "PID 0, and nothing on it for 2 s")
    static let forms = [FaultForm(.streamAssociation, "TS-PAT.late")]
    static func isKept(by stream: TransportStream) -> Bool { !stream.programs.isEmpty }
}

/// TS-CC: the counter of each PID goes up by one with each packet that has a payload; what an RTP packet that is
/// missing took with it does not count (1.4).
struct TransportStreamContinuity: TransportStreamRule {
    static let info = RuleInfo(
        "TS-CC", .error, .practice, restsOnOrder: true, reference: "ETSI TR 101 290 1.4",
        check: "The continuity counter of a PID goes up by one.", example: "PID 256: counter 4, then 7")
    static let forms = [FaultForm(.streamContinuity, "TS-CC.jump", unnumbered: "TS-CC.datagram")]
}

/// TS-PMT: the map table of each program comes at least every 500 ms (1.5).
struct TransportStreamMap: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PMT", .error, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 1.5",
        check: "Program map tables come every 500 ms, unscrambled.",
        example: "PMT on PID 4096, and nothing on it for 2 s")
    static let forms = [FaultForm(.streamMap, "TS-PMT.late")]
    static func isKept(by stream: TransportStream) -> Bool { stream.programs.contains { !$0.elements.isEmpty } }
}

/// TS-TEI: the transport error indicator is clear: set, something before has seen an error that cannot be mended
/// (2.1).
struct TransportStreamIndicator: TransportStreamRule {
    static let info = RuleInfo(
        "TS-TEI", .error, .practice, reference: "ETSI TR 101 290 2.1",
        check: "The transport error indicator is clear.", example: "47 80 11 …")
    static let forms = [FaultForm(.streamTransport, "TS-TEI.set")]
}

/// TS-CRC: the CRC-32 of program tables is right (2.2).
struct TransportStreamChecksum: TransportStreamRule {
    static let info = RuleInfo(
        "TS-CRC", .error, .practice, reference: "ETSI TR 101 290 2.2",
        check: "The checksums of tables are right.", example: "PAT with a wrong CRC-32")
    static let forms = [FaultForm(.streamChecksum, "TS-CRC.wrong")]
}

/// TS-PCR: the program clock reference comes every 100 ms, and steps by no more unless it says so (2.3).
struct TransportStreamClock: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PCR", .warning, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 2.3",
        check: "The clock reference comes every 100 ms, and does not jump.", example: "PCR of PID 256: none for 400 ms")
    static let forms = [FaultForm(.streamClock, "TS-PCR.late")]
    static func isKept(by stream: TransportStream) -> Bool { stream.hasClock }
}

/// TS-PTS: each elementary stream has a presentation time every 700 ms (2.5).
struct TransportStreamPresentation: TransportStreamRule {
    static let info = RuleInfo(
        "TS-PTS", .warning, .practice, restsOnTimes: true, reference: "ETSI TR 101 290 2.5",
        check: "Presentation times come every 700 ms.", example: "video without a presentation time for 2 s")
    static let forms = [FaultForm(.streamPresentation, "TS-PTS.late")]
}
