/// A temporary store for octets that a report writes later.
public protocol ReportSpool: AnyObject {
    /// The number of octets appended.
    var count: Int { get }
    /// Appends octets.
    func append(_ octets: [UInt8])
    /// Returns octets by their positions; throws if they cannot be read back.
    func octets(in range: Range<Int>) throws -> [UInt8]
    /// Writes all octets to an output, and removes them; fails the output if they cannot be read back.
    func drain(to output: any ReportOutput)
}

/// A spool in memory, for small reports.
public final class MemorySpool: ReportSpool {
    private var octets: [UInt8] = []

    /// Creates an empty spool.
    public init() {}

    /// The number of octets appended.
    public var count: Int { octets.count }

    /// Appends octets.
    public func append(_ octets: [UInt8]) { self.octets += octets }

    /// Returns octets by their positions.
    public func octets(in range: Range<Int>) -> [UInt8] { Array(octets[range.clamped(to: octets.indices)]) }

    /// Writes all octets to an output, and removes them.
    public func drain(to output: any ReportOutput) {
        output.write(octets)
        octets = []
    }
}
