import WeirEngine

/// EFLV-FOURCC: enhanced RTMP is used as announced.
///
/// Codecs and packet types are those of the tables (E-RTMP v2 "Enhanced Audio", "Enhanced Video"); receivers must
/// handle others gracefully. A codec must be announced in `connect` before use (same sections): a codec missing from
/// the client's `fourCcList`, `videoFourCcInfoMap` or `audioFourCcInfoMap` is a note, since many publishers announce
/// nothing.
struct EnhancedFourCC: FLVRule {
    static let info = RuleInfo(
        "EFLV-FOURCC", .error, .must, reference: "E-RTMP v2 \"Enhanced Video\"",
        check: "Codecs and packet types of enhanced RTMP are defined, and connect announced the codecs.",
        example: "connect fourCcList [\"av01\"]\nvideo hvc1 sequence header")

    static var sorts: MessageSorts { [.rtmpConnect, .rtmpEnhanced] }

    /// The capabilities announced by the client, and whether its `connect` was captured.
    private var announced: (capabilities: EnhancedCapabilities?, isKnown: Bool) = (nil, false)
    private var reported = ReportedTracks()
    private var judged: Set<FourCC> = []

    init() {}

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let message = step.rtmp else { return }
        switch message.payload {
        case .command(let command) where command.kind == .connect:
            announced = (command.capabilities, true)
        case .video(let video?):
            guard let header = video.enhanced else { break }
            judge(
                header, isVideo: true,
                isKnown: video.command != nil
                    || video.codecKind.isKnown && video.parts.allSatisfy { $0.codecKind.isKnown },
                video.packet == nil && video.command == nil ? video.packetTypeID : nil, step, &judgement)
        case .audio(let audio?):
            guard let header = audio.enhanced else { break }
            judge(
                header, isVideo: false,
                isKnown: audio.codecKind.isKnown && audio.parts.allSatisfy { $0.codecKind.isKnown },
                audio.packet == nil ? audio.packetTypeID : nil, step, &judgement)
        default: break
        }
    }

    private mutating func judge(
        _ header: EnhancedHeader, isVideo: Bool, isKnown: Bool, _ unknownPacket: UInt8?, _ step: Step,
        _ judgement: inout Judgement
    ) {
        let medium = isVideo ? "video" : "audio"
        let reference = isVideo ? nil : "E-RTMP v2 \"Enhanced Audio\""
        if !isKnown || unknownPacket != nil {
            guard reported.isNew(step.event.stream) else { return }
            if let unknownPacket {
                judgement.fail(
                    Text("EFLV-FOURCC.packet", .string(medium), .integer(Int(unknownPacket))), reference: reference,
                    subject: medium)
            } else {
                judgement.fail(
                    Text("EFLV-FOURCC.codec", .string(medium), .wire(Self.unknown(header, isVideo: isVideo))),
                    reference: reference, subject: medium)
            }
            return
        }
        for code in [header.fourCC].compactMap({ $0 }) + header.tracks.map(\.fourCC) {
            announce(code, isVideo: isVideo, medium, &judgement)
        }
    }

    /// Returns the unspecified code.
    private static func unknown(_ header: EnhancedHeader, isVideo: Bool) -> String {
        let codes = [header.fourCC].compactMap { $0 } + header.tracks.map(\.fourCC)
        let code = codes.first { isVideo ? !VideoCodec($0).isKnown : !AudioCodec($0).isKnown }
        return (code ?? header.fourCC)?.description ?? ""
    }

    /// Judges whether the client announced a codec in use, once per codec.
    private mutating func announce(
        _ code: FourCC, isVideo: Bool, _ medium: String, _ judgement: inout Judgement
    ) {
        guard judged.count < 64, judged.insert(code).inserted else { return }
        guard announced.isKnown else {
            judgement.inconclusive(Text("EFLV-FOURCC.unseen", .wire(code.description)), subject: medium)
            return
        }
        let capabilities = announced.capabilities
        if capabilities?.announces(code, isVideo: isVideo) == true {
            judgement.pass()
            return
        }
        let hasList = capabilities?.announcesAny(isVideo: isVideo) == true
        judgement.fail(
            Text(
                hasList ? "EFLV-FOURCC.unlisted" : "EFLV-FOURCC.noList", .string(medium), .wire(code.description)),
            severity: .note, reference: "E-RTMP v2 \"Enhancing NetConnection connect Command\"", subject: medium)
    }
}
