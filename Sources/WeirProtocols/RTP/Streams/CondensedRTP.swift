package import WeirEngine

// The stream table also contains key frame intervals and stream totals.

extension RTPKeyframe {
    /// The first one shows when video can start.
    package var condensed: Condensed { .firstOnly("key frame") }
}

extension RTPEnd {
    /// The stream table contains the figures.
    package var condensed: Condensed { .omitted }
}
