/// Octets that are written now and wanted later: where a report keeps what cannot stand in its place yet.
public protocol ReportSpool: AnyObject {
    /// Takes octets in the order in which they are to appear.
    func append(_ octets: [UInt8])
    /// Hands all of them to an output, and forgets them; the output fails when they cannot be had any more.
    func drain(to output: any ReportOutput)
}

/// A spool in memory, for reports that are known to be small.
public final class MemorySpool: ReportSpool {
    private var octets: [UInt8] = []

    /// Creates an empty one.
    public init() {}

    /// Appends octets.
    public func append(_ octets: [UInt8]) { self.octets += octets }

    /// Hands them on.
    public func drain(to output: any ReportOutput) {
        output.write(octets)
        octets = []
    }
}
