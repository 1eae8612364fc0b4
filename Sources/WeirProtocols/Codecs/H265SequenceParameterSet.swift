import WeirPackets

/// The parts of an H.265 sequence parameter set that describe the stream (`seq_parameter_set_rbsp`).
package struct H265SequenceParameterSet: Sendable, Hashable {
    /// `general_profile_idc`.
    package private(set) var profile: UInt8 = 0
    /// `general_tier_flag`: whether it is the high tier.
    package private(set) var isHighTier = false
    /// `general_level_idc`: thirty times the level.
    package private(set) var level: UInt8 = 0
    /// The display width in pixels.
    package private(set) var width = 0
    /// The display height in pixels.
    package private(set) var height = 0
    /// The luma bit depth.
    package private(set) var bitDepth = 8

    /// Parses a NAL unit of type 33 including its header, or returns nil if it is truncated or invalid.
    package init?(_ unit: RawSpan) {
        guard let header = unit.byte(at: 0), header >> 1 & 0x3F == 33 else { return nil }
        let octets = H264SequenceParameterSet.withoutEmulationPrevention(
            unit.clamped(2, H264SequenceParameterSet.maximumOctets))
        var bits = BitReader(octets.rawSpan)
        guard bits.read(4) != nil, let subLayers = bits.read(3), bits.flag() != nil,
            readProfile(&bits, subLayers: Int(subLayers)), readPictureSize(&bits), width > 0, height > 0
        else { return nil }
    }

    /// Parses `profile_tier_level`, which precedes the rest of the set.
    @_lifetime(bits: copy bits)
    private mutating func readProfile(_ bits: inout BitReader, subLayers: Int) -> Bool {
        guard bits.read(2) != nil, let tier = bits.flag(), let profile = bits.read(5), Self.skip(80, &bits),
            let level = bits.read(8)
        else { return false }
        self.profile = UInt8(profile)
        isHighTier = tier
        self.level = UInt8(level)
        guard subLayers > 0 else { return true }
        var octetsOfLayers = 0
        for layer in 0..<8 {
            guard let hasProfile = bits.flag(), let hasLevel = bits.flag() else { return false }
            // From `subLayers` to 8 there are two reserved bits per layer instead.
            if layer < subLayers { octetsOfLayers &+= (hasProfile ? 11 : 0) &+ (hasLevel ? 1 : 0) }
        }
        return Self.skip(octetsOfLayers &* 8, &bits)
    }

    @_lifetime(bits: copy bits)
    private mutating func readPictureSize(_ bits: inout BitReader) -> Bool {
        guard bits.unsignedExpGolomb() != nil, let chroma = bits.unsignedExpGolomb(), chroma <= 3 else { return false }
        var separatePlanes = false
        if chroma == 3 {
            guard let flag = bits.flag() else { return false }
            separatePlanes = flag
        }
        guard let codedWidth = bits.unsignedExpGolomb(), let codedHeight = bits.unsignedExpGolomb(),
            max(codedWidth, codedHeight) <= 65_535, let isCropped = bits.flag()
        else { return false }
        width = Int(codedWidth)
        height = Int(codedHeight)
        if isCropped {
            guard let left = bits.unsignedExpGolomb(), let right = bits.unsignedExpGolomb(),
                let top = bits.unsignedExpGolomb(), let bottom = bits.unsignedExpGolomb(),
                max(left, right, top, bottom) <= 65_535
            else { return false }
            // Cropping units are chroma samples: two pixels if chroma is subsampled.
            let isSampled = chroma != 0 && !separatePlanes
            width &-= Int(left &+ right) &* (isSampled && chroma < 3 ? 2 : 1)
            height &-= Int(top &+ bottom) &* (isSampled && chroma == 1 ? 2 : 1)
        }
        guard let depth = bits.unsignedExpGolomb(), depth <= 8 else { return false }
        bitDepth = Int(depth) &+ 8
        return true
    }

    @_lifetime(bits: copy bits)
    private static func skip(_ count: Int, _ bits: inout BitReader) -> Bool {
        var left = count
        while left > 0 {
            guard bits.read(UInt8(min(left, 32))) != nil else { return false }
            left &-= 32
        }
        return true
    }

    /// Returns the profile name, such as `Main 10`.
    package static func profileName(_ profile: UInt8) -> String {
        switch profile {
        case 1: "Main"
        case 2: "Main 10"
        case 3: "Main Still Picture"
        case 4: "Range Extensions"
        case 5: "High Throughput"
        case 9: "Screen Content"
        default: "profile \(profile)"
        }
    }

    /// Returns the level in the usual notation, such as `4.1`, followed by a high tier.
    package static func levelName(_ level: UInt8, isHighTier: Bool) -> String {
        let tenths = level / 3
        let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return isHighTier ? "\(number) High tier" : number
    }
}
