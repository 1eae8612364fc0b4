import WeirPackets

/// The packets of a stream that findings refer to.
package struct StreamPlaces: Sendable {
    /// The frame of a packet, and its time.
    package typealias Place = (frame: Int, time: Timestamp)

    /// The first duplicate.
    package internal(set) var duplicate: Place?
    /// The first packet after one with a higher number.
    package internal(set) var late: Place?
    /// The last stray packet.
    package internal(set) var stray: Place = (0, Timestamp(nanoseconds: 0))
    /// The first packet by which reports were due, within a second.
    package internal(set) var reportDue: Place?
}
