/// Octets that are written now and wanted later: where a report keeps what cannot stand in its place yet.
public protocol ReportSpool: AnyObject {
    /// Octets that were appended.
    var count: Int { get }
    /// Takes octets in the order in which they are to appear.
    func append(_ octets: [UInt8])
    /// Octets that were appended, by their positions; throws when they cannot be read back.
    func octets(in range: Range<Int>) throws -> [UInt8]
    /// Hands all of them to an output, and forgets them; the output fails when they cannot be read back.
    func drain(to output: any ReportOutput)
}

/// A spool in memory, for reports that are known to be small.
public final class MemorySpool: ReportSpool {
    private var octets: [UInt8] = []

    /// Creates an empty one.
    public init() {}

    /// Octets that were appended.
    public var count: Int { octets.count }

    /// Appends octets.
    public func append(_ octets: [UInt8]) { self.octets += octets }

    /// Octets that were appended, by their positions.
    public func octets(in range: Range<Int>) -> [UInt8] { Array(octets[range.clamped(to: octets.indices)]) }

    /// Hands them on.
    public func drain(to output: any ReportOutput) {
        output.write(octets)
        octets = []
    }
}
