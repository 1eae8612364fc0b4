package import WeirEngine

/// What is wrong with one message of audio or video.
package struct FLVFaults: OptionSet, Sendable, Hashable {
    /// The bits.
    package let rawValue: UInt8

    /// Creates a set of bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The lengths of NAL units do not fill the message (FLV 10.1 §E.4.3.2).
    package static let unitLengths = Self(rawValue: 1)
    /// Said to be a key frame, but decoding cannot begin at any picture in it (FLV 10.1 §E.4.3.1).
    package static let keyWithoutAccess = Self(rawValue: 2)
    /// Not said to be a key frame, though an IDR or IRAP picture is in it.
    package static let accessWithoutKey = Self(rawValue: 4)
    /// A codec or a packet type that no specification has (E-RTMP v2 "Enhanced Audio", "Enhanced Video").
    package static let unknownKind = Self(rawValue: 8)
    /// A sequence header that cannot be used as it is.
    package static let configuration = Self(rawValue: 16)

    /// What is wrong with a video message.
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

    /// What is wrong with NAL units in a frame.
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

    /// What is wrong with an audio message.
    init(_ audio: AudioTag) {
        var faults: FLVFaults = []
        for part in audio.parts { faults.formUnion(FLVFaults(part)) }
        if !audio.codecKind.isKnown || audio.packetTypeID != nil && audio.packet == nil { faults.insert(.unknownKind) }
        if audio.configurations.contains(where: { $0?.problem != nil }) { faults.insert(.configuration) }
        self = faults
    }
}

extension VideoTag {
    /// What is wrong with the message.
    package var faults: FLVFaults { FLVFaults(self) }
}

extension AudioTag {
    /// What is wrong with the message.
    package var faults: FLVFaults { FLVFaults(self) }
}

/// Messages of a track with each fault.
package struct FLVFaultCounts: Sendable, Hashable {
    /// Messages with any.
    package private(set) var messages = 0
    /// Messages whose NAL units do not fill them.
    package private(set) var unitLengths = 0
    /// Messages whose key flag and pictures disagree.
    package private(set) var keyFlags = 0
    /// Messages of unknown codecs or packet types.
    package private(set) var unknownKinds = 0

    /// No messages.
    package init() {}

    /// Takes the faults of a message.
    package mutating func count(_ faults: FLVFaults) {
        messages &+= 1
        if faults.contains(.unitLengths) { unitLengths &+= 1 }
        if !faults.isDisjoint(with: [.keyWithoutAccess, .accessWithoutKey]) { keyFlags &+= 1 }
        if faults.contains(.unknownKind) { unknownKinds &+= 1 }
    }

    /// Members of the `stream` record, of faults that occurred.
    package var fields: [Field] {
        var fields: [Field] = []
        if unitLengths > 0 { fields.add("brokenUnitLengths", unitLengths) }
        if keyFlags > 0 { fields.add("wrongKeyFlags", keyFlags) }
        if unknownKinds > 0 { fields.add("unknownPackets", unknownKinds) }
        return fields
    }
}
