import CaptureTesting
import WeirEngine
import WeirPackets
import WeirProtocols

/// A scripted RTMP connection, analyzed and judged.
///
/// Each line is something that one side, `C` or `S`, sends:
/// - `C C0 3`, `C C1`, `S S2` are parts of the handshake, optionally followed by `zero=` and four octets in
///   hexadecimal, `time2=` and a number, `fill=zeros`, `own` or `other` instead of an echo, or `short=` and the number
///   of octets sent;
/// - `C 20 0 connect 1 {app=live|tcUrl=…}` is a message: type, message stream, and AMF0 values for types 17, 18 and 20,
///   otherwise octets in hexadecimal, with the suffix `x300` for 300 more. Prefixes are `csid=`, `fmt=`, `ts=`,
///   `basic=` (octets of the basic header), `cut=` (octets of the payload that are sent), `omit` (no extended timestamp
///   in type 3 chunks), `ext` (an extended timestamp in any case), `chunk=` (a chunk size other than announced);
/// - `C raw C9` sends octets that are no message;
/// - `C ack` acknowledges everything sent by the other side; `C ack 5` acknowledges 5 octets.
///
/// `W S 0` is an acknowledgment of the server with a receive window of 0 octets; `+5` advances time by 5 seconds;
/// `FIN C`, `FIN S`, `RST` and `RST S` end the connection; lines with `#` are comments.
struct RTMPScript: Sendable {
    var text: String
    /// Whether the capture starts after the TCP handshake.
    var startsLate = false
    /// Whether only the client's direction (or only the server's) is captured; nil for both.
    var onlyClient: Bool?

    init(_ text: String, startsLate: Bool = false, onlyClient: Bool? = nil) {
        self.text = text
        self.startsLate = startsLate
        self.onlyClient = onlyClient
    }

    /// Returns the connection with parts of the script replaced, or nil if a part does not occur.
    func replacing(_ edits: [(String, String)]) -> RTMPScript? {
        var copy = self
        for (old, new) in edits {
            guard let range = copy.text.firstRange(of: old) else { return nil }
            copy.text.replaceSubrange(range, with: new)
        }
        return copy
    }

    /// Judges the connection.
    func judged(by rules: [any Rule.Type] = BuiltIn.rules) -> Collector {
        let collector = Collector()
        play(into: RuleEngine(rules: rules, sink: collector))
        return collector
    }

    /// Analyzes the connection.
    func play(into sink: any TimelineSink, options: AnalyzerOptions = AnalyzerOptions()) {
        let analyzer = Analyzer(options: options, sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
        var player = RTMPPlayer()
        if !startsLate { player.wire.connect() }
        for line in text.split(separator: "\n") { player.play(line.split(separator: " ").map(String.init)) }
        let packets = player.wire.packets.filter { packet in
            onlyClient.map { packet.octets[12..<16].elementsEqual($0 ? Wire.client : Wire.server) } ?? true
        }
        for (index, packet) in packets.enumerated() {
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds),
                capturedLength: packet.octets.count, originalLength: packet.octets.count, linkType: .raw)
            let octets = packet.octets
            unsafe analyzer.process(Frame(info: info, bytes: octets.span.bytes))
        }
        analyzer.finish()
    }
}

/// Converts the lines of a script to packets.
private struct RTMPPlayer {
    /// The state of one side.
    private struct Side {
        var first: [UInt8] = []
        var chunkSize = 128
        var sent = 0
    }

    var wire = Wire()
    private var client = Side()
    private var server = Side()

    init() { wire.serverPort = 1935 }

    mutating func play(_ words: [String]) {
        guard let head = words.first, !head.hasPrefix("#") else { return }
        switch head {
        case "FIN": wire.close(fromClient: words.last == "C")
        case "RST": wire.recordReset(fromClient: words.last != "S")
        case "W": wire.offer(fromClient: words[1] == "C", window: UInt16(words[2]) ?? 0)
        case "C", "S": say(head == "C", Array(words.dropFirst()))
        default: wire.seconds += Double(head.dropFirst()) ?? 0
        }
    }

    private mutating func say(_ isClient: Bool, _ words: [String]) {
        guard let what = words.first else { return }
        if ["C0", "C1", "C2", "S0", "S1", "S2"].contains(what) {
            send(isClient, part(isClient, what, words.dropFirst()))
        } else if what == "raw" {
            send(isClient, words.dropFirst().flatMap { octets($0) })
        } else if what == "ack" {
            let count = words.dropFirst().first.flatMap { UInt32($0) }
            let octets = big(count ?? UInt32((isClient ? server : client).sent), 4)
            message(isClient, [:], type: 3, stream: 0, octets)
        } else {
            var options: [String: String] = [:]
            var rest = words[...]
            while let word = rest.first, UInt32(word) == nil {
                let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
                options[pair[0]] = pair.count > 1 ? pair[1] : ""
                rest = rest.dropFirst()
            }
            guard rest.count > 1, let type = rest.popFirst().flatMap({ UInt8($0) }),
                let stream = rest.popFirst().flatMap({ UInt32($0) })
            else { return }
            let isAMF = [17, 18, 20].contains(type)
            let payload = isAMF ? rest.flatMap { value($0) } : rest.flatMap { octets($0) }
            message(isClient, options, type: type, stream: stream, type == 17 ? [0] + payload : payload)
            let size = type == 1 ? payload.reduce(0) { $0 << 8 | Int($1) } : 0
            if size > 0 { change(isClient) { $0.chunkSize = size } }
        }
    }

