import WeirEngine

/// A rule about the AMF values of one message at a time.
protocol AMFRule: Rule {
    /// What is wrong, if this flaw is one that the rule is about.
    static func fault(_ flaw: AMFFlaw) -> Fault?
    /// Whether the values hold anything that the rule could find fault with.
    static func concerns(_ values: [AMFValue]) -> Bool
}

extension AMFRule {
    static var observes: [String] { ["rtmp"] }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtmp, let said = message.amf else { return }
        var isKept = true
        for flaw in said.flaws {
            guard let fault = Self.fault(flaw) else { continue }
            isKept = false
            judgement.fail(
                fault.message, expected: fault.expected, actual: fault.actual, severity: fault.severity,
                reference: fault.reference, subject: said.subject)
        }
        guard isKept else { return }
        if said.flaws.contains(where: \.isLimit) {
            judgement.inconclusive(Text("AMF0.limit"), subject: said.subject)
        } else if Self.concerns(said.values) {
            judgement.pass()
        } else {
            judgement.notApplicable()
        }
    }
}

extension RTMPMessage {
    /// The values of a command, of data or of a shared object; what a finding about them is about.
    fileprivate var amf: (values: [AMFValue], flaws: [AMFFlaw], subject: String)? {
        switch payload {
        case .command(let said), .data(let said):
            let name = said.name.flatMap { Self.isWellKnown($0) ? $0 : nil }
            return (said.arguments, said.flaws, name ?? typeName)
        case .sharedObject(let object):
            let values = object.events.flatMap { $0.values + $0.properties.compactMap(\.value) }
            return (values, object.flaws, typeName)
        case .video(let video?) where !video.metadata.isEmpty || !video.metadataFlaws.isEmpty:
            return (video.metadata, video.metadataFlaws, "metadata")
        default: return nil
        }
    }

    /// Names that are the same in every connection; others may be made up by the sender each time.
    private static func isWellKnown(_ name: String) -> Bool {
        [
            "connect", "_result", "_error", "onStatus", "releaseStream", "FCPublish", "FCUnpublish", "createStream",
            "publish", "play", "deleteStream", "closeStream", "onMetaData", "@setDataFrame", "onBWDone", "_checkbw",
        ].contains(name)
    }
}

extension [AMFValue] {
    /// Whether any of the values, or of those in them, is one of these. References are not followed.
    func contain(_ isMeant: (AMFValue) -> Bool) -> Bool {
        contains { value in
            if isMeant(value) { return true }
            let inner = (value.items ?? []) + (value.properties ?? []).map(\.value)
            if case .reference = value { return false }
            return !inner.isEmpty && inner.contain(isMeant)
        }
    }
}

/// AMF0-MARKER: every value is one that AMF knows, and fits the message.
///
/// AMF0 has sixteen markers (AMF0 §2.1) and one that switches to AMF3 (§3.1), whose values have markers of their own
/// (AMF3 §3.1). Behind another one nothing can be read. The end marker of an object stands in objects and in arrays
/// with names, and nowhere else (AMF0 §2.11). Movie clips and record sets are reserved, but read.
struct AMF0Marker: AMFRule {
    static let info = RuleInfo(
        "AMF0-MARKER", .error, .plain, reference: "AMF0 §2.1",
        check: "Every value has a known marker, and ends within the message.",
        example: "02 00 07 \"connect\" 00 3F F0 … 63\n(63 is no marker)")

    init() {}

    static func fault(_ flaw: AMFFlaw) -> Fault? {
        let reference = flaw.isAMF3 ? "AMF3 §3.1" : nil
        switch flaw.kind {
        case .unknownMarker(let marker):
            let digits = (marker < 16 ? "0x0" : "0x") + String(marker, radix: 16)
            return Fault(
                Text("AMF0-MARKER.unknown", .string(digits), .integer(flaw.offset)), actual: .wire(digits),
                reference: reference)
        case .truncated(let needed, let left):
            return Fault(
                Text("AMF0-MARKER.short", .integer(needed), .integer(left), .integer(flaw.offset)),
                reference: reference)
        case .strayObjectEnd:
            return Fault(Text("AMF0-MARKER.strayEnd", .integer(flaw.offset)), reference: "AMF0 §2.11")
        default: return nil
        }
    }

