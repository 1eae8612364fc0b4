import Foundation
import Testing
import WeirCapture

/// The writer sends the next piece only after the reader has delivered the frame that the previous piece completed: a
/// reader that waits for more data than it needs would block.
@Suite("Pipes", .serialized, .timeLimit(.minutes(1)))
struct PipeTests {
    /// Frames with times an hour apart, so that looking ahead at the next time would have an effect.
    private static func pieces(_ kind: String) -> [[UInt8]] {
        let frames = (0..<5).map { [UInt8](repeating: UInt8($0), count: 100) }
        switch kind {
        case "pcapng":
            var file = CaptureBytes()
            file.section()
            file.interface()
            return frames.map { frame in
                file.enhanced(frame, units: UInt64(frame[0]) * 3_600_000_000)
                defer { file.octets = [] }
                return file.octets
            }
        default:
            var file = CaptureBytes.pcap()
            let plain = frames.map { frame in
                file.record(frame, seconds: 1_700_000_000 + UInt32(frame[0]) * 3_600)
                defer { file.octets = [] }
                return file.octets
            }
            return kind == "pcap" ? plain : plain.map { CompressionTests.compress($0, kind == "gzip" ? .gzip : .zstd) }
        }
    }

    @Test("frames that have arrived are delivered without delay", arguments: ["pcap", "pcapng", "gzip", "zstd"])
    func slowWriter(kind: String) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("weir-\(UUID().uuidString)").path
        let made = unsafe mkfifo(path, 0o600)
        #expect(made == 0)
        defer { unsafe _ = unlink(path) }
        let delivered = DispatchSemaphore(value: 0)
        let pieces = Self.pieces(kind)
        let writer = Thread {
            let descriptor = unsafe open(path, O_WRONLY)
            for piece in pieces {
                guard unsafe write(descriptor, piece, piece.count) == piece.count,
                    delivered.wait(timeout: .now() + 5) == .success
                else { break }
            }
            close(descriptor)
        }
        writer.start()
        var file = try CaptureFile(path)
        var octets: [UInt8] = []
        while let frame = try file.next() {
            octets.append(Copied(frame).octets[0])
            delivered.signal()
        }
        #expect(octets == [0, 1, 2, 3, 4])
        #expect(file.size == nil)
    }

    @Test("standard input, fed octet by octet", arguments: ["pcap", "pcapng", "gzip", "zstd"])
    func standardInput(kind: String) throws {
        var ends: [Int32] = [-1, -1]
        let made = unsafe pipe(&ends)
        #expect(made == 0)
        let saved = dup(STDIN_FILENO)
        dup2(ends[0], STDIN_FILENO)
        close(ends[0])
        defer {
            dup2(saved, STDIN_FILENO)
            close(saved)
        }
        let octets = Self.pieces(kind).flatMap { $0 }
        let end = ends[1]
        let writer = Thread {
            for octet in octets { unsafe _ = write(end, [octet], 1) }
            close(end)
        }
        writer.start()
        let outcome = Outcome(reading: "-")
        #expect(outcome.error == nil)
        #expect(outcome.frames.map(\.octets) == (0..<5).map { [UInt8](repeating: UInt8($0), count: 100) })
        #expect(outcome.octetsRead == octets.count)
        #expect(outcome.size == nil)
    }
}
