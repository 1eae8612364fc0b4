import WeirEngine
import WeirPackets

/// AAC-CONFIG: the `a=fmtp` parameters of AAC match `a=rtpmap` and suffice to parse packets.
///
/// 1. The clock rate of `a=rtpmap` is the sampling rate, its parameter the channels (RFC 3640 §4.1): those of `config`.
///    With spectral band replication, the description may use either of the two rates.
/// 2. The modes AAC-lbr and AAC-hbr require sizeLength, indexLength and indexDeltaLength (§3.3.5, §3.3.6).
struct AACConfiguration: DescriptionRule {
    static let info = RuleInfo(
        "AAC-CONFIG", .warning, .must, reference: "RFC 3640 §4.1",
        check: "config has the clock rate and channels of a=rtpmap; the mode's size lengths are present.",
        example: "a=rtpmap:97 mpeg4-generic/44100/2\na=fmtp:97 mode=AAC-hbr;config=1190")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = false
        var faults: [Fault] = []
        for (index, medium) in description.media.enumerated() where medium.isRTP {
            for parameters in medium.formatParameters {
                guard let type = TextSyntax.decimal(parameters.format, as: UInt8.self), let map = medium.rtpMap(type),
                    ASCII.equalIgnoringCase(map.encoding, "mpeg4-generic"), let mode = parameters["mode"],
                    TextSyntax.lowercased(mode).hasPrefix("aac")
                else { continue }
                isJudged = true
                let subject = "m\(index) \(type)"
                func fault(_ key: String, _ argument: Text.Argument, _ reference: String? = nil) -> Fault {
                    Fault(
                        Text(key, index, medium, .integer(Int(type)), argument), reference: reference,
                        subject: subject)
                }
                let missing = ["sizeLength", "indexLength", "indexDeltaLength"].filter { parameters[$0] == nil }
                if !missing.isEmpty {
                    let section = TextSyntax.lowercased(mode) == "aac-lbr" ? "RFC 3640 §3.3.5" : "RFC 3640 §3.3.6"
                    faults.append(fault("AAC-CONFIG.sizes", .string(missing.joined(separator: ", ")), section))
                }
                guard let config = parameters["config"].flatMap({ MPEG4AudioConfiguration(hexadecimal: $0) }) else {
                    continue
                }
                if let rate = config.rate, let clock = map.clockRate, clock != rate, clock != 2 &* rate {
                    faults.append(fault("AAC-CONFIG.clock", .integer(rate)))
                }
                // Parametric stereo produces two channels from one.
                if let channels = config.channels, channels != map.channels, !(channels == 1 && map.channels == 2) {
                    faults.append(fault("AAC-CONFIG.channels", .integer(channels)))
                }
            }
        }
        return isJudged ? faults : nil
    }

    /// Judges a clock of twice the rate in `config`: with spectral band replication an access unit has 2048 samples of
    /// the higher rate, without it 1024 of the lower one.
    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard let media = stream.media, let format = media.mainFormat, case .mpeg4Generic = format.payload,
            media.sequence.missing == 0, media.sequence.restarts == 0, media.jumps.count == 0, media.packets > 1,
            media.content.accessUnits > Self.fewestUnits,
            let config = format.parameter("config").flatMap({ MPEG4AudioConfiguration(hexadecimal: $0) }),
            let rate = config.rate, let clock = format.clockRate, clock == 2 &* rate
        else { return }
        // A timestamp is that of the packet's first access unit.
        let whole =
            Double(media.lastTimestamp &- media.firstTimestamp) * Double(media.packets) / Double(media.packets - 1)
        let ticks = whole / Double(media.content.accessUnits)
        guard (ticks / 1_024 - 1).magnitude < 0.1 else { return judgement.pass() }
        judgement.fail(
            Text("AAC-CONFIG.stream", .integer(rate), .integer(clock)), subject: "stream", frame: media.firstFrame,
            time: media.startTime)
    }

    private static let fewestUnits = 20
}

/// OPUS-CLOCK: Opus is always `opus/48000/2` (RFC 7587 §4.1, §7), whatever the signal's rate and channels.
struct OpusClock: DescriptionRule {
    static let info = RuleInfo(
        "OPUS-CLOCK", .error, .must, reference: "RFC 7587 §7",
        check: "The rtpmap of Opus is opus/48000/2.", example: "a=rtpmap:111 opus/16000/1")

    func faults(_ description: SessionDescription, _ step: Step) -> [Fault]? {
        var isJudged = false
        var faults: [Fault] = []
        for (index, medium) in description.media.enumerated() {
            for map in medium.rtpMaps where ASCII.equalIgnoringCase(map.encoding, "opus") {
                isJudged = true
                guard map.clockRate != 48_000 || map.channels != 2 else { continue }
                let said = [map.encoding, map.clockRate.map(String.init), map.parameters].compactMap { $0 }
                faults.append(
                    Fault(
                        Text("OPUS-CLOCK.other", index, medium, .integer(Int(map.payloadType))),
                        expected: .wire("opus/48000/2"), actual: .wire(said.joined(separator: "/")),
                        subject: "m\(index) \(map.payloadType)"))
            }
        }
        return isJudged ? faults : nil
    }
}
