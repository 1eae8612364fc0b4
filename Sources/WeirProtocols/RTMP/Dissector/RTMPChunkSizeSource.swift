/// How the chunk size of a side is known.
struct RTMPChunkSizeSource {
    /// Whether the size is known. If the capture starts late, it is inferred.
    private(set) var isKnown = true
    /// Whether it was inferred rather than announced: chunks that do not fit it disprove it.
    private var isInferred = false
    /// Whether chunks exceeded the announced size.
    private(set) var isExceeded = false

    /// Records that the size was announced.
    mutating func announce() { (isKnown, isInferred) = (true, false) }

    /// Records that the size was inferred.
    mutating func infer() { (isKnown, isInferred) = (true, true) }

    /// Records that another size may have been announced.
    mutating func doubt() { (isKnown, isInferred) = (false, false) }

    /// Records that a chunk exceeded the announced size.
    mutating func noteExceeded() {
        doubt()
        isExceeded = true
    }

    /// Records that no chunk starts where it should, which disproves an inferred size.
    mutating func disprove() {
        if isInferred { isKnown = false }
    }
}
