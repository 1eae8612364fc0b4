import NTP
import WeirKit

// Prints the timeline of captures as `weir` does, with support for NTP.

let files = CommandLine.arguments.dropFirst()
if files.isEmpty { print("usage: ntp-timeline FILE…") }
let analysis = Analysis(Array(files), plugins: BuiltIn.plugins + [NTPProtocol.self])
for file in files {
    let output = MemoryOutput()
    let report = TextReport(ReportOptions(plugins: analysis.plugins), output: output)
    // A truncated file still has a timeline.
    do throws(CaptureError) {
        try analysis.run(file, into: report)
    } catch {
        print("ntp-timeline: \(error)")
    }
    report.finish()
    print(output.text, terminator: "")
}
