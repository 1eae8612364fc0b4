import WeirEngine
import WeirPackets

/// OA-MCOUNT: an answer has the media of its offer.
///
/// 1. As many `m=` lines as the offer (RFC 3264 §6: MUST): they are matched by position.
/// 2. Each has the type offered at its position (§6.1: MUST).
struct OAMediaCount: AnswerRule {
    static let info = RuleInfo(
        "OA-MCOUNT", .error, .must, reference: "RFC 3264 §6",
        check: "An answer has as many m= lines as its offer, in the same order and with the same media types.",
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

/// OA-PT-SUBSET: an accepted medium uses offered formats.
///
/// RFC 3264 §6.1:
/// 1. The answer MUST contain at least one offered format; without a common format the medium is rejected.
/// 2. A codec SHOULD keep its number from the offer. Stricter: a number that means another codec in the offer, since
///    the offerer would mistake one for the other.
/// 3. Further formats MAY be listed, though they cannot be sent: a note, since some implementations reject such
///    answers.
struct OAFormats: AnswerRule {
    static let info = RuleInfo(
        "OA-PT-SUBSET", .warning, .must, reference: "RFC 3264 §6.1",
        check: "Each accepted media section has an offered format, and codecs keep their payload types.",
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

    /// Returns a codec with its clock rate in lower case, or nil for an undefined payload type.
    private static func codec(_ medium: MediaDescription, _ type: UInt8) -> String? {
        medium.rtpMap(type).map { map in
            TextSyntax.lowercased(map.encoding) + (map.clockRate.map { "/\($0)" } ?? "")
        }
    }

    /// Whether the encoding carries no medium of its own.
    private static func isHelper(_ name: String) -> Bool {
        let encoding = TextSyntax.pair(name, at: ASCII.slash).0
        return ["rtx", "red", "ulpfec", "flexfec-03", "telephone-event", "cn"].contains(encoding)
    }
}

/// OA-RTX: retransmissions refer to an existing codec.
///
/// `apt` maps the payload type of retransmissions to that of the original (RFC 4588 §8.1: MUST). With an `apt` that the
/// medium does not list, retransmissions cannot be used.
struct OARetransmission: Rule {
    static let info = RuleInfo(
        "OA-RTX", .error, .must, reference: "RFC 4588 §8.1",
        check: "The apt of each rtx payload type is a payload type of its media section.",
        example: "m=video … 97\na=rtpmap:97 rtx/90000\na=fmtp:97 apt=96")
    static let observes = ["sdp"]
    static let dependsOnlyOnContent = true

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

/// OA-EXTMAP: an answer uses offered header extensions with their IDs.
///
/// RFC 8285 §6: an answer MUST keep the ID of an offered extension; IDs from 4096 on are only proposals, which the
/// answer replaces. An extension that was not offered is not negotiated.
struct OAHeaderExtensions: AnswerRule {
    static let info = RuleInfo(
        "OA-EXTMAP", .error, .must, reference: "RFC 8285 §6",
        check: "Header extensions of an answer are offered ones, with the same ids.",
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

/// OA-DIR: directions of offer and answer are compatible.
///
/// RFC 3264 §6.1: sendonly MUST be answered by recvonly or inactive, recvonly by sendonly or inactive, inactive by
/// inactive; sendrecv by anything.
struct OADirection: AnswerRule {
    static let info = RuleInfo(
        "OA-DIR", .error, .must, reference: "RFC 3264 §6.1",
        check: "The direction of each answered media section matches the offer.",
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

/// OA-SETUP: one side starts the DTLS handshake, the other waits for it.
///
/// RFC 4145 §4.1: active is answered by passive, passive by active, and actpass by either. Two passive sides never
/// start, and two active sides reject each other's ClientHello.
struct OASetup: AnswerRule {
    static let info = RuleInfo(
        "OA-SETUP", .error, .plain, reference: "RFC 4145 §4.1",
        check: "The answer takes the opposite DTLS role of the offer.",
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

/// OA-REJECT: media offered as rejected stay rejected.
///
/// 1. A medium offered with port 0 MUST have port 0 in the answer (RFC 3264 §8.2), unless it is bundle-only.
/// 2. An `m=` line has a format even if rejected (§6: MUST).
/// 3. No media is sent for a rejected one: neither side may generate it (§6).
struct OARejected: AnswerRule {
    static let info = RuleInfo(
        "OA-REJECT", .error, .must, reference: "RFC 3264 §8.2",
        check: "A media section offered with port 0 has port 0 in the answer, and rejected ones list a format.",
        example: "offer:  m=video 0 …\nanswer: m=video 9 …")
    var exchange = OfferAnswerExchange()

    /// The payload types of media that only the latest answer's rejected sections have, and its frame and time.
    private var refused: (types: [UInt8: String], frame: Int, time: Timestamp)?
    /// Seconds for which media may be in flight after a rejection.
    private static let crossing = 1.0

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        if exchange.isPresentation(step) { return judgement.notApplicable() }
        guard let (description, turn) = exchange.take(step) else { return }
        switch turn {
        case .answer(let offer), .further(let offer):
            note(description, offer, step.event)
            judgement.conclude(faults(description, offer), of: description)
        default: judgement.notApplicable()
        }
    }

    private mutating func note(_ answer: SessionDescription, _ offer: SessionDescription, _ event: Event) {
        var types: [UInt8: String] = [:]
        for (mine, other) in zip(answer.media, offer.media) where answer.isRejected(mine) {
            for type in other.payloadTypes { types[type] = other.type }
        }
        for (mine, other) in zip(answer.media, offer.media) where !answer.isRejected(mine) {
            for type in mine.payloadTypes + other.payloadTypes { types[type] = nil }
        }
        refused = (types, event.frame, event.time)
    }

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let refused, let media = stream.media, let type = refused.types[media.payloadType],
            stream.endTime.seconds(since: refused.time) > Self.crossing
        else { return }
        let isLater = stream.startTime > refused.time
        judgement.fail(
            Text("OA-REJECT.flows", .string(type), .integer(Int(media.payloadType)), .integer(refused.frame)),
            reference: "RFC 3264 §6", subject: type, frame: isLater ? media.firstFrame : nil,
            time: isLater ? stream.startTime : nil)
    }

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
