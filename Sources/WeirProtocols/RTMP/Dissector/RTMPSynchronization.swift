/// Whether the reader of a side knows where the next chunk starts, and what it lost meanwhile.
struct RTMPSynchronization {
    /// Consecutive messages required before apparent errors are reported; random octets rarely match that often.
    private static let certain = 8

    /// Whether the next octet is known to be at a chunk boundary or within a chunk.
    private(set) var isEstablished = true
    /// Octets skipped while searching for a chunk.
    var passedOver = 0
    /// Whether synchronization was lost or missing at the start, so the state of earlier chunk streams is unknown.
    private(set) var hasMissed = false
    /// Number of times that messages may have been lost, modulo 2^16.
    private(set) var losses: UInt16 = 0
    /// Messages started since synchronization was restored or a chunk boundary was computed across a gap.
    private var messages = 0
    /// Whether octets are missing and the next chunk boundary assumes that no other chunk was in between.
    var needsProof = false

    /// Whether apparent errors are reported; nil if everything was captured.
    var isCertain: Bool? { hasMissed ? messages >= Self.certain : nil }

    /// Starts in the middle: no chunk boundary is known.
    mutating func beginLate() {
        isEstablished = false
        hasMissed = true
    }

    /// Records that an unknown number of messages was lost.
    mutating func noteLoss() {
        hasMissed = true
        messages = 0
        losses &+= 1
    }

    /// Loses synchronization.
    mutating func lose() {
        needsProof = false
        isEstablished = false
        noteLoss()
    }

    /// Restores synchronization: a chunk was found.
    mutating func establish() { isEstablished = true }

    /// Records that a message starts.
    mutating func noteMessage() {
        passedOver = 0
        if hasMissed { messages &+= 1 }
    }
}
