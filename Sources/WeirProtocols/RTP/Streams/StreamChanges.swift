/// What a packet changed in its stream; most change nothing.
package struct StreamChanges: OptionSet, Sendable, Hashable {
    /// The set as bits.
    package let rawValue: UInt16
    /// Creates a set from bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// It is the first packet.
    package static let started = Self(rawValue: 1)
    /// Numbers are given up as lost: `MediaStream.takeGap` tells which.
    package static let gap = Self(rawValue: 2)
    /// The payload type is another one than before.
    package static let payloadTypeChange = Self(rawValue: 4)
    /// A key frame begins.
    package static let keyframe = Self(rawValue: 8)
    /// The source began to count anew.
    package static let restart = Self(rawValue: 16)
    /// The timestamp went back, or moved on much further than time did.
    package static let timestampJump = Self(rawValue: 32)
    /// The packet's number was there before.
    package static let duplicate = Self(rawValue: 64)
    /// The packet came after one with a higher number.
    package static let late = Self(rawValue: 128)
    /// The packet's number is far from all others.
    package static let stray = Self(rawValue: 256)

    /// No packet came for longer than the stream's own rhythm explains.
    package static let silence = Self(rawValue: 512)

    /// It sends a packet of another stream again.
    package static let repair = Self(rawValue: 1_024)

    /// It is the first packet since media was told to go on.
    package static let resumed = Self(rawValue: 2_048)

    /// A telephone event is over.
    package static let telephoneEvent = Self(rawValue: 4_096)

    /// The news that somebody has to hear of.
    package static let events: Self = [
        .started, .gap, .payloadTypeChange, .keyframe, .restart, .silence, .repair, .resumed, .telephoneEvent,
    ]
}
