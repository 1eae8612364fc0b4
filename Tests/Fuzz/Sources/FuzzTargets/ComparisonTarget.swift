import WeirComparison
import WeirEngine
import WeirPackets

extension FuzzTarget {
    /// Compares captures: all frames with themselves, and with those that remain if the first octet of a frame is used
    /// to drop, delay and change some.
    static func comparison(_ octets: [UInt8]) -> String? {
        let frames = pieces(octets).map(Array.init)
        let whole = read(frames) { index in Int64(index) &* 7_000_000 }
        let part = read(frames.enumerated().filter { $0.offset % 5 != 3 }.map(\.element)) { index in
            // Times of hostile captures may be anything.
            octets.first.map {
                $0 & 1 == 0 ? Int64(index) &* 9_000_000 : Int64.max &- Int64(index) &* Int64($0) &* 1 << 50
            } ?? 0
        }
        for (one, other, isSelf) in [(whole, whole, true), (whole, part, false), (part, whole, false)] {
            for mode in Comparison.Mode.allCases {
                let comparison = Comparison(one, other, mode: mode)
                for format in ComparisonReport.Format.allCases {
                    let report = ComparisonReport(.english).write(comparison, as: format, version: "fuzz")
                    if report.contains(where: { $0 < 0x20 && $0 != 0x0A }) { return "a control character" }
                }
                if mode == .runs, isSelf, comparison.isDifferent { return "a run differs from itself" }
            }
        }
        return nil
    }

    private static func read(_ frames: [[UInt8]], _ time: (Int) -> Int64) -> ComparedCapture {
        let reader = ComparedCaptureReader(
            CaptureRecord(file: "fuzz", format: "pcap", linkTypes: [.ethernet], snapLength: nil))
        for (index, frame) in frames.enumerated() {
            let info = FrameInfo(
                number: index + 1, time: Timestamp(nanoseconds: time(index)), capturedLength: frame.count,
                originalLength: frame.count, linkType: .ethernet)
            reader.add(Frame(info: info, bytes: frame.rawSpan))
        }
        return reader.finish()
    }
}
