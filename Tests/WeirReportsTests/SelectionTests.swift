import CaptureTesting
import Testing
import WeirEngine
import WeirReports

/// `--protocol` selects by the rule's plugin, not by the prefix of its id.
@Suite("Selection") struct SelectionTests {
    /// Returns the rules of a capture's findings, in order, with some protocols selected.
    private func rules(_ capture: String, _ protocols: Set<String>) throws -> [Substring] {
        var options = ReportOptions()
        options.selection.protocols = protocols
        let output = MemoryOutput()
        try WholeAnalysis.run(
            RecordedCaptures.path("Captures/\(capture)"), into: NDJSONReport(options, output: output))
        return output.text.split(separator: "\n").compactMap { line in
            guard let start = line.firstRange(of: #""record":"finding","rule":""#)?.upperBound else { return nil }
            return line[start...].prefix { $0 != "\"" }
        }
    }

    @Test(
        "a finding at the end of an RTMP stream is shown with RTMP",
        arguments: ["rtmp/rtmp-midstream.pcap", "rtmp/rtmp-snaplen.pcap"])
    func carried(capture: String) throws {
        let all = try rules(capture, [])
        #expect(all.contains { $0.hasPrefix("FLV-") })
        #expect(try rules(capture, ["rtmp"]) == all)
        #expect(try rules(capture, ["rtsp"]).isEmpty)
    }
}
