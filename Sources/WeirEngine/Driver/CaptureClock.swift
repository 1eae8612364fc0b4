/// Detects capture clocks that step back. A class, so that it can be read while a packet is being processed.
final class CaptureClock {
    /// The frame count when the clock last stepped back.
    var wentBackAt = 0
    /// The frame count when a frame's timestamp was last replaced because it was invalid.
    var replacedAt = 0
}