    private mutating func change(_ isClient: Bool, _ body: (inout Side) -> Void) {
        if isClient { body(&client) } else { body(&server) }
    }

    private mutating func send(_ isClient: Bool, _ octets: [UInt8]) {
        change(isClient) { $0.sent += octets.count }
        wire.send(fromClient: isClient, octets)
    }

    // MARK: - Handshake

    private mutating func part(_ isClient: Bool, _ name: String, _ words: ArraySlice<String>) -> [UInt8] {
        func option(_ key: String) -> String? {
            words.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        if name.last == "0" { return [words.first.flatMap { UInt8($0) } ?? 3] }
        var part: [UInt8]
        if name.last == "1" {
            var seed: UInt64 = isClient ? 77 : 99
            let random = (0..<1_528).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: seed >> 33)
            }
            let field = option("zero").map { octets($0) } ?? [0, 0, 0, 0]
            let filling = words.contains("fill=zeros") ? [UInt8](repeating: 0, count: 1_528) : random
            part = big(isClient ? 5 : 7, 4) + field + filling
            change(isClient) { $0.first = part }
        } else {
            part =
                words.contains("own")
                ? (isClient ? client.first : server.first) : isClient ? server.first : client.first
            if words.contains("other") { part = part.map { ~$0 } }
            part.replaceSubrange(4..<8, with: big(option("time2").flatMap { UInt32($0) } ?? 12, 4))
        }
        return Array(part.prefix(option("short").flatMap { Int($0) } ?? part.count))
    }

    // MARK: - Messages

    private mutating func message(
        _ isClient: Bool, _ options: [String: String], type: UInt8, stream: UInt32, _ payload: [UInt8]
    ) {
        let format = UInt8(options["fmt"] ?? "0") ?? 0
        let time = UInt32(options["ts"] ?? "0") ?? 0
        let id = Int(options["csid"] ?? "") ?? ([1, 2, 3, 4, 5, 6].contains(type) ? 2 : 3)
        let isExtended = time >= 0xFF_FFFF || options["ext"] != nil
        var octets = basic(format, id, octets: Int(options["basic"] ?? "") ?? (id < 64 ? 1 : 2))
        if format < 3 { octets += big(isExtended ? 0xFF_FFFF : time, 3) }
        if format < 2 { octets += big(UInt32(payload.count), 3) + [type] }
        if format == 0 { octets += big(stream, 4).reversed() }
        let extended = isExtended && format < 3 ? big(time, 4) : []
        octets += extended
        let chunkSize = Int(options["chunk"] ?? "") ?? (isClient ? client : server).chunkSize
        let sent = payload.prefix(Int(options["cut"] ?? "") ?? payload.count)
        for start in stride(from: 0, to: max(1, sent.count), by: chunkSize) {
            if start > 0 { octets += basic(3, id, octets: id < 64 ? 1 : 2) + (options["omit"] == nil ? extended : []) }
            octets += sent.dropFirst(start).prefix(chunkSize)
        }
        send(isClient, octets)
    }

    private func basic(_ format: UInt8, _ id: Int, octets: Int) -> [UInt8] {
        switch octets {
        case 1: [format << 6 | UInt8(id)]
        case 2: [format << 6, UInt8(id - 64)]
        default: [format << 6 | 1, UInt8((id - 64) & 0xFF), UInt8((id - 64) >> 8)]
        }
    }

    private func value(_ word: String) -> [UInt8] {
        switch word {
        case "null": return [5]
        case "true": return [1, 1]
        case "false": return [1, 0]
        case _ where word.hasPrefix("{"):
            let members = word.dropFirst().dropLast().split(separator: "|").flatMap { member -> [UInt8] in
                let pair = member.split(separator: "=", maxSplits: 1).map(String.init)
                return big(UInt32(pair[0].utf8.count), 2) + pair[0].utf8 + value(pair.count > 1 ? pair[1] : "")
            }
            return [3] + members + [0, 0, 9]
        default:
            if let number = Double(word) {
                return [0] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
            }
            return [2] + big(UInt32(word.utf8.count), 2) + word.utf8
        }
    }

    private func octets(_ word: String) -> [UInt8] {
        let parts = word.split(separator: "x", omittingEmptySubsequences: false)
        let digits = Array(parts[0])
        let octets = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        return octets + [UInt8](repeating: 0x55, count: parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    }

    private func big(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (UInt32($0) * 8)) }
    }
}
