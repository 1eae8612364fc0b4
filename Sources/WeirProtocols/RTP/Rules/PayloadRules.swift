import WeirEngine
import WeirPackets

/// AAC-AUHDR: the access unit headers and their AU-sizes fit the payload (RFC 3640 §3.2.1, §3.2.3); AU-Index and
/// AU-Index-delta are 0 unless access units are interleaved (§3.2.1.1, §3.3.6).
struct AACHeaders: PacketFaultRule {
    static let info = RuleInfo(
        "AAC-AUHDR", .error, .must, reference: "RFC 3640 §3.2.1",
        check: "AU-headers-length and the access unit sizes match the payload; AU-Index is 0.",
        example: "00 10 12 40: AU-size 584 in a payload of 300 octets that is not a fragment")
    static let forms = [
        FaultForm(.accessUnitHeaders, "AAC-AUHDR.size"),
        FaultForm(.accessUnitIndex, "AAC-AUHDR.index", reference: "RFC 3640 §3.2.1.1"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool {
        if case .mpeg4Generic = stream.mainFormat?.payload { true } else { false }
    }
}

/// LATM-LENGTH: the lengths in an audioMuxElement fit the packets that carry it, the last of which has the marker (RFC
/// 6416).
///
/// Elements whose configuration was neither announced nor captured are not checked.
struct LATMLengths: PacketFaultRule {
    static let info = RuleInfo(
        "LATM-LENGTH", .error, .must, reference: "RFC 6416",
        check: "The lengths in an audioMuxElement match its packets; the marker is on the last one.",
        example: "config=40002810 and cpresent=0, and FF 21 … in a packet of 200 octets with the marker")
    static let forms = [
        FaultForm(.audioMuxLength, "LATM-LENGTH.size"),
        FaultForm(.markerMissing, "LATM-LENGTH.marker", severity: .warning, reference: "RFC 6416 §6.2"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.audioMux) }
}

/// OPUS-FRAMES: the frames of an Opus packet fill it as its first octets indicate, and last 120 ms at most (RFC 6716
/// §3.4); an RTP packet contains one Opus packet (RFC 7587 §4.2).
struct OpusFrames: PacketFaultRule {
    static let info = RuleInfo(
        "OPUS-FRAMES", .error, .must, reference: "RFC 6716 §3.4",
        check: "An Opus packet consists of at least one frame, and lasts 120 ms at most.",
        example: "7B 00 …: code 3 with 0 frames")
    static let forms = [FaultForm(.audioFrames, "OPUS-FRAMES.malformed")]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.opus) }
}

/// MPEG4-CONFIG: `config` describes the pictures received (RFC 6416): headers in the stream, if any, have the same
/// profile, level and size.
struct MPEG4VideoHeaders: Rule {
    static let info = RuleInfo(
        "MPEG4-CONFIG", .warning, .plain, reference: "RFC 6416",
        check: "config has the profile, level and size of the headers in the stream.",
        example: "config of 320×240, and headers of 640×480 in the stream")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, media.isMostly(.mpeg4Video), let pictures = media.content.pictures,
            let found = pictures.configuration,
            let announced = media.mainFormat?.parameter("config").flatMap({ MPEG4VideoConfiguration(hexadecimal: $0) })
        else {
            judgement.notApplicable()
            return
        }
        // A header missing on either side is not compared.
        let hasLevels = announced.profileAndLevel != 0 && found.profileAndLevel != 0
        let isOther = hasLevels && announced.profileAndLevel != found.profileAndLevel
        guard isOther || announced.width != found.width || announced.height != found.height else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text("MPEG4-CONFIG.differs"), expected: .wire(Self.line(announced)), actual: .wire(Self.line(found)),
            subject: stream.mediaType ?? "", frame: pictures.configurationFrame)
    }

    private static func line(_ headers: MPEG4VideoConfiguration) -> String {
        "\(headers.width)x\(headers.height), profile-level-id \(headers.profileAndLevel)"
    }
}

/// JPEG-HDR: each fragment of a picture begins where the previous one ended, and all have the same main header (RFC
/// 2435 §3.1, §3.1.2).
struct JPEGHeader: PacketFaultRule {
    static let info = RuleInfo(
        "JPEG-HDR", .error, .must, reference: "RFC 2435 §3.1",
        check: "Fragment offsets are contiguous; the rest of the main header is the same within a picture.",
        example: "offset 0 with 1 400 octets, then offset 2 800")
    static let forms = [
        FaultForm(.fragmentOffset, "JPEG-HDR.offset", reference: "RFC 2435 §3.1.2"),
        FaultForm(.changedHeader, "JPEG-HDR.changed"),
    ]
    static func judges(_ stream: RTPStreamDetails) -> Bool { stream.isMostly(.jpeg) }
}

