public import WeirPackets

/// What the contexts of all flows of an analysis have in common.
@usableFromInline
final class SharedContext: Sendable {
    /// The limits.
    @usableFromInline let limits: LimitsReference
    /// Whether every packet results in an event.
    let showsPackets: Bool
    /// Whether media in messages is kept, for extraction to files.
    let keepsMedia: Bool
    /// Values shared by the dissectors of all flows.
    let values = SharedValues()
    /// The budget of incomplete messages in dissectors.
    let messageBudget: SharedOctetBudget
    /// The budget for decompressed data beyond the usual size.
    let expansionBudget: SharedOctetBudget

    init(
        _ limits: Limits, showsPackets: Bool, keepsMedia: Bool = false, messageBudget: SharedOctetBudget? = nil
    ) {
        self.limits = LimitsReference(limits)
        self.showsPackets = showsPackets
        self.keepsMedia = keepsMedia
        self.messageBudget = messageBudget ?? SharedOctetBudget(total: limits.messageTotalOctets)
        expansionBudget = SharedOctetBudget(total: limits.expansionOctets)
    }
}
