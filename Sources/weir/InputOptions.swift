import ArgumentParser
import WeirCapture
import WeirEngine
import WeirPackets
import WeirProtocols

/// Which files to read: common to the commands that read captures.
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

/// What to analyse, and as what: common to all commands that analyse.
struct AnalysisOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Analyse only packets that match a BPF expression, as in tcpdump.", valueName: "bpf"))
    var filter: String?

    @Option(
        name: .customLong("decode-as"),
        help: ArgumentHelp(
            """
            Read the flows of a port as a protocol, such as tcp/8554=rtsp; of RTP also what a payload type means, such as \
            udp/5004=rtp:96=H264/90000. Repeatable.
            """, valueName: "rule"))
    var decodeAs: [String] = []

    @Option(
        name: .customLong("sdp"),
        help: ArgumentHelp(
            "Read the ports of this session description as the media that it describes. Repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["sdp"]))
    var descriptions: [String] = []

    @Option(
        help: ArgumentHelp(
            "Octets that tables and buffers may take, such as 512MiB; what was idle longest gives way, and is told.",
            valueName: "octets"))
    var memoryLimit = OctetCount(Limits().memoryOctets)

    @OptionGroup var signaling: SignalingOption

    func validate() throws {
        _ = try captureFilter()
        _ = try analyzerOptions()
    }

    func captureFilter() throws -> CaptureFilter? {
        guard let filter else { return nil }
        do {
            return try CaptureFilter(filter)
        } catch {
            throw ValidationError(plain: "\(error)")
        }
    }

    func analyzerOptions() throws -> AnalyzerOptions {
        var options = AnalyzerOptions()
        options.decodeAs = try Self.distinct(
            try decodeAs.map { ("--decode-as \($0)", [try Self.rule($0)]) }
                + descriptions.map { ("--sdp \($0)", try Self.rules(sdp: $0)) })
        options.limits.memoryOctets = memoryLimit.value
        options.limits[SignalingSettings.self].profile = try signaling.profile()
        return options
    }

    /// All that is said of ports. Of one port only one of the options may say what it is: another would go unheard.
    private static func distinct(
        _ said: [(option: String, rules: [AnalyzerOptions.DecodeAs])]
    ) throws -> [AnalyzerOptions.DecodeAs] {
        var known: [String: String] = [:]
        for (option, rules) in said {
            let places = Set(rules.map { "\($0.transport == .tcp ? "tcp" : "udp")/\($0.port)" })
            for place in places.sorted() {
                if let other = known[place] {
                    throw ValidationError(plain: "Two options say what \(place) is: \(other) and \(option).")
                }
                known[place] = option
            }
        }
        return said.flatMap(\.rules)
    }

    /// What a session description says of its ports.
    private static func rules(sdp file: String) throws -> [AnalyzerOptions.DecodeAs] {
        let text: String
        do throws(TextFile.Fault) {
            text = try TextFile.load(file)
        } catch {
            throw ValidationError(plain: "\(file): \(error)")
        }
        let rules = SessionDescription.decodeAs(text)
        guard !rules.isEmpty else {
            throw ValidationError(plain: "\(file) is no session description with media over RTP.")
        }
        return rules.map { rule in
            var rule = rule
            rule.file = file
            return rule
        }
    }

    /// Payload types and what they mean, such as `96=H264/90000`.
    private static func meanings(_ text: Substring) throws -> [AnalyzerOptions.DecodeAs.Meaning] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2, let number = UInt8(sides[0]), number < 128, isFormat(sides[1]) else {
                throw ValidationError(plain: "'\(part)' is no format of a payload type, such as 96=H264/90000.")
            }
            return AnalyzerOptions.DecodeAs.Meaning(number: number, text: sides[1])
        }
    }

    /// Whether a text names an encoding and its clock rate, which is never 0, and what else it may say.
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
                    "Only of rtp it can be said what its payload types mean, not of \(rule.protocolName).")
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
                    "'\(sides[1])' is no dissector for \(place[0]); there are \(names.joined(separator: ", ")).")
        }
        return AnalyzerOptions.DecodeAs(transport: transport, port: port, protocolName: String(sides[1]))
    }
}
