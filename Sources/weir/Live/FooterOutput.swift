import WeirReports

/// Writes the timeline, and clears the footer first, since both may share a terminal.
final class FooterOutput: ReportOutput {
    private let output: FileOutput
    private let footer: LiveFooter

    init(_ output: FileOutput, _ footer: LiveFooter) {
        self.output = output
        self.footer = footer
    }

    func write(_ octets: [UInt8]) {
        footer.clear()
        output.write(octets)
    }

    func fail(_ reason: any Error) { output.fail(reason) }
}