    static func concerns(_ values: [AMFValue]) -> Bool { true }
}

/// AMF0-OBJEND: objects and arrays with names end in 00 00 09.
///
/// The marker stands behind an empty name (AMF0 §2.11) and ends the members of anonymous and typed objects and of ECMA
/// arrays. Only one that is missing at the end of the message can be told: in the middle, what follows is read as
/// further members.
struct AMF0ObjectEnd: AMFRule {
    static let info = RuleInfo(
        "AMF0-OBJEND", .error, .plain, reference: "AMF0 §2.11",
        check: "Objects and ECMA arrays end in 00 00 09.",
        example: "03 00 03 \"app\" 02 00 04 \"live\"\n(00 00 09 is missing)")

    init() {}

    static func fault(_ flaw: AMFFlaw) -> Fault? {
        guard flaw.kind == .objectEndMissing else { return nil }
        return Fault(Text("AMF0-OBJEND.missing"), expected: .wire("00 00 09"))
    }

    static func concerns(_ values: [AMFValue]) -> Bool {
        values.contain {
            switch $0 {
            case .object, .typedObject, .ecmaArray: true
            default: false
            }
        }
    }
}

/// AMF0-COUNT: an ECMA array has as many members as it announces.
///
/// The count is a part of the type (AMF0 §2.10), but FLV only wants it to be about right (FLV 10.1 §E.4.4.4), and most
/// programs write 0, which is passed over.
struct AMF0Count: AMFRule {
    static let info = RuleInfo(
        "AMF0-COUNT", .note, .plain, reference: "AMF0 §2.10",
        check: "The count of an ECMA array is that of its members, or 0.",
        example: "08 00 00 00 0D …\n(12 members)")

    init() {}

    static func fault(_ flaw: AMFFlaw) -> Fault? {
        guard case .memberCount(let announced, let found) = flaw.kind, announced != 0 else { return nil }
        return Fault(
            Text("AMF0-COUNT.other", .integer(Int(announced)), .integer(found)), expected: .wire("\(found)"),
            actual: .wire("\(announced)"))
    }

    static func concerns(_ values: [AMFValue]) -> Bool {
        values.contain { if case .ecmaArray = $0 { true } else { false } }
    }
}

/// AMF0-REF: a reference leads to an object that was there before.
///
/// It is the number of an object that was written before, counted from 0 (AMF0 §2.9); of AMF3 objects, strings and
/// traits alike (AMF3 §2.2).
struct AMF0References: AMFRule {
    static let info = RuleInfo(
        "AMF0-REF", .error, .plain, reference: "AMF0 §2.9",
        check: "A reference has the index of an object that came before it.",
        example: "07 00 03\n(2 objects so far)")

    init() {}

    static func fault(_ flaw: AMFFlaw) -> Fault? {
        guard case .badReference(let index) = flaw.kind else { return nil }
        return Fault(
            Text("AMF0-REF.nothing", .integer(index), .integer(flaw.offset)),
            reference: flaw.isAMF3 ? "AMF3 §2.2" : nil)
    }

    static func concerns(_ values: [AMFValue]) -> Bool {
        values.contain { if case .reference = $0 { true } else { false } }
    }
}

/// AMF0-UTF8: text is UTF-8.
///
/// AMF0 writes its strings in UTF-8 as it is defined, not in the variant of Java (AMF0 §1.3.1); AMF3 likewise (AMF3
/// §1.3.2).
struct AMF0Text: AMFRule {
    static let info = RuleInfo(
        "AMF0-UTF8", .warning, .plain, reference: "AMF0 §1.3.1",
        check: "Strings and names are UTF-8.",
        example: "02 00 02 C3 28")

    init() {}

    static func fault(_ flaw: AMFFlaw) -> Fault? {
        guard flaw.kind == .notUTF8 else { return nil }
        return Fault(
            Text("AMF0-UTF8.other", .integer(flaw.offset)), reference: flaw.isAMF3 ? "AMF3 §1.3.2" : nil)
    }

    static func concerns(_ values: [AMFValue]) -> Bool {
        values.contain {
            switch $0 {
            case .string, .object, .typedObject, .ecmaArray, .instance, .xmlDocument, .xml: true
            default: false
            }
        }
    }
}
