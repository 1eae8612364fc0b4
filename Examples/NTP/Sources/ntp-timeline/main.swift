import NTP
import WeirKit

// Prints the timeline of captures, as `weir` does, but knowing NTP.

let files = CommandLine.arguments.dropFirst()
if files.isEmpty { print("usage: ntp-timeline FILE…") }
let analysis = Analysis(Array(files), plugins: BuiltIn.plugins + [NTPProtocol.self])
for file in files {
    let output = MemoryOutput()
    let report = TextReport(ReportOptions(plugins: analysis.plugins), output: output)
    // What was read before a file breaks off is still a timeline.
    do throws(CaptureError) {
        try analysis.run(file, into: report)
    } catch {
        print("ntp-timeline: \(error)")
    }
    report.finish()
    print(output.text, terminator: "")
}
