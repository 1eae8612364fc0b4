package import WeirEngine

/// Faults of an audio or video message.
package struct FLVFaults: OptionSet, Sendable, Hashable {
    /// The bit mask.
    package let rawValue: UInt8

    /// Creates a set from a bit mask.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The lengths of NAL units do not add up to the message (FLV 10.1 §E.4.3.2).
    package static let unitLengths = Self(rawValue: 1)
    /// Flagged as a key frame without a random access picture (FLV 10.1 §E.4.3.1).
    package static let keyWithoutAccess = Self(rawValue: 2)
    /// Not flagged as a key frame despite an IDR or IRAP picture.
    package static let accessWithoutKey = Self(rawValue: 4)
    /// An unspecified codec or packet type (E-RTMP v2 "Enhanced Audio", "Enhanced Video").
    package static let unknownKind = Self(rawValue: 8)
    /// An unusable sequence header.
    package static let configuration = Self(rawValue: 16)

    /// Determines the faults of a video message.
    init(_ video: VideoTag) {
        var faults =
            video.units.map { FLVFaults($0, isHEVC: video.codecKind == .hevc, frame: video.frame) } ?? []
        for part in video.parts { faults.formUnion(FLVFaults(part)) }
        if video.command == nil, !video.codecKind.isKnown || video.packetTypeID != nil && video.packet == nil {
            faults.insert(.unknownKind)
        }
        if video.configurations.contains(where: { $0?.problem != nil }) { faults.insert(.configuration) }
        self = faults
    }

    /// Determines the faults of the NAL units in a frame.
    init(_ units: NALUnits, isHEVC: Bool, frame: VideoTag.Frame?) {
        var faults: FLVFaults = []
        if units.problem != nil {
            faults.insert(.unitLengths)
        } else if units.hasPicture(isHEVC: isHEVC) {
            let hasAccess = units.hasRandomAccess(isHEVC: isHEVC)
            if frame == .key, !hasAccess, !units.hasRecoveryPoint { faults.insert(.keyWithoutAccess) }
            if frame == .inter, hasAccess { faults.insert(.accessWithoutKey) }
        }
        self = faults
    }

    /// Determines the faults of an audio message.
    init(_ audio: AudioTag) {
        var faults: FLVFaults = []
        for part in audio.parts { faults.formUnion(FLVFaults(part)) }
        if !audio.codecKind.isKnown || audio.packetTypeID != nil && audio.packet == nil { faults.insert(.unknownKind) }
        if audio.configurations.contains(where: { $0?.problem != nil }) { faults.insert(.configuration) }
        self = faults
    }
}

extension VideoTag {
    /// The faults of the message.
    package var faults: FLVFaults { FLVFaults(self) }
}

extension AudioTag {
    /// The faults of the message.
    package var faults: FLVFaults { FLVFaults(self) }
}

/// The number of messages of a track by fault.
package struct FLVFaultCounts: Sendable, Hashable {
    /// Messages with any fault.
    package private(set) var messages = 0
    /// Messages whose NAL unit lengths do not add up.
    package private(set) var unitLengths = 0
    /// Messages whose key frame flag does not match their pictures.
    package private(set) var keyFlags = 0
    /// Messages with unknown codecs or packet types.
    package private(set) var unknownKinds = 0

    /// Creates empty counts.
    package init() {}

    /// Counts the faults of a message.
    package mutating func count(_ faults: FLVFaults) {
        messages &+= 1
        if faults.contains(.unitLengths) { unitLengths &+= 1 }
        if !faults.isDisjoint(with: [.keyWithoutAccess, .accessWithoutKey]) { keyFlags &+= 1 }
        if faults.contains(.unknownKind) { unknownKinds &+= 1 }
    }

    /// The members of the `stream` record for faults that occurred.
    package var fields: [Field] {
        var fields: [Field] = []
        if unitLengths > 0 { fields.add("brokenUnitLengths", unitLengths) }
        if keyFlags > 0 { fields.add("wrongKeyFlags", keyFlags) }
        if unknownKinds > 0 { fields.add("unknownPackets", unknownKinds) }
        return fields
    }
}
