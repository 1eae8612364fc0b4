import WeirPackets

/// A restart of a source's sequence numbers under the same SSRC.
struct NumberingRestart: Sendable {
    /// Frame and time of the first packet of the new numbering.
    var frame: Int
    var time: Timestamp
    /// Time of the last packet before.
    var timeBefore: Timestamp
    /// The highest sequence number before.
    var before: UInt16
    /// The first sequence number after.
    var first: UInt16
    /// Whether so many packets may have been lost that the numbers did not restart.
    var mayBeLoss: Bool
}
