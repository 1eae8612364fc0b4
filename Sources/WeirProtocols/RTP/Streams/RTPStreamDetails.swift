package import WeirEngine
import WeirPackets

extension StreamRecord {
    /// The final state of the stream, if it is RTP.
    var media: RTPStreamDetails? { shared as? RTPStreamDetails }
}

/// The contents of the `stream` record of an RTP stream beyond those common to all streams.
///
/// Shared by the rules that examine a stream, to avoid copying all figures; the stream's figures are read through it.
@dynamicMemberLookup
package final class RTPStreamDetails: SharedStreamDetails {
    /// The final state of the stream.
    package let stream: MediaStream
    /// The format of most packets, if known, which many rules need.
    let mainFormat: MediaFormat?
    /// Its payload format.
    var mainPayload: RTPPayloadFormat? { mainFormat?.payload }
    /// The packets lost. Stored, since computing a property of a stream copies the stream.
    let lossFigures: LossFigures
    /// Whether it repairs another stream.
    var isRepair: Bool { lossFigures.isRepair }
    /// Frames per second, as ``MediaStream/frameRate``.
    let frameRate: Double?
    /// Whether the payloads carry an MPEG transport stream.
    let hasTransportStream: Bool
    /// Whether any of its packets has a fault.
    let hasFaults: Bool
    /// The interleaved channel, or nil if there is none.
    package let channel: Int?
    /// Packets missing with octets of their TCP connection that were not captured, and thus not lost.
    package let uncaptured: Int
    /// Whether a relay carried its packets inside its own messages.
    package let isRelayed: Bool
    /// Whether it was carried over TCP without being interleaved with messages of its session.
    package let isOnTCP: Bool
    /// Whether it was carried over TCP with a length before each packet (RFC 4571).
    package let isFramed: Bool
    /// Packets rejected by the destination host, or nil if there were none or a session evaluates them.
    package let refusal: FlowRefusal?
    /// The identity carried in its packets.
    package let identity: MediaIdentity?
    /// Whether its payload is encrypted according to its session, even if the format is unknown.
    package let isEncrypted: Bool
    /// Whether the payload is encrypted, and was not decrypted.
    package var isUndecrypted: Bool {
        (mainFormat?.isEncrypted ?? isEncrypted) && !hasClearPayload && decryptedWith == nil
    }
    /// The result of tag verification, or nil without a known key.
    package let authentication: SRTPAuthentication?
    /// The source of the key that decrypts it.
    package let decryptedWith: SRTPKey.Source?

    /// Creates the details of an ended stream.
    package init(
        _ stream: MediaStream, channel: Int? = nil, isRelayed: Bool = false, isOnTCP: Bool = false,
        isFramed: Bool = false,
        isEncrypted: Bool = false, lacksOctets: Bool = false, identity: MediaIdentity? = nil,
        authentication: SRTPAuthentication? = nil, decryptedWith: SRTPKey.Source? = nil, refusal: FlowRefusal? = nil
    ) {
        self.decryptedWith = decryptedWith
        self.refusal = refusal
        self.authentication = authentication
        self.isEncrypted = isEncrypted
        self.isRelayed = isRelayed
        self.isOnTCP = isOnTCP
        self.isFramed = isFramed
        self.identity = identity
        mainFormat = stream.mainFormat
        lossFigures = LossFigures(stream)
        frameRate = stream.frameRate
        hasTransportStream = stream.content.transportStream != nil
        hasFaults = !stream.faults.entries.isEmpty
        self.channel = channel
        uncaptured = lacksOctets ? stream.unrecovered : stream.arrived
        self.stream = stream
    }

    /// Creates the details of an ended stream and its location.
    convenience init(
        _ stream: MediaStream, _ entry: MediaEntry, isEncrypted: Bool, lacksOctets: Bool, refusal: FlowRefusal? = nil
    ) {
        self.init(
            stream, channel: entry.channel, isRelayed: entry.isRelayed, isOnTCP: entry.isOnTCP,
            isFramed: entry.isFramed,
            isEncrypted: isEncrypted, lacksOctets: lacksOctets, identity: entry.identity,
            authentication: entry.authentication, decryptedWith: entry.decryptedWith, refusal: refusal)
    }

    /// Returns a figure of the stream.
    package subscript<Value>(dynamicMember figure: KeyPath<MediaStream, Value>) -> Value { stream[keyPath: figure] }

    /// Returns the members in the order of the schema, without unknown ones.
    package func fields(_ secrets: SecretPolicy) -> [Field] {
        let sequence = stream.sequence
        var fields: [Field] = []
        fields.add("ssrc", hexadecimal(stream.ssrc))
        fields.add("payloadType", Int(stream.mainPayloadType))
        fields.add("clockRate", mainFormat?.clockRate)
        if mainFormat?.isEncrypted ?? isEncrypted, !hasClearPayload { fields.add("encrypted", true) }
        fields.add("decryptedWith", decryptedWith?.name)
        if let tags = authentication, tags.isMeaningful {
            fields.add(
                "authentication",
                .object([Field("verified", .integer(tags.verified)), Field("failed", .integer(tags.failed))]))
        }
        fields.add("transport", channel != nil ? "interleaved" : isOnTCP ? "tcp" : "udp")
        fields.add("channel", channel)
        fields.add("mid", identity?.mid)
        fields.add("rid", identity?.rid)
        fields.add("repairedRid", identity?.repairedRid)
        fields.add("continues", identity?.continues)
        addParameters(to: &fields)
        fields.add("packets", stream.packets)
        fields.add("payloadBytes", stream.payloadOctets)
        fields.add("firstSequence", Int(sequence.firstSequence))
        fields.add("lastSequence", Int(sequence.lastSequence))
        fields.add("expected", sequence.expected)
        fields.add("lost", lost)
        if stream.recovered + stream.undecided > 0 {
            fields.add("recovered", stream.recovered)
            if stream.undecided > 0 { fields.add("undecided", stream.undecided) }
            fields.add("unrecovered", max(0, lost - stream.recovered - stream.undecided))
        }
        if uncaptured > 0 { fields.add("uncaptured", uncaptured) }
        if stream.skips.count > 0 { fields.add("skipped", stream.skips.count) }
        if let refusal { fields.add("unreachable", refusal.count) }
        if isRelayed { fields.add("relayed", true) }
        fields.add("duplicates", sequence.duplicates)
        if stream.captureDuplicates > 0 { fields.add("captureDuplicates", stream.captureDuplicates) }
        fields.add("reordered", sequence.reordered)
        if let jitter = stream.jitter, stream.packets > 1, stream.isTimed {
            fields.add(
                "jitterMs",
                .object([
                    Field("mean", .double(jitter.meanMilliseconds)), Field("max", .double(jitter.maximumMilliseconds)),
                ]))
        }
        if stream.packets > 1 { fields.add("maxDeltaMs", Double(stream.longestDelta) / 1_000_000) }
        fields.add("frames", stream.frames)
        if stream.canHaveKeyframes { fields.add("keyframes", stream.keyframes.count) }
        fields.add("keyframeIntervalSeconds", stream.secondsBetweenKeyframes)
        fields.add("maxKeyframeIntervalSeconds", stream.longestSecondsWithoutKeyframe)
        fields.add("frameRate", frameRate)
        fields.add("bitrate", stream.bitrate)
        addPictures(to: &fields)
        fields += multiplex?.fields ?? []
        addTimes(to: &fields)
        let reports = stream.reports.fields
        if !reports.isEmpty { fields.add("rtcp", .object(reports)) }
        return fields
    }

    /// Adds values derived from packet times: pacing, buffering, clock speed, and figures per second.
    private func addTimes(to fields: inout [Field]) {
        guard stream.isTimed, stream.packets > 1 else { return }
        if stream.pacing.pictures > 1 {
            fields.add("pacing", stream.pacing.fields(frameInterval: frameRate.map { 1 / $0 }))
        }
        if let jitter = stream.jitter, mainFormat?.isRepair != true {
            fields.add(
                "playout",
                .object([
                    Field("neededMs", .double(jitter.neededMilliseconds)),
                    Field("lateAt50Ms", .integer(jitter.late.after50)),
                    Field("lateAt100Ms", .integer(jitter.late.after100)),
                    Field("lateAt200Ms", .integer(jitter.late.after200)),
                ]))
        }
        if let slope = stream.slope.estimate, slope.seconds >= 5, slope.isSteady {
            fields.add(
                "clock",
                .object([
                    Field("driftPpm", .double((slope.rate - 1) * 1_000_000)),
                    Field("uncertaintyPpm", .double(slope.uncertainty * 1_000_000)),
                    Field("seconds", .double(slope.seconds)),
                ]))
        }
        if stream.jumps.count > 0 { fields.add("timestampJumps", stream.jumps.count) }
        let rows = stream.series.all(stream.totals)
        fields.add("series", StreamSeries.fields(rows, interval: stream.series.interval))
    }

    /// Adds incomplete or late pictures, if any. Packets that were not captured do not count.
    private func addPictures(to fields: inout [Field]) {
        guard let pictures = damagedPictures else { return }
        fields.add(
            "pictures",
            stream.integrity.fields(
                pictures: pictures, late: stream.jitter?.lateTimestamps ?? 0, since: stream.startTime))
    }

    /// The number of pictures received, if some were incomplete.
    private var damagedPictures: Int? {
        guard let format = mainFormat, format.hasPictures, !format.isEncrypted, uncaptured == 0,
            !stream.integrity.isClean
        else { return nil }
        return stream.timestamps
    }

    /// Adds picture parameters from parameter sets and key frames.
    private func addParameters(to fields: inout [Field]) {
        guard let picture else { return }
        fields.add("profile", picture.profile)
        fields.add("level", picture.level)
        fields.add("width", picture.width)
        fields.add("height", picture.height)
    }

    /// Profile, level and size of the pictures, as far as the stream or its description contains them.
    private var picture: (profile: String?, level: String?, width: Int, height: Int)? {
        // A description may contain formats that the stream never uses.
        switch mainFormat?.payload {
        case .h264:
            guard let set = stream.content.h264?.parameters else { return nil }
            let level = "\(set.level / 10)" + (set.level % 10 == 0 ? "" : ".\(set.level % 10)")
            return (set.profileName, level, set.width, set.height)
        case .h265:
            guard let set = stream.content.h265?.parameters else { return nil }
            return (
                H265SequenceParameterSet.profileName(set.profile),
                H265SequenceParameterSet.levelName(set.level, isHighTier: set.isHighTier), set.width, set.height
            )
        case .mpeg4Video:
            // The description applies until the stream contains its own configuration.
            let announced = mainFormat?.parameter("config").flatMap { MPEG4VideoConfiguration(hexadecimal: $0) }
            guard let headers = stream.content.pictures?.configuration ?? announced else { return nil }
            return (headers.profileName, headers.levelName, headers.width, headers.height)
        case .vp8, .vp9, .jpeg:
            guard let frames = stream.content.pictures, frames.width > 0 else { return nil }
            return (nil, nil, frames.width, frames.height)
        default: return nil
        }
    }

    /// The programs and PIDs of a transport stream.
    package var tables: [StreamTable] { multiplex?.tables ?? [] }
    /// The transport stream, unless the packets are retransmissions of parts of it.
    private var multiplex: TransportStream? { isRepair ? nil : stream.content.transportStream }

    /// Packets that never arrived.
    package var lost: Int { max(0, stream.lost - uncaptured) }

    /// The same, for the table of streams.
    package var lostPackets: Int? { lost }

    /// Codec and figures, such as `video H264 High 1280×720`, 1,021 packets, 3 lost.
    package var figures: StreamFigures {
        var figures = StreamFigures(name: name, count: stream.packets, .packets)
        figures.id = hexadecimal(stream.ssrc)
        figures.identity.append("SSRC \(hexadecimal(stream.ssrc))")
        (figures.lost, figures.expected) = (lost, stream.sequence.expected)
        if let jitter = stream.jitter, stream.packets > 1, stream.isTimed {
            figures.jitter = (jitter.meanMilliseconds, jitter.maximumMilliseconds)
        }
        figures.keyframeInterval = stream.secondsBetweenKeyframes
        (figures.frameRate, figures.bitrate) = (frameRate, stream.bitrate)
        let layer = identity?.rid ?? identity?.repairedRid
        figures.notes = (layer.map { ["layer \($0)"] } ?? []) + missingNotes + pictureNotes + decryptionNotes
        return figures
    }

    /// Missing packets and their recovery, duplicates and late packets.
    private var missingNotes: [Wording] {
        var notes: [Wording] = []
        if stream.recovered > 0 { notes.append("\(grouped(stream.recovered)) recovered") }
        if stream.undecided > 0 { notes.append("\(grouped(stream.undecided)) possibly FEC") }
        if stream.reports.rangeRequests > 0 {
            notes.append("\(grouped: stream.reports.rangeRequests, "RIST NACK", "RIST NACKs")")
            if let answer = stream.reports.requests.meanAnswer {
                notes.append("answered after \(rounded(answer, places: 1)) ms")
            }
        }
        if let refusal { notes.append("\(grouped(refusal.count)) answered with ICMP port unreachable") }
        if uncaptured > 0 { notes.append("\(grouped(uncaptured)) not captured") }
        let skipped = stream.skips.count &- stream.skips.inferred
        if skipped > 0 { notes.append("\(grouped(skipped)) skipped") }
        if stream.skips.inferred > 0 { notes.append("\(grouped(stream.skips.inferred)) lost or skipped") }
        if stream.sequence.duplicates > 0 {
            notes.append("\(grouped: stream.sequence.duplicates, "duplicate", "duplicates")")
        }
        if stream.sequence.reordered > 0 { notes.append("\(grouped(stream.sequence.reordered)) out of order") }
        return notes
    }

    /// What it was decrypted with.
    private var decryptionNotes: [Wording] {
        switch decryptedWith {
        case nil: []
        case .description: ["decrypted with the key of the description"]
        case .mikey: ["decrypted with the key of MIKEY"]
        case .file(let name, _), .handshake(let name): ["decrypted with \(name)"]
        }
    }

    /// Damaged pictures and telephone events.
    private var pictureNotes: [Wording] {
        var notes: [Wording] = []
        if damagedPictures != nil {
            let damaged = stream.integrity.damaged
            if damaged > 0 { notes.append("\(grouped: damaged, "picture", "pictures") damaged") }
            let frozen = Double(stream.integrity.frozen) / 1_000_000_000
            if frozen > 0 { notes.append("frozen for \(rounded(frozen, places: 1))\u{A0}s") }
        }
        if let telephone = stream.content.telephone, telephone.count > 0 {
            notes.append("\(grouped: telephone.count, "telephone event", "telephone events")")
        }
        return notes
    }

    /// Returns sample rate and channels of audio, if the clock rate is the sample rate: not for MPEG audio or G.722
    /// (RFC 3551 §4.5.2, §4.5.13).
    private func sound(_ format: MediaFormat) -> [Wording] {
        guard format.mediaType == "audio", let rate = format.clockRate, rate > 0, rate < 90_000,
            TextSyntax.lowercased(format.encoding) != "g722"
        else { return [] }
        let thousands = Double(rate) / 1_000
        let places = rate % 1_000 == 0 ? 0 : rate % 100 == 0 ? 1 : 2
        let channels: Wording =
            format.channels == 1 ? "mono" : format.channels == 2 ? "stereo" : "\(format.channels) channels"
        return ["\(rounded(thousands, places: places)) kHz", channels]
    }

    private var hasClearPayload: Bool { stream.agreement.hasClearPayload }

    /// The protection of its packets.
    private var protection: Wording { hasClearPayload ? "in the clear, authenticated" : "encrypted" }

    /// Media type, encoding, rate and channels, profile and resolution, as far as known.
    private var name: Wording {
        guard let format = mainFormat else {
            let number: Wording = "payload type \(stream.mainPayloadType)"
            return isEncrypted ? [number, protection].joined(separator: " ") : number
        }
        var words: [Wording] = []
        if let type = format.mediaType { words.append(Wording(phrase: type)) }
        words.append(Wording(verbatim: format.encoding))
        words += sound(format)
        if format.isEncrypted { words.append(protection) }
        if let picture {
            if let profile = picture.profile { words.append(Wording(verbatim: profile)) }
            words.append("\(picture.width)×\(picture.height)")
        }
        return words.joined(separator: " ")
    }
}
