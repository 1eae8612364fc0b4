package import WeirEngine

// How often key frames come and what a stream amounts to stands in the table of streams, too.

extension RTPKeyframe {
    /// The first one shows when video can start.
    package var condensed: Condensed { .firstOnly("key frame") }
}

extension RTPEnd {
    /// The table of streams has its figures.
    package var condensed: Condensed { .omitted }
}
