/// The changes in a stream caused by a packet; most cause none.
package struct StreamChanges: OptionSet, Sendable, Hashable {
    /// The bit set.
    package let rawValue: UInt16
    /// Creates a set from bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// The first packet of the stream.
    package static let started = Self(rawValue: 1)
    /// Numbers were given up as lost; `MediaStream.takeGap` returns them.
    package static let gap = Self(rawValue: 2)
    /// The payload type changed.
    package static let payloadTypeChange = Self(rawValue: 4)
    /// A key frame begins.
    package static let keyframe = Self(rawValue: 8)
    /// The source restarted its numbering.
    package static let restart = Self(rawValue: 16)
    /// The timestamp went back, or advanced much further than time.
    package static let timestampJump = Self(rawValue: 32)
    /// A duplicate sequence number.
    package static let duplicate = Self(rawValue: 64)
    /// The packet arrived after one with a higher number.
    package static let late = Self(rawValue: 128)
    /// The sequence number is far from all others.
    package static let stray = Self(rawValue: 256)

    /// An interval without packets longer than the stream's rhythm explains.
    package static let silence = Self(rawValue: 512)

    /// A retransmission of a packet of another stream.
    package static let repair = Self(rawValue: 1_024)

    /// The first packet since media was requested to continue.
    package static let resumed = Self(rawValue: 2_048)

    /// A telephone event is complete.
    package static let telephoneEvent = Self(rawValue: 4_096)

    /// The changes that are emitted as events.
    package static let events: Self = [
        .started, .gap, .payloadTypeChange, .keyframe, .restart, .silence, .repair, .resumed, .telephoneEvent,
    ]
}
