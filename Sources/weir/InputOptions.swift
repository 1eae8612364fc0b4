import ArgumentParser
import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols

/// The input files, shared by the commands that read captures.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Capture files, pcap or pcapng, plain or compressed; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["pcap", "pcapng", "cap", "gz", "zst"]))
    var files: [String]

    func validate() throws {
        guard files.count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError(plain: "Standard input can be read only once.")
        }
    }
}

/// The options of the analysis, shared by all commands that analyze captures.
struct AnalysisOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Analyze only packets that match a BPF expression, as in tcpdump.", valueName: "bpf"))
    var filter: String?

    @Option(
        name: .customLong("decode-as"),
        help: ArgumentHelp(
            """
            Decode the flows of a port as a protocol, such as tcp/8554=rtsp; for RTP optionally with payload type \
            mappings, such as udp/5004=rtp:96=H264/90000. Repeatable.
            """, valueName: "rule"))
    var decodeAs: [String] = []

    @Option(
        name: .customLong("sdp"),
        help: ArgumentHelp(
            "Decode the ports in this session description as the media it describes. Repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["sdp"]))
    var descriptions: [String] = []

    @Option(
        help: ArgumentHelp(
            "Memory limit of tables and buffers, such as 512MiB; the longest idle state is evicted and reported.",
            valueName: "size"))
    var memoryLimit = OctetCount(Limits().memoryOctets)

    @OptionGroup var signaling: SignalingOption
    @OptionGroup var decryption: DecryptionOptions

    func validate() throws {
        _ = try captureFilter()
        _ = try plainOptions()
    }

    func captureFilter() throws -> CaptureFilter? {
        guard let filter else { return nil }
        do {
            return try CaptureFilter(filter)
        } catch {
            throw ValidationError(plain: "\(error)")
        }
    }

    /// Returns the options of the analyzer. Reads the files with secrets, and reports their faults.
    ///
    /// - Parameter isLive: Whether key logs are read on while packets are captured.
    func analyzerOptions(isLive: Bool = false) throws -> AnalyzerOptions {
        var options = try plainOptions()
        options.limits[DecryptionSettings.self].keys = try decryption.keys(isLive: isLive)
        options.limits[SRTPSettings.self].keys = try decryption.srtpKeyFile()
        options.limits[SRTSettings.self].passphrases = try decryption.srtPassphraseFile()
        return options
    }

    /// Returns the options without secrets.
    private func plainOptions() throws -> AnalyzerOptions {
        var options = AnalyzerOptions()
        options.decodeAs = try Self.distinct(
            try decodeAs.map { ("--decode-as \($0)", [try Self.rule($0)]) }
                + descriptions.map { ("--sdp \($0)", try Self.rules(sdp: $0)) })
        options.limits.memoryOctets = memoryLimit.value
        // Without settings that differ from the defaults, limits need no look-up.
        if let profile = try signaling.profile() { options.limits[SignalingSettings.self].profile = profile }
        return options
    }

    /// Returns the rules of all options. Only one option may define a port, since others would be ignored.
    private static func distinct(
        _ said: [(option: String, rules: [AnalyzerOptions.DecodeAs])]
    ) throws -> [AnalyzerOptions.DecodeAs] {
        var known: [String: String] = [:]
        for (option, rules) in said {
            let places = Set(rules.map { "\($0.transport == .tcp ? "tcp" : "udp")/\($0.port)" })
            for place in places.sorted() {
                if let other = known[place] {
                    throw ValidationError(plain: "Two options define \(place): \(other) and \(option).")
                }
                known[place] = option
            }
        }
        return said.flatMap(\.rules)
    }

    /// Returns the rules for the ports in a session description.
    private static func rules(sdp file: String) throws -> [AnalyzerOptions.DecodeAs] {
        let text: String
        do throws(TextFile.Fault) {
            text = try TextFile.load(file)
        } catch {
            throw ValidationError(plain: "\(file): \(error)")
        }
        let rules = SessionDescription.decodeAs(text)
        guard !rules.isEmpty else {
            throw ValidationError(plain: "\(file) is not a session description with media over RTP.")
        }
        return rules.map { rule in
            var rule = rule
            rule.file = file
            return rule
        }
    }

    /// Parses payload types and their formats, such as `96=H264/90000`.
    private static func meanings(_ text: Substring) throws -> [AnalyzerOptions.DecodeAs.Meaning] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2, let number = UInt8(sides[0]), number < 128, isFormat(sides[1]) else {
                throw ValidationError(plain: "'\(part)' is not a payload type mapping such as 96=H264/90000.")
            }
            return AnalyzerOptions.DecodeAs.Meaning(number: number, text: sides[1])
        }
    }

    /// Whether a text is an encoding name and a nonzero clock rate, optionally with parameters.
    private static func isFormat(_ text: String) -> Bool {
        let parts = (text.split(separator: " ").first ?? "").split(separator: "/", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count) && !parts[0].isEmpty
            && parts.dropFirst().allSatisfy { UInt32($0) ?? 0 > 0 }
    }

    private static func rule(_ text: String) throws -> AnalyzerOptions.DecodeAs {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var rule = try plainRule(parts[0])
        guard parts.count == 2 else { return rule }
        guard rule.protocolName == "rtp" else {
            throw ValidationError(
                plain:
                    "Payload type mappings apply to rtp only, not to \(rule.protocolName).")
        }
        rule.meanings = try meanings(parts[1])
        return rule
    }

    private static func plainRule(_ text: Substring) throws -> AnalyzerOptions.DecodeAs {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        let place = sides[0].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, place.count == 2, let port = UInt16(place[1]), ["tcp", "udp"].contains(place[0]) else {
            throw ValidationError(plain: "--decode-as takes tcp/PORT=NAME or udp/PORT=NAME, not '\(text)'.")
        }
        let transport = place[0] == "tcp" ? TransportProtocol.tcp : .udp
        let carrier = place[0] == "tcp" ? Carrier.tcp : .udp
        let names = BuiltIn.dissectors.map { $0.descriptor }.filter { $0.carriers.contains(carrier) }.map(\.name)
        guard names.contains(String(sides[1])) else {
            throw ValidationError(
                plain:
                    "'\(sides[1])' is not a dissector for \(place[0]). Available: \(names.joined(separator: ", ")).")
        }
        return AnalyzerOptions.DecodeAs(transport: transport, port: port, protocolName: String(sides[1]))
    }
}
