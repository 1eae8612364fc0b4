import CaptureTesting
import Testing
import WeirEngine
@testable import WeirKit
import WeirPackets
import WeirProtocols

/// MPEG transport streams directly in UDP.
@Suite("Transport streams in UDP") struct TransportStreamTests {
    private static let captures = ["rtp/mpegts-udp", "rtp/mpegts-udp-multicast"]

    private func analyzed(
        _ name: String, _ change: (inout [KeptFrame]) throws -> Void = { _ in }
    ) throws -> AnalysisResult {
        var frames = try KeptFrame.read(RecordedCaptures.path("Captures/\(name).pcap"))
        try change(&frames)
        let collector = ResultCollector(plugins: BuiltIn.plugins)
        let analyzer = Analyzer(sink: RuleEngine(rules: BuiltIn.rules, of: BuiltIn.plugins, sink: collector))
        analyzer.begin(CaptureRecord(file: name, format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for frame in frames { frame.use { analyzer.process($0) } }
        analyzer.finish()
        return collector.result
    }

    private func failed(_ result: AnalysisResult, _ rule: String) -> [Finding] {
        result.findings.filter { $0.rule == rule && $0.verdict == .fail }
    }

    @Test("are streams of their own, with their programs", arguments: captures)
    func stream(_ name: String) throws {
        let result = try analyzed(name)
        let stream = try #require(result.streams.first)
        #expect(result.streams.count == 1 && stream.kind == "mpegts" && stream.encoding == "MP2T")
        let fields = stream.details.fields(.masked)
        let datagrams = try #require(result.flows.last { $0.found == ["mpegts"] }).packets.clientToServer
        #expect(datagrams > 30 && fields.contains { $0.name == "packets" && "\($0.value)".contains("\(datagrams)") })
        #expect(fields.contains { $0.name == "transportPackets" })
        #expect(stream.details.summary.contains("program 1: H264, AAC"))
        #expect(result.events.map(\.message.kind) == ["start", "end"])
        #expect(failed(result, "TS-CC").isEmpty && failed(result, "TS-SYNC").isEmpty)
        #expect(result.tallies.first?.first { $0.rule == "TS-CC" }?.pass == 1)
    }

    @Test("with a missing datagram are detected by their counters, at the next datagram")
    func missing() throws {
        let result = try analyzed("rtp/mpegts-udp") { $0.remove(at: 20) }
        let found = failed(result, "TS-CC")
        #expect(found.count == 1 && found.first?.frame == 22)
        #expect(found.first.map { result.sentence($0.message).contains("missing") } == true)
        let line = try #require(result.streams.first).details.summary
        #expect(line.contains(/continuity errors in (1 datagram|[2-9] datagrams)\b/), "\(line)")
    }

    @Test("with a missing datagram are not reported as late")
    func notLate() throws {
        for place in stride(from: 5, to: 60, by: 2) {
            let result = try analyzed("rtp/mpegts-udp") { $0.remove(at: place) }
            for rule in ["TS-PCR", "TS-PTS", "TS-PAT", "TS-PMT", "TS-CRC"] {
                #expect(failed(result, rule).isEmpty, "\(rule) without frame \(place + 1)")
            }
        }
    }

    @Test("with a wrong sync byte are reported, once per datagram", arguments: [true, false])
    func sync(_ isAgain: Bool) throws {
        let result = try analyzed("rtp/mpegts-udp") { frames in
            // After Ethernet, IPv4 and UDP.
            frames[20].octets[42 + 188] = 0x48
            if isAgain { frames[20].octets[42 + 376] = 0x48 }
        }
        let found = failed(result, "TS-SYNC")
        #expect(found.count == 1 && found.first?.frame == 21)
    }

    /// Returns a member of the streams of programs and of other PIDs, by PID.
    private func members(_ name: String, _ result: AnalysisResult) throws -> [Int: FieldValue] {
        var found: [Int: FieldValue] = [:]
        func add(_ value: FieldValue) {
            if let pid = value["pid"]?.number { found[Int(pid)] = value[name] }
            for member in value["streams"]?.items ?? [] { add(member) }
        }
        let fields = FieldValue.object(try #require(result.streams.first).details.fields(.masked))
        for list in ["programs", "pids"] { (fields[list]?.items ?? []).forEach(add) }
        return found
    }

    @Test("have the names of services and network, and figures of each PID")
    func services() throws {
        let result = try analyzed("rtp/mpegts-services")
        let fields = FieldValue.object(try #require(result.streams.first).details.fields(.masked))
        let programs = fields["programs"]?.items ?? []
        #expect(programs.compactMap { $0["service"]?.words } == ["First", "Zürich"])
        #expect(programs.compactMap { $0["provider"]?.words } == ["Weir", "Weir"])
        // tshark counts the same packets.
        let packets = try members("packets", result).compactMapValues(\.number)
        #expect(packets == [0: 34, 16: 7, 17: 7, 256: 273, 257: 74, 258: 247, 259: 74, 4096: 34, 4097: 34])
        let whole = try #require(fields["multiplex"])
        #expect(whole["nullPackets"]?.number == 93 && whole["continuityErrors"]?.number == 0)
        #expect(whole["transportStreamId"]?.number == 7)
        // The multiplexer was asked for 420 kbit/s.
        #expect(390_000...450_000 ~= whole["bitrate"]?.number ?? 0)
        let languages = try members("languages", result)
        #expect(languages[257]?.items?.first?.words == "eng" && languages[259]?.items?.first?.words == "deu")
        let clock = try #require(programs.first?["pcr"])
        // ffmpeg sends a PCR every 20 ms, which is exact at its constant bit rate.
        #expect(15...25 ~= clock["intervalMs"]?["mean"]?.number ?? 0)
        #expect(clock["accuracyNs"]?.number ?? 1_000 < 500)
        let reordering = try members("maxPtsDtsMs", result)
        #expect(40...200 ~= reordering[256]?.number ?? 0 && reordering[257]?.number == 0)
        #expect(try members("aheadOfPcrMs", result)[256]?["min"]?.number ?? -1 > 0)
        #expect(failed(result, "TS-CC").isEmpty && failed(result, "TS-CRC").isEmpty)
    }

    @Test("name subtitles and metadata by their descriptors, which need no timestamps")
    func subtitles() throws {
        let result = try analyzed("rtp/mpegts-subtitles")
        let codecs = try members("codec", result).compactMapValues(\.words)
        #expect(Set(codecs.values) == ["H264", "DVB subtitles", "KLV"])
        #expect(failed(result, "TS-PTS").isEmpty)
        let rows = try #require(result.streams.first?.details.tables.first).rows
        #expect(rows.contains { $0.cells.contains { $0.english.hasPrefix("DVB subtitles") } })
    }

    @Test("count scrambled packets and continuity errors where they are")
    func scrambled() throws {
        let result = try analyzed("rtp/mpegts-services") { frames in
            // The scrambling control of each packet of PID 256, after Ethernet, IPv4 and UDP.
            for index in frames.indices {
                for start in stride(from: 42, to: frames[index].octets.count - 187, by: 188)
                where frames[index].octets[start + 1] & 0x1F == 1 && frames[index].octets[start + 2] == 0 {
                    frames[index].octets[start + 3] |= 0x80
                }
            }
            frames.remove(at: frames.count / 2)
        }
        let scrambled = try members("scrambled", result).compactMapValues(\.number)
        #expect(scrambled.keys.sorted() == [256] && scrambled[256] ?? 0 > 200)
        let errors = try members("continuityErrors", result).compactMapValues(\.number)
        #expect(1...7 ~= errors.values.reduce(0, +) && errors.values.allSatisfy { $0 <= 1 })
        #expect(try members("aheadOfPcrMs", result)[256] == nil)
    }

    @Test("are not recognized in datagrams that only start alike")
    func others() {
        var dialogue = Dialogue(.udp, port: 7_100)
        for number in 0..<30 {
            dialogue.client([0x47] + [UInt8](repeating: UInt8(number), count: 375), after: 0.01)
            dialogue.server(Array("GET / HTTP/1.1\r\n".utf8) + [UInt8](repeating: 0, count: 172), after: 0.01)
        }
        #expect(dialogue.analyzed().streams.isEmpty)
    }
}

extension FieldValue {
    fileprivate subscript(name: String) -> FieldValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
    fileprivate var items: [FieldValue]? {
        guard case .array(let items) = self else { return nil }
        return items
    }
    fileprivate var words: String? {
        guard case .string(let words) = self else { return nil }
        return words
    }
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number), .number(let number): number
        default: nil
        }
    }
}
