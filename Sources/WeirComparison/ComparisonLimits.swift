/// The bounds of a comparison. Reaching one is reported in the comparison.
package struct ComparisonLimits: Sendable {
    /// Packets stored per capture; later ones are not compared.
    package var packets = 2_000_000
    /// Unidirectional flows stored per capture; packets of others are not compared.
    package var uniflows = 100_000
    /// Events stored per capture.
    package var events = 200_000
    /// Findings stored per capture.
    package var findings = 20_000
    /// Steps per track that are aligned; later ones are not compared.
    package var steps = 1_500
    /// Packets listed one by one per kind of observation and direction of a flow; all are counted.
    package var listed = 1_000
    /// Differences listed.
    package var differences = 1_000

    /// The documented defaults.
    package init() {}
}
