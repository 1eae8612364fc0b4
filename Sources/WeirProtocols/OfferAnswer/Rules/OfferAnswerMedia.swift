import WeirEngine
import WeirPackets

/// OA-MCOUNT: an answer has the media of its offer.
///
/// 1. As many `m=` lines as the offer (RFC 3264 §6: MUST): they are matched by their order.
/// 2. Each of the type that was offered at its place (§6.1: MUST).
struct OAMediaCount: AnswerRule {
    static let info = RuleInfo(
        "OA-MCOUNT", .error, .must, reference: "RFC 3264 §6",
        check: "An answer has as many m= lines as its offer, in the same order and of the same media types.",
        example: "offer:  m=audio … m=video …\nanswer: m=audio …")
    var exchange = OfferAnswerExchange()

    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]? {
        guard answer.media.count == offer.media.count else {
            return [
                Fault(
                    Text("OA-MCOUNT.count", .integer(answer.media.count), .integer(offer.media.count)),
                    expected: Text("{0}", .integer(offer.media.count)),
                    actual: Text("{0}", .integer(answer.media.count)), subject: "media")
            ]
        }
        return zip(answer.media, offer.media).enumerated().compactMap { index, media in
            guard media.0.type != media.1.type else { return nil }
            return Fault(
                Text("OA-MCOUNT.type", .integer(index + 1)), expected: .wire(media.1.type), actual: .wire(media.0.type),
                reference: "RFC 3264 §6.1", subject: "m\(index)")
        }
    }
}

/// OA-PT-SUBSET: an accepted medium uses what was offered.
///
/// RFC 3264 §6.1:
/// 1. At least one format of the offer MUST be in the answer; who has none in common rejects the medium.
/// 2. A codec SHOULD keep the number that it has in the offer. Departure: a number that means another codec in the offer
///    is worse, since the offerer takes the one for the other.
/// 3. Further formats MAY be named, though they cannot be sent: a note, since implementations refuse such answers.
struct OAFormats: AnswerRule {
    static let info = RuleInfo(
        "OA-PT-SUBSET", .warning, .must, reference: "RFC 3264 §6.1",
        check: "Each accepted medium of an answer has a format of the offer, and codecs keep their payload types.",
        example: "offer:  m=video … 96 (VP8)\nanswer: m=video … 102 (H264)")
    var exchange = OfferAnswerExchange()

    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]? {
        let media = AnsweredMedium.wanted(answer, offer).filter { $0.answer.isRTP && $0.offer.isRTP }
        guard !media.isEmpty else { return nil }
        return media.flatMap(Self.judge)
    }

    private static func judge(_ medium: AnsweredMedium) -> [Fault] {
        let (index, answer, offer) = (medium.index, medium.answer, medium.offer)
        let offered = offer.payloadTypes.compactMap { type in codec(offer, type).map { (type, $0) } }
        var faults: [Fault] = []
        var shared = 0
        for type in answer.payloadTypes {
            guard let name = codec(answer, type), !isHelper(name) else { continue }
            let subject = "m\(index) \(name)"
            if offered.contains(where: { $0 == (type, name) }) {
                shared += 1
            } else if let other = offered.first(where: { $0.0 == type })?.1 {
                faults.append(
                    Fault(
                        Text("OA-PT-SUBSET.meaning", index, answer, .integer(Int(type))), expected: .wire(other),
                        actual: .wire(name), severity: .error, subject: subject))
            } else if let known = offered.first(where: { $0.1 == name })?.0 {
                shared += 1
                faults.append(
                    Fault(
                        Text("OA-PT-SUBSET.number", index, answer, .wire(name)), expected: .wire("\(known)"),
                        actual: .wire("\(type)"), subject: subject))
            } else {
                faults.append(
                    Fault(
                        Text("OA-PT-SUBSET.further", index, answer, .wire(name)), actual: .wire("\(type) \(name)"),
                        severity: .note, subject: subject))
            }
        }
        guard shared == 0, !answer.payloadTypes.isEmpty else { return faults }
        let names = offered.map(\.1).filter { !isHelper($0) }
        return faults.filter { $0.severity == .error } + [
            Fault(
                Text("OA-PT-SUBSET.none", index, answer), expected: .wire(names.joined(separator: ", ")),
                actual: .wire(answer.payloadTypes.compactMap { codec(answer, $0) }.joined(separator: ", ")),
                severity: .error, subject: "m\(index)")
        ]
    }

    /// A codec with its clock rate, in lower case; nil for a payload type of which nothing is said.
    private static func codec(_ medium: MediaDescription, _ type: UInt8) -> String? {
        medium.rtpMap(type).map { map in
            TextSyntax.lowercased(map.encoding) + (map.clockRate.map { "/\($0)" } ?? "")
        }
    }

    /// What carries no medium by itself.
    private static func isHelper(_ name: String) -> Bool {
        let encoding = TextSyntax.pair(name, at: ASCII.slash).0
        return ["rtx", "red", "ulpfec", "flexfec-03", "telephone-event", "cn"].contains(encoding)
    }
}