/// PCM-SIZE: a packet contains a whole number of samples (RFC 3551 §4.2), as many as the announced packet time requires
/// (RFC 8866 §6.4).
///
/// The last packet of a talkspurt may be shorter, so a packet time mismatch is reported only if a tenth of the packets
/// differ. Timestamps advance by the samples of each packet (RFC 3550 §5.1), in audio without silences. A packet that
/// ends within a sample is reported immediately; without an announced format, the format may be another one.
struct PCMSize: Rule {
    static let info = RuleInfo(
        "PCM-SIZE", .note, .plain, reference: "RFC 3551 §4.2",
        check: "Packets have the duration given by a=ptime.",
        example: "a=ptime:20 with PCMU, and packets of 240 octets")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard case .samples(let size) = media.mainFormat?.payload else {
            judgement.notApplicable()
            return
        }
        guard let entry = media.faults[.sampleCount],
            entry.count * 2 > media.packets || entry.count >= Self.fewest && entry.count * 10 > media.packets
        else {
            if let step = samplesPerPacket(media, unit: size.unit), media.faults[.sampleParts] == nil {
                return judgement.fail(
                    Text("PCM-SIZE.timestamps", .decimal(step.samples, places: 0), .decimal(step.ticks, places: 0)),
                    expected: .wire("\(Int(step.ticks))"), actual: .wire("\(Int(step.samples))"), subject: "timestamps",
                    frame: media.firstFrame, time: media.startTime)
            }
            guard size.unit > 1 || size.packet > 0 else { return judgement.notApplicable() }
            judgeParts(media, stream, &judgement)
            return
        }
        let octets = media.payloadOctets / max(1, media.packets)
        judgement.fail(
            Text(
                "PCM-SIZE.other", .integer(entry.count), .integer(media.packets), .integer(octets),
                .string(entry.names), .integer(entry.frames.count)),
            expected: size.packet > 0 ? .wire("\(size.packet)") : nil, actual: .wire("\(octets)"),
            subject: stream.mediaType ?? "", frame: entry.frames.first, time: entry.time)
    }

    /// Packets with another size that are no ends of talkspurts.
    private static let fewest = 8
    /// The lengths of the authentication tags of SRTP, in octets: 10 (RFC 3711 §5.2), shortened, and of AES-GCM.
    private static let tags = [4, 10, 16]
    /// The longest interval between packets of audio without silences, in usual intervals.
    private static let longestInterval = 3.0

    /// Returns the mean samples of a packet and the mean ticks between packets if they differ, in audio without losses
    /// and silences.
    private func samplesPerPacket(_ media: RTPStreamDetails, unit: Int) -> (samples: Double, ticks: Double)? {
        guard media.packets > 50, unit > 0, media.sequence.missing == 0, media.sequence.restarts == 0,
            media.sequence.duplicates == 0, media.jumps.count == 0, media.stretches.count == 1, media.markers <= 1,
            media.types.changes == 0
        else { return nil }
        // Silences, even short ones, need no packets.
        let usual = media.endTime.seconds(since: media.startTime) / Double(media.packets - 1)
        guard Double(media.longestDelta) / 1e9 < Self.longestInterval * usual else { return nil }
        let ticks = Double(media.lastTimestamp &- media.firstTimestamp) / Double(media.packets - 1)
        let samples = Double(media.payloadOctets / unit) / Double(media.packets)
        guard ticks > 0, samples > 0, ticks / samples < 4, (samples / ticks - 1).magnitude > 0.02 else { return nil }
        // Without a description, the packets may be encrypted and end in an authentication tag.
        let surplus = Int(((samples - ticks) * Double(unit)).rounded())
        guard media.mainFormat?.isAssumed != true || !Self.tags.contains(surplus) else { return nil }
        return (samples, ticks)
    }

    private func judgeParts(_ media: RTPStreamDetails, _ stream: StreamRecord, _ judgement: inout Judgement) {
        guard let entry = media.faults[.sampleParts] else {
            judgement.pass()
            return
        }
        let message = Text(
            "PCM-SIZE.parts", .integer(entry.count), .integer(media.packets), .string(entry.names),
            .integer(entry.frames.count))
        guard media.mainFormat?.isAssumed != true else {
            judgement.inconclusive(message, subject: "parts", frame: entry.frames.first, time: entry.time)
            return
        }
        judgement.fail(message, subject: "parts", frame: entry.frames.first, time: entry.time)
    }
}

/// PS-IN-RTP: an MPEG program stream in RTP, as sent by GB/T 28181 devices on payload type 96, is recognized and named.
struct ProgramStreamInRTP: Rule {
    static let info = RuleInfo(
        "PS-IN-RTP", .note, .practice, reference: "RFC 3551 §6",
        check: "MPEG-PS in RTP is reported.", example: "a=rtpmap:96 PS/90000, and payloads that begin with 00 00 01 BA")
    static let observes: [String] = []

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media else { return judgement.ignore() }
        guard let entry = media.faults[.programStream] else {
            judgement.notApplicable()
            return
        }
        judgement.fail(
            Text("PS-IN-RTP.named", .integer(entry.count)), subject: stream.mediaType ?? "",
            frame: entry.frames.first, time: entry.time)
    }
}
