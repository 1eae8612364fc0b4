/// What is to be held of the times that the frames of a capture bear. An object, so that it can be asked while a packet is taken.
final class CaptureClock {
    /// How many frames there were when the clock went back last.
    var wentBackAt = 0
    /// How many frames there were when one had no right time of its own last.
    var replacedAt = 0
}