/// OA-RTX: retransmissions belong to a codec that is there.
///
/// `apt` maps the payload type of retransmissions to that of the original (RFC 4588 §8.1: MUST). A payload type that the
/// medium does not have makes them useless: what is retransmitted cannot be told.
struct OARetransmission: Rule {
    static let info = RuleInfo(
        "OA-RTX", .error, .must, reference: "RFC 4588 §8.1",
        check: "Each rtx payload type names with apt a payload type of its medium.",
        example: "m=video … 97\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96")
    static let observes = ["sdp"]

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let description = step.description else { return }
        judgement.conclude(Self.faults(description), of: description)
    }

    private static func faults(_ description: SessionDescription) -> [Fault]? {
        var isUsed = false
        var faults: [Fault] = []
        for (index, medium) in description.wantedMedia {
            for type in medium.payloadTypes {
                guard let map = medium.rtpMap(type), ASCII.equalIgnoringCase(map.encoding, "rtx") else { continue }
                isUsed = true
                let subject = "m\(index) rtx"
                guard let apt = medium.formatParameters(type)?["apt"] else {
                    faults.append(Fault(Text("OA-RTX.missing", index, medium, .integer(Int(type))), subject: subject))
                    continue
                }
                guard let original = UInt8(apt), medium.payloadTypes.contains(original) else {
                    faults.append(
                        Fault(
                            Text("OA-RTX.unknown", index, medium, .integer(Int(type)), .wire(apt)),
                            actual: .wire("apt=\(apt)"), subject: subject))
                    continue
                }
            }
        }
        return isUsed ? faults : nil
    }
}

/// OA-EXTMAP: an answer takes header extensions from the offer, under their numbers.
///
/// RFC 8285 §6: an answer MUST keep the number that the offer gave an extension; numbers from 4096 on are only proposals,
/// and get one of their own. An extension that was not offered was not agreed on.
struct OAHeaderExtensions: AnswerRule {
    static let info = RuleInfo(
        "OA-EXTMAP", .error, .must, reference: "RFC 8285 §6",
        check: "Header extensions of an answer are those of the offer, with the same numbers.",
        example: "offer:  a=extmap:3 urn:…:transport-cc\nanswer: a=extmap:5 urn:…:transport-cc")
    var exchange = OfferAnswerExchange()

    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]? {
        let forAll = offer.attributes.all("extmap").compactMap(ExtensionMap.init)
        var isUsed = false
        var faults: [Fault] = []
        for medium in AnsweredMedium.wanted(answer, offer) {
            let offered = medium.offer.extensionMaps + forAll
            for map in medium.answer.extensionMaps {
                isUsed = true
                let subject = "m\(medium.index) \(map.uri)"
                let known = offered.filter { $0.uri == map.uri }
                guard !known.isEmpty else {
                    faults.append(
                        Fault(
                            Text("OA-EXTMAP.notOffered", medium.index, medium.answer, .wire(map.uri)),
                            actual: .wire("a=extmap:\(map.id) \(map.uri)"), subject: subject))
                    continue
                }
                guard !known.contains(where: { $0.id == map.id || $0.id >= 4_096 }) else { continue }
                faults.append(
                    Fault(
                        Text("OA-EXTMAP.number", medium.index, medium.answer, .wire(map.uri)),
                        expected: .wire(known.map { "\($0.id)" }.joined(separator: ", ")), actual: .wire("\(map.id)"),
                        subject: subject))
            }
        }
        return isUsed ? faults : nil
    }
}

