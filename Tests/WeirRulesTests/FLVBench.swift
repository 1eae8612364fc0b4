import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

/// A publisher's RTMP connection assembled from messages, analyzed and judged.
struct FLVBench {
    private var wire = Wire()
    private var timestamp: UInt32 = 0

    init() {
        wire.connect()
        let handshake = [3] + [UInt8](repeating: 0, count: 8) + (0..<1_528).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        wire.send(fromClient: true, handshake)
        wire.send(fromClient: false, handshake + handshake.dropFirst())
        wire.send(fromClient: true, Array(handshake.dropFirst()))
        send(1, Self.hex("00 01 00 00"), stream: 0)
    }

    /// Adds a message in one chunk; time advances by 40 ms unless `at` is given.
    mutating func send(
        _ type: UInt8, _ payload: [UInt8], stream: UInt8 = 1, fromClient: Bool = true, at time: UInt32? = nil
    ) {
        if let time { timestamp = time } else if type == 8 || type == 9 { timestamp &+= 40 }
        let length = payload.count
        let csid: UInt8 = type == 8 ? 4 : type == 9 ? 6 : type < 8 ? 2 : 3
        let stamp = type == 8 || type == 9 ? timestamp : 0
        wire.send(
            fromClient: fromClient,
            [csid, UInt8(stamp >> 16 & 255), UInt8(stamp >> 8 & 255), UInt8(stamp & 255)]
                + [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, stream, 0, 0, 0] + payload)
    }

    /// Lets time pass.
    mutating func pass(seconds: Double) { wire.seconds += seconds }

    /// Adds an audio message whose 24-bit delta is negative.
    mutating func back() {
        let header: [UInt8] = [0x44, 0xFF, 0xFF, 0xF0, 0, 0, 3, 8]
        wire.send(fromClient: true, header + Self.hex("AF01AA"))
    }

    /// Adds a gap of octets that are not captured.
    mutating func lose(_ octets: Int) { wire.lose(fromClient: true, octets: octets) }

    /// Adds the client's `connect`, with additional octets in its object.
    mutating func connect(_ members: [UInt8] = []) {
        let object = [3] + Self.name("app") + Self.string("live") + members + [0, 0, 9]
        send(20, Self.string("connect") + Self.number(1) + object, stream: 0)
    }

    /// Adds a publisher's metadata.
    mutating func metadata(_ members: [UInt8] = [], isForServer: Bool = true) {
        let name = (isForServer ? Self.string("@setDataFrame") : []) + Self.string("onMetaData")
        send(18, name + [8, 0, 0, 0, 0] + members + [0, 0, 9])
    }

    /// Ends the connection and returns the findings.
    func judged() -> Collector {
        let collector = Collector()
        play(into: RuleEngine(rules: FLVRules.all, sink: collector))
        return collector
    }

    /// Analyzes the connection to its end.
    func play(into sink: any TimelineSink, options: AnalyzerOptions = AnalyzerOptions()) {
        var wire = wire
        wire.close()
        let analyzer = Analyzer(options: options, sink: sink)
        analyzer.begin(CaptureRecord(file: "test", format: "pcap", linkTypes: [.raw], snapLength: nil))
        for (index, packet) in wire.packets.enumerated() {
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds),
                capturedLength: packet.octets.count, originalLength: packet.octets.count, linkType: .raw)
            let octets = packet.octets
            unsafe analyzer.process(Frame(info: info, bytes: octets.span.bytes))
        }
        analyzer.finish()
    }

    static func name(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }
    static func string(_ text: String) -> [UInt8] { [2] + name(text) }
    static func number(_ value: Double) -> [UInt8] {
        [0] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) }
    }
    static func hex(_ text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// A way to break a rule of AMF or FLV, or to keep it.
struct FLVCase: Sendable, CustomTestStringConvertible {
    var rule: String
    var said: [String]
    var build: @Sendable (inout FLVBench) -> Void

    init(_ rule: String, _ said: String..., build: @escaping @Sendable (inout FLVBench) -> Void) {
        self.rule = rule
        self.said = said.map { line in
            var words = line.split(separator: " ").map(String.init)
            if !words[1].contains(".") { words[1] = "\(rule).\(words[1])" }
            return words.joined(separator: " ")
        }
        self.build = build
    }

    var testDescription: String { "\(rule): \(said.joined(separator: ", "))" }
}

// Messages that keep every rule.

extension FLVBench {
    /// H.264 High 1, 160×120, from ffmpeg.
    static let avc = hex(
        "17 00 000000 014D401E FF E1 0023 674D401E965605017FCB80B5010101400000FA00003A983800007A10000F425BBCB828 01 0004 68EE3C80"
    )
    static let aac = hex("AF 00 1210")
    static let key = hex("17 01 000000 00000002 09F0 00000003 65AABB")
    static let inter = hex("27 01 000000 00000003 41AABB")
    static let sound = hex("AF 01 AABBCC")
    static let hevc = hex(
        "1C 00 000000 0101400000009000000000007BF000FCFDF8F800000F03A00001001740010C01FFFF0140000003009000000300000300"
            + "7BAC09A10001003D42010101400000030090000003000003007BA003C0801107CB96B4A42592E3016A02020208000003000800000301"
            + "E3002EF2880002625A00001312D020A20001000744C401C0F7C0CC90")

    /// connect, metadata, sequence headers.
    static func begun() -> FLVBench {
        var bench = FLVBench()
        bench.connect()
        bench.metadata(
            name("width") + number(640) + name("height") + number(360) + name("videocodecid") + number(7)
                + name("audiosamplerate") + number(44_100) + name("stereo") + [1, 1])
        bench.send(9, avc)
        bench.send(8, aac)
        return bench
    }

    mutating func frames() {
        send(9, Self.key)
        send(8, Self.sound)
        send(9, Self.inter)
        send(8, Self.sound)
    }
}

// Messages of several tracks.

extension FLVBench {
    /// The AVCDecoderConfigurationRecord of `avc`.
    static func record(lengthOctets: UInt8 = 4) -> [UInt8] {
        var record = Array(avc.dropFirst(5))
        record[4] = 0xFC | (lengthOctets - 1)
        return record
    }

    /// A key frame, or sequence headers, of H.264 tracks with the numbers 0, 1, …: packet type, and each track's data.
    static func tracks(_ packetType: UInt8, isKey: Bool = true, _ data: [UInt8]...) -> [UInt8] {
        var octets = hex(isKey ? "96" : "A6") + [0x10 | packetType] + hex("61766331")
        for (index, track) in data.enumerated() {
            octets += [UInt8(index), 0, UInt8(track.count >> 8), UInt8(track.count & 0xFF)] + track
        }
        return octets
    }
}
