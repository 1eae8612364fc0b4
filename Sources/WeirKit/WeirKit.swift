/// Everything that a program needs to analyse captures, or to add a protocol of its own.
@_exported import WeirCapture
@_exported import WeirEngine
@_exported import WeirPackets
@_exported import WeirProtocols
@_exported import WeirReports

extension ReportOptions {
    /// The defaults, with the words of the built-in protocols.
    public init() {
        self.init(plugins: BuiltIn.plugins)
    }
}
