/// Everything that a program needs to analyze captures, or to add a protocol of its own.
@_exported import WeirCapture
@_exported import WeirEngine
@_exported import WeirPackets
@_exported import WeirProtocols
@_exported import WeirReports

extension ReportOptions {
    /// Creates default options with the message catalogs of the built-in protocols.
    public init() {
        self.init(plugins: BuiltIn.plugins)
    }
}
