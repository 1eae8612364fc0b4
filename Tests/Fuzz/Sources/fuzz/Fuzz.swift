import Foundation
import FuzzReaders
import WeirCapture

/// Mutates the project's captures and passes the result to every reader.
///
///     swift run -c release fuzz [--seconds N] [--seed N] [--target NAME] [CAPTURE …]
///     swift run -c release fuzz --replay FILE …
///     swift run -c release fuzz --targets | --seeds FOLDER [--target NAME]   for Scripts/fuzz
///
/// Each input is written to `FailCases/TARGET-last` before it is read, so that it remains after a crash or a hang (an
/// alarm ends the program after ten seconds).
@main
struct Fuzz {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--replay" { exit(replay(Array(arguments.dropFirst())) ? 0 : 1) }
        if arguments.first == "--targets" {
            print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
            return
        }
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let seconds = option("--seconds").flatMap(Double.init) ?? 60
        let seed = option("--seed").flatMap(UInt64.init) ?? 1
        let targets = option("--target").map { name in FuzzTarget.allCases.filter { $0.rawValue == name } }
        let folder = option("--seeds")
        let rtsp = try Corpus(arguments.isEmpty ? captures(of: "rtsp") : arguments)
        let rtmp = try Corpus(arguments.isEmpty ? captures(of: "rtmp") : arguments)
        let http = try Corpus(arguments.isEmpty ? captures(of: "http") : arguments)
        let webrtc = try Corpus(arguments.isEmpty ? captures(of: "webrtc") : arguments)
        let srt = try Corpus(arguments.isEmpty ? captures(of: "srt") : arguments)
        let chosen = targets ?? FuzzTarget.allCases
        guard !chosen.isEmpty else { throw Failure(description: "no such target") }
        for target in chosen {
            let seeds =
                switch target {
                case .frames, .comparison, .redaction: rtsp.captures + rtmp.captures + webrtc.captures
                case .capture: rtsp.files + rtmp.files
                case .rtsp, .httpTunnel, .sdp, .tls, .tlsSecrets: rtsp.streams
                case .keyLog: Messages.keyLogs
                case .http, .webSocket, .deflate: http.streams
                case .rtmp, .rtmpt: rtmp.streams
                case .rtmpMessages: Messages.seeds
                case .rtcp, .rtp, .payload: rtsp.datagrams
                case .signaling, .json: webrtc.streams
                case .peers: webrtc.datagrams + webrtc.streams
                case .srt: srt.datagrams
                case .srtpKeys: [Array("0x5ec0de00 AES_CM_128_HMAC_SHA1_80 000102030405060708090a0b0c0d0e0f\n".utf8)]
                case .dtls, .extract, .transportStream, .srtp:
                    (target == .dtls ? webrtc : rtsp).datagrams.chunked(8).map { $0.flatMap { Self.piece($0) } }
                case .dtlsSecrets:
                    webrtc.datagrams.chunked(8).enumerated().map { index, datagrams in
                        [UInt8(index & 255)] + datagrams.flatMap { Self.piece($0) }
                    }
                case .segments: rtsp.streams.map { [0x1F, 0x88, 0x25, 0x9A, 0x45, 0x0F, 0x95, 0x1C] + $0 }
                }
            if let folder {
                try write(seeds, of: target, to: URL(fileURLWithPath: folder))
                continue
            }
            try run(target, seeds, seed, seconds / Double(chosen.count))
        }
    }

    private static func piece(_ octets: [UInt8]) -> [UInt8] {
        [UInt8(octets.count >> 8 & 255), UInt8(octets.count & 255)] + octets
    }

    /// Writes the seeds to a folder named after the target, for a guided fuzzer.
    private static func write(_ seeds: [[UInt8]], of target: FuzzTarget, to folder: URL) throws {
        let place = folder.appendingPathComponent(target.rawValue)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (index, seed) in seeds.enumerated().prefix(200) {
            try Data(seed.prefix(8_192)).write(to: place.appendingPathComponent("seed-\(index)"))
        }
    }

    private static func captures(of protocolName: String) throws -> [String] {
        let captures = folder.appendingPathComponent("../../Captures/\(protocolName)")
        return try FileManager.default.contentsOfDirectory(atPath: captures.path).sorted()
            .filter { $0.hasSuffix(".pcap") }.map { captures.appendingPathComponent($0).path }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static func run(_ target: FuzzTarget, _ seeds: [[UInt8]], _ seed: UInt64, _ seconds: Double) throws {
        let cases = folder.appendingPathComponent("FailCases")
        try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: true)
        let file = cases.appendingPathComponent("\(target.rawValue)-last")
        try Data().write(to: file)
        let last = try FileHandle(forWritingTo: file)
        var random = Random(state: seed)
        let end = Date(timeIntervalSinceNow: seconds)
        var count = 0
        var slowest = 0.0
        while Date() < end {
            let other = seeds.randomElement(using: &random) ?? []
            let input = (seeds.randomElement(using: &random) ?? []).mutated(other, &random)
            try last.seek(toOffset: 0)
            try last.write(contentsOf: input)
            try last.truncate(atOffset: UInt64(input.count))
            let start = Date()
            // The alarm ends a hanging reader; its input remains in the file.
            alarm(10)
            if let broken = target.read(input) {
                throw Failure(description: "\(target.rawValue): \(broken): \(file.path)")
            }
            alarm(0)
            slowest = max(slowest, Date().timeIntervalSince(start))
            count += 1
        }
        try FileManager.default.removeItem(at: file)
        print("\(target.rawValue): \(count) inputs, slowest \(Int(slowest * 1000)) ms")
    }

    /// Reads fail cases again; the prefix of the file name is the target.
    private static func replay(_ files: [String]) -> Bool {
        var isSound = true
        for file in files {
            let name = URL(fileURLWithPath: file).lastPathComponent
            guard let target = FuzzTarget.allCases.first(where: { name.hasPrefix($0.rawValue + "-") }),
                let input = try? Data(contentsOf: URL(fileURLWithPath: file))
            else {
                print("\(file): no target of that name, or no file")
                isSound = false
                continue
            }
            print("\(name): \(target.read(Array(input)) ?? "sound")")
        }
        return isSound
    }
}
