/// The silences of a stream.
package struct StreamSilence: Sendable {
    /// The length of the last silence, in nanoseconds.
    package internal(set) var latest: Int64 = 0
    /// The sequence number of the packet before it.
    package internal(set) var sequenceBefore: UInt16 = 0
    /// Packets missing after a silence.
    package internal(set) var missing = 0
}
