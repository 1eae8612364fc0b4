import CaptureTesting
import Testing
@testable import WeirEngine
@testable import WeirKit
@testable import WeirProtocols

/// Video with gradual refresh: recovery points, and no key frame but the first.
@Suite("Loss in streams with recovery points") struct RefreshTests {
    /// Twelve seconds of H.264 at 25 pictures per second, one packet each, without the packet of one picture.
    private static func stream(without lost: Int, refreshedEach distance: Int?) throws -> MediaStream {
        var media = MadeMedia()
        var sequence = 0
        for picture in 0..<300 {
            func send(_ unit: [UInt8], ends: Bool = true) {
                if picture != lost || !ends {
                    media.media(
                        at: Double(picture) * 0.04, sequence, timestamp: picture * 3_600, type: 96, marker: ends, unit)
                }
                sequence += 1
            }
            // The recovery point is 25 pictures later (H.264 §D.1.7).
            if let distance, picture % distance == 0, picture > 0 {
                send([0x06, 0x06, 2, 0x0D, 0x40, 0x80], ends: false)
            }
            // An IDR picture, then P slices that start at the first macroblock.
            send((picture == 0 ? [0x65, 0x88] : [0x41, 0x9A]) + [UInt8](repeating: 0x5A, count: 80))
        }
        var options = AnalyzerOptions()
        options.decodeAs = [
            AnalyzerOptions.DecodeAs(
                transport: .udp, port: 6_000, protocolName: "rtp", meanings: [.init(number: 96, text: "H264/90000")])
        ]
        let result = EditedCalls.analyzed(media.frames, options)
        return try #require(result.streams.first?.details as? RTPStreamDetails).stream
    }

    @Test("damage lasts until a refresh that started after the loss is complete")
    func refreshed() throws {
        // Lost at 2.4 s: the refresh that starts at 4 s is complete at 5 s. A refresh already in progress does not
        // repair the loss.
        let found = try Self.stream(without: 60, refreshedEach: 50).integrity
        #expect(found.absent == 1 && found.freezes == 1)
        #expect(found.periods.map { $0.end.nanoseconds - $0.start.nanoseconds } == [found.frozen])
        #expect((2.5...2.8).contains(Double(found.frozen) / 1e9), "\(found.frozen)")
        #expect((60...66).contains(found.undecodable), "\(found.undecodable)")
    }

    @Test("damage lasts to the end if no refresh follows or the stream ends before")
    func unhealed() throws {
        let never = try Self.stream(without: 60, refreshedEach: nil).integrity
        #expect((9.4...9.7).contains(Double(never.frozen) / 1e9), "\(never.frozen)")
        // The refresh that starts at 11.6 s would be complete at 12.6 s.
        let late = try Self.stream(without: 280, refreshedEach: 145).integrity
        #expect((0.7...0.85).contains(Double(late.frozen) / 1e9), "\(late.frozen)")
        #expect(late.undecodable <= 20)
    }
}
