import ArgumentParser
import CProcess
import WeirKit
import WeirReports

/// The output format of the conformance report.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, junit, sarif, markdown, github, html
}

/// The reports of a check, and their output files.
struct CheckReports {
    private(set) var reports: [any Report] = []
    private(set) var outputs: [FileOutput] = []
    private let options: ReportOptions
    private let details: VerdictOptions
    private let maxEvents: Int

    /// - Parameter files: Maps capture names to the files they are stored in, where these differ.
    init(_ show: OutputOptions, withCoverage: Bool, files: [String: String] = [:]) throws {
        options = try show.reportOptions()
        maxEvents = show.maxEvents
        var details = VerdictOptions()
        details.page = show.page()
        details.withCoverage = withCoverage
        details.paths = Checkout.paths
        details.paths.files = files
        details.version = Version.number
        self.details = details
    }

    /// Adds a report to a file.
    mutating func add(_ format: CheckFormat, to file: String) throws(ExitCode) {
        let output = try FileOutput(file)
        outputs.append(output)
        add(format, output)
    }

    /// Adds a report to an existing output.
    mutating func add(_ format: CheckFormat, _ output: FileOutput) {
        switch format {
        case .json:
            reports.append(
                JSONReport(
                    options, version: Version.number, withTallies: true, withCoverage: details.withCoverage,
                    output: output, spool: { FileSpool() }))
        case .html:
            reports.append(
                HTMLReport(
                    options, maxEvents: maxEvents, version: Version.number, output: output, spool: FileSpool()))
        case .text: verdict(.text, output)
        case .junit: verdict(.junit, output)
        case .sarif: verdict(.sarif, output)
        case .markdown: verdict(.markdown, output)
        case .github: verdict(.github, output)
        }
    }

    private mutating func verdict(_ format: VerdictReport.Format, _ output: FileOutput) {
        var details = details
        // Color and width apply to a terminal only.
        if output.name != "-" { details.page = TextReport.Page() }
        reports.append(VerdictReport(format, options, details, output: output))
    }

    /// Closes all files.
    func close() throws(ExitCode) {
        var failure: ExitCode?
        for output in outputs {
            do throws(ExitCode) {
                try output.close()
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