/// OA-DIR: what one side sends the other receives.
///
/// RFC 3264 §6.1: sendonly MUST be answered by recvonly or inactive, recvonly by sendonly or inactive, inactive by
/// inactive; sendrecv by anything.
struct OADirection: AnswerRule {
    static let info = RuleInfo(
        "OA-DIR", .error, .must, reference: "RFC 3264 §6.1",
        check: "The direction of each answered medium fits the one that was offered.",
        example: "offer:  a=sendonly\nanswer: a=sendrecv")
    var exchange = OfferAnswerExchange()

    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]? {
        let media = AnsweredMedium.wanted(answer, offer).filter { $0.answer.isRTP }
        guard !media.isEmpty else { return nil }
        return media.compactMap { medium in
            let offered = medium.offer.direction ?? offer.direction ?? .sendrecv
            let answered = medium.answer.direction ?? answer.direction ?? .sendrecv
            let allowed: [MediaDirection]
            switch offered {
            case .sendrecv: return nil
            case .sendonly: allowed = [.recvonly, .inactive]
            case .recvonly: allowed = [.sendonly, .inactive]
            case .inactive: allowed = [.inactive]
            }
            guard !allowed.contains(answered) else { return nil }
            return Fault(
                Text("OA-DIR.against", medium.index, medium.answer, .wire(offered.rawValue)),
                expected: .wire(allowed.map(\.rawValue).joined(separator: ", ")), actual: .wire(answered.rawValue),
                subject: "m\(medium.index)")
        }
    }
}

/// OA-SETUP: one side begins the DTLS handshake, the other waits for it.
///
/// RFC 4145 §4.1: an offer that says active is answered by passive, one that says passive by active; to actpass either
/// will do. Two that wait never begin, and two that begin refuse each other's hello.
struct OASetup: AnswerRule {
    static let info = RuleInfo(
        "OA-SETUP", .error, .plain, reference: "RFC 4145 §4.1",
        check: "The DTLS role that an answer takes is the other one than the offer's.",
        example: "offer:  a=setup:active\nanswer: a=setup:active")
    var exchange = OfferAnswerExchange()

    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]? {
        var isUsed = false
        var faults: [Fault] = []
        for medium in AnsweredMedium.wanted(answer, offer) {
            guard let offered = medium.offer.setup ?? offer.setup, let answered = medium.answer.setup ?? answer.setup
            else { continue }
            isUsed = true
            guard offered == answered, offered == "active" || offered == "passive" else { continue }
            faults.append(
                Fault(
                    Text("OA-SETUP.\(offered)", medium.index, medium.answer),
                    expected: .wire("a=setup:\(offered == "active" ? "passive" : "active")"),
                    actual: .wire("a=setup:\(answered)"), subject: "m\(medium.index)"))
        }
        return isUsed ? faults : nil
    }
}

/// OA-REJECT: what is offered as rejected stays so.
///
/// 1. A medium that is offered with port 0 MUST have port 0 in the answer (RFC 3264 §8.2), unless it is bundle-only.
/// 2. An `m=` line has a format also when it is rejected (§6: MUST).
struct OARejected: AnswerRule {
    static let info = RuleInfo(
        "OA-REJECT", .error, .must, reference: "RFC 3264 §8.2",
        check: "A medium that is offered with port 0 has port 0 in the answer, and each rejected one names a format.",
        example: "offer:  m=video 0 …\nanswer: m=video 9 …")
    var exchange = OfferAnswerExchange()

    func faults(_ answer: SessionDescription, _ offer: SessionDescription) -> [Fault]? {
        var isUsed = false
        var faults: [Fault] = []
        for (index, media) in zip(answer.media, offer.media).enumerated() {
            let isRefused = answer.isRejected(media.0)
            guard isRefused || offer.isRejected(media.1) else { continue }
            isUsed = true
            if !isRefused {
                faults.append(
                    Fault(
                        Text("OA-REJECT.revived", index, media.0), expected: .wire("0"),
                        actual: .wire(media.0.port.map { "\($0)" } ?? "-"), subject: "m\(index)"))
            } else if media.0.formats.isEmpty {
                faults.append(
                    Fault(Text("OA-REJECT.format", index, media.0), reference: "RFC 3264 §6", subject: "m\(index)"))
            }
        }
        return isUsed ? faults : nil
    }
}
