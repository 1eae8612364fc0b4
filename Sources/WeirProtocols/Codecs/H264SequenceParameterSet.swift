import WeirPackets

/// The parts of an H.264 sequence parameter set that describe the stream (H.264 §7.3.2.1.1).
package struct H264SequenceParameterSet: Sendable, Hashable {
    /// The maximum number of octets parsed: a set is about ten octets long, with scaling lists a few hundred.
    static let maximumOctets = 1_024

    /// `profile_idc`.
    package private(set) var profile: UInt8 = 0
    /// The `constraint_set` flags, the first in the most significant bit.
    package private(set) var constraints: UInt8 = 0
    /// `level_idc`: ten times the level.
    package private(set) var level: UInt8 = 0
    /// The display width in pixels.
    package private(set) var width = 0
    /// The display height in pixels.
    package private(set) var height = 0

    /// Parses a NAL unit of type 7 including its header, or returns nil if it is truncated or invalid.
    package init?(_ unit: RawSpan) {
        guard let header = unit.byte(at: 0), header & 0x1F == 7 else { return nil }
        let octets = Self.withoutEmulationPrevention(unit.clamped(1, Self.maximumOctets))
        var bits = BitReader(octets.rawSpan)
        guard let profile = bits.read(8), let constraints = bits.read(8), let level = bits.read(8) else { return nil }
        self.profile = UInt8(profile)
        self.constraints = UInt8(constraints)
        self.level = UInt8(level)
        guard readPictureSize(&bits), width > 0, height > 0 else { return nil }
    }

    /// Creates a set from a profile and level given elsewhere, such as in a decoder configuration record.
    init(profile: UInt8, constraints: UInt8, level: UInt8) {
        (self.profile, self.constraints, self.level) = (profile, constraints, level)
    }

    /// Returns the octets without emulation prevention: each 03 after 00 00 is removed (H.264 §7.4.1).
    static func withoutEmulationPrevention(_ bytes: RawSpan) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(bytes.byteCount)
        var zeros = 0
        for index in 0..<bytes.byteCount {
            guard let octet = bytes.byte(at: index) else { break }
            if zeros >= 2, octet == 3 {
                zeros = 0
                continue
            }
            zeros = octet == 0 ? zeros &+ 1 : 0
            octets.append(octet)
        }
        return octets
    }

    @_lifetime(bits: copy bits)
    private mutating func readPictureSize(_ bits: inout BitReader) -> Bool {
        guard bits.unsignedExpGolomb() != nil else { return false }  // seq_parameter_set_id
        var chroma: UInt32 = 1
        var separatePlanes = false
        // High profiles specify chroma format and scaling lists.
        if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
            guard let format = bits.unsignedExpGolomb(), format <= 3 else { return false }
            chroma = format
            if format == 3 {
                guard let flag = bits.flag() else { return false }
                separatePlanes = flag
            }
            guard bits.unsignedExpGolomb() != nil, bits.unsignedExpGolomb() != nil, bits.flag() != nil,
                let hasScaling = bits.flag()
            else { return false }
            if hasScaling {
                for list in 0..<(chroma == 3 ? 12 : 8) {
                    guard let present = bits.flag() else { return false }
                    if present, !Self.skipScalingList(list < 6 ? 16 : 64, &bits) { return false }
                }
            }
        }
        guard bits.unsignedExpGolomb() != nil, Self.skipPictureOrder(&bits),
            bits.unsignedExpGolomb() != nil, bits.flag() != nil,  // max_num_ref_frames, gaps_in_frame_num_allowed
            let widthInMacroblocks = bits.unsignedExpGolomb(), let heightInMapUnits = bits.unsignedExpGolomb(),
            widthInMacroblocks < 4_096, heightInMapUnits < 4_096, let framesOnly = bits.flag()
        else { return false }
        if !framesOnly, bits.flag() == nil { return false }  // mb_adaptive_frame_field
        guard bits.flag() != nil, let isCropped = bits.flag() else { return false }  // direct_8x8_inference
        let fields = framesOnly ? 1 : 2
        width = Int(widthInMacroblocks &+ 1) * 16
        height = Int(heightInMapUnits &+ 1) * 16 * fields
        guard isCropped else { return true }
        guard let left = bits.unsignedExpGolomb(), let right = bits.unsignedExpGolomb(),
            let top = bits.unsignedExpGolomb(), let bottom = bits.unsignedExpGolomb(),
            max(left, right, top, bottom) < 65_536
        else { return false }
        // Cropping units are chroma samples: two pixels if chroma is subsampled.
        let isSampled = chroma != 0 && !separatePlanes
        width -= Int(left + right) * (isSampled && chroma < 3 ? 2 : 1)
        height -= Int(top + bottom) * (isSampled && chroma == 1 ? 2 : 1) * fields
        return true
    }

    @_lifetime(bits: copy bits)
    private static func skipScalingList(_ size: Int, _ bits: inout BitReader) -> Bool {
        var last: Int32 = 8
        var next: Int32 = 8
        for _ in 0..<size {
            if next != 0 {
                guard let delta = bits.signedExpGolomb() else { return false }
                next = (last &+ delta &+ 256) & 0xFF
            }
            if next != 0 { last = next }
        }
        return true
    }

    @_lifetime(bits: copy bits)
    private static func skipPictureOrder(_ bits: inout BitReader) -> Bool {
        guard let type = bits.unsignedExpGolomb() else { return false }
        if type == 0 { return bits.unsignedExpGolomb() != nil }
        guard type == 1 else { return type == 2 }
        guard bits.flag() != nil, bits.signedExpGolomb() != nil, bits.signedExpGolomb() != nil,
            let cycle = bits.unsignedExpGolomb(), cycle < 256
        else { return false }
        for _ in 0..<cycle where bits.signedExpGolomb() == nil { return false }
        return true
    }

    /// The profile name, such as `High`.
    package var profileName: String {
        switch profile {
        case 66: constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
        case 77: "Main"
        case 88: "Extended"
        case 100: constraints & 0x0C == 0x0C ? "Constrained High" : constraints & 8 != 0 ? "Progressive High" : "High"
        case 110: "High 10"
        case 122: "High 4:2:2"
        case 244: "High 4:4:4 Predictive"
        case 44: "CAVLC 4:4:4 Intra"
        default: "profile \(profile)"
        }
    }

    /// The level in the usual notation, such as `3.1`; `1b` for level 1.1 with the corresponding constraint.
    package var levelName: String {
        if level == 11, constraints & 0x10 != 0, [66, 77, 88].contains(profile) { return "1b" }
        return level % 10 == 0 ? "\(level / 10)" : "\(level / 10).\(level % 10)"
    }
}
