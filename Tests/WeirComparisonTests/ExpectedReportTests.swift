import CaptureTesting
import Foundation
import Testing
import WeirComparison

/// Compares reports with those in `Expected`; `WEIR_REWRITE_REPORTS=1` rewrites them. `Scripts/test_diff_schema.py`
/// validates the documents.
@Suite("Expected reports of comparisons")
struct ExpectedReportTests {
    @Test(
        "The reports are as expected",
        arguments: [
            ("places-udp", "diff/rtsp-udp-sender", "diff/rtsp-udp-moved"),
            ("places-tcp", "diff/rtsp-tcp-sender", "diff/rtsp-tcp-receiver"),
            ("runs-rtsp", "rtsp/rtsp-digest", "rtsp/rtsp-wrong-password"),
            ("runs-rtmp", "rtmp/rtmp-publish", "rtmp/rtmp-publish-denied"),
            ("runs-webrtc", "webrtc/webrtc-call", "webrtc/webrtc-wrong-fingerprint"),
        ])
    func expected(_ name: String, _ a: String, _ b: String) throws {
        var (first, second) = (try ComparedCaptures.read(a), try ComparedCaptures.read(b))
        (first.file, second.file) = ("Captures/\(a).pcap", "Captures/\(b).pcap")
        let comparison = Comparison(first, second)
        for (ending, format) in [("txt", ComparisonReport.Format.text), ("json", .json)] {
            let written = String(
                decoding: ComparisonReport().write(comparison, as: format, version: "0"), as: UTF8.self)
            let path = RecordedCaptures.path("Tests/WeirComparisonTests/Expected/\(name).\(ending)")
            if ProcessInfo.processInfo.environment["WEIR_REWRITE_REPORTS"] != nil {
                try written.write(toFile: path, atomically: true, encoding: .utf8)
            }
            let expected = try String(contentsOfFile: path, encoding: .utf8)
            #expect(written == expected, "\(name).\(ending) differs")
        }
    }
}
