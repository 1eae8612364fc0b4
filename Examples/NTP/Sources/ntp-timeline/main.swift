import NTP
import WeirKit

// Prints the timeline of captures, as `weir` does, but knowing NTP.

let files = CommandLine.arguments.dropFirst()
if files.isEmpty { print("usage: ntp-timeline FILE…") }
for file in files {
    let output = MemoryOutput()
    let report = TextReport(ReportOptions(), output: output)
    let clocks = ClockOffsets(Judge(rules: BuiltIn.rules, sink: report))
    let analyzer = Analyzer(plugins: BuiltIn.plugins + [NTPProtocol.self], sink: clocks)
    do throws(CaptureError) {
        var capture = try CaptureFile(file)
        analyzer.begin(
            CaptureRecord(
                file: file, format: capture.format.rawValue, linkTypes: capture.linkTypes,
                snapLength: capture.snapLengths.first))
        while let frame = try capture.next() { analyzer.process(frame) }
        analyzer.finish()
    } catch {
        // What was read before the damage is still a timeline.
        analyzer.finish(damage: Damage(file: file, frame: error.frame ?? 1, offset: error.offset, reason: error.reason))
    }
    report.finish()
    print(output.text, terminator: "")
    for line in clocks.lines { print(line) }
}
