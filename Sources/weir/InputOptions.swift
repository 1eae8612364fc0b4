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
            throw ValidationError("Standard input can be read only once.")
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
            "Read the flows of a port as a protocol, such as tcp/8554=rtsp. Repeatable.", valueName: "rule"))
    var decodeAs: [String] = []

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
            throw ValidationError("\(error)")
        }
    }

    func analyzerOptions() throws -> AnalyzerOptions {
        var options = AnalyzerOptions()
        options.decodeAs = try decodeAs.map(Self.rule)
        options.limits.memoryOctets = memoryLimit.value
        options.limits[SignalingSettings.self].profile = try signaling.profile()
        return options
    }

    private static func rule(_ text: String) throws -> AnalyzerOptions.DecodeAs {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        let place = sides[0].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, place.count == 2, let port = UInt16(place[1]), ["tcp", "udp"].contains(place[0]) else {
            throw ValidationError("--decode-as takes tcp/PORT=NAME or udp/PORT=NAME, not '\(text)'.")
        }
        let transport = place[0] == "tcp" ? TransportProtocol.tcp : .udp
        let carrier = place[0] == "tcp" ? Carrier.tcp : .udp
        let names = BuiltIn.dissectors.map { $0.descriptor }.filter { $0.carriers.contains(carrier) }.map(\.name)
        guard names.contains(String(sides[1])) else {
            throw ValidationError(
                "'\(sides[1])' is no dissector for \(place[0]); there are \(names.joined(separator: ", ")).")
        }
        return AnalyzerOptions.DecodeAs(transport: transport, port: port, protocolName: String(sides[1]))
    }
}
