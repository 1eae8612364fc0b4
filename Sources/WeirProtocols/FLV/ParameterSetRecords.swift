import WeirPackets

// The configuration records of H.264 and H.265 (ISO/IEC 14496-15, AVCDecoderConfigurationRecord and
// HEVCDecoderConfigurationRecord).

extension MediaConfiguration {
    static func avc(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        var reader = ByteReader(record, layer: "AVCDecoderConfigurationRecord")
        do throws(DecodeError) {
            let version = try reader.uint8()
            let profile = try reader.uint8()
            let constraints = try reader.uint8()
            let level = try reader.uint8()
            let named = H264SequenceParameterSet(profile: profile, constraints: constraints, level: level)
            configuration.profile = named.profileName
            configuration.level = named.levelName
            if version != 1 { configuration.problem = .version }
            configuration.readLengthSize(try reader.uint8())
            let sets = Int(try reader.uint8() & 0x1F)
            for index in 0..<sets {
                let length = Int(try reader.uint16())
                let unit = try reader.span(length)
                guard index == 0 else { continue }
                if let set = H264SequenceParameterSet(unit) {
                    (configuration.width, configuration.height) = (set.width, set.height)
                    if set.profile != profile || set.level != level { configuration.note(.profileDiffers) }
                } else {
                    configuration.note(.parameterSet)
                }
            }
            let pictureSets = Int(try reader.uint8())
            for _ in 0..<pictureSets { try reader.skip(Int(try reader.uint16())) }
            configuration.parameterSets = [Count(kind: "SPS", count: sets), Count(kind: "PPS", count: pictureSets)]
            if sets == 0 || pictureSets == 0 { configuration.note(.noParameterSets) }
        } catch {
            configuration.note(.tooShort)
        }
        return configuration
    }

    static func hevc(_ record: RawSpan) -> MediaConfiguration {
        var configuration = MediaConfiguration()
        var reader = ByteReader(record, layer: "HEVCDecoderConfigurationRecord")
        do throws(DecodeError) {
            let version = try reader.uint8()
            let general = try reader.uint8()
            try reader.skip(10)  // compatibility and constraint flags
            let level = try reader.uint8()
            configuration.profile = H265SequenceParameterSet.profileName(general & 0x1F)
            configuration.level = H265SequenceParameterSet.levelName(level, isHighTier: general & 0x20 != 0)
            try reader.skip(4)  // segmentation, parallelism, chroma format
            configuration.bitDepth = Int(try reader.uint8() & 0x07) &+ 8
            try reader.skip(3)  // bit depth of chroma, average frame rate
            // Some senders write version 0, as in drafts.
            if version > 1 { configuration.problem = .version }
            configuration.readLengthSize(try reader.uint8())
            var counts: [UInt8: Int] = [:]
            for _ in 0..<(try reader.uint8()) {
                let type = try reader.uint8() & 0x3F
                let units = Int(try reader.uint16())
                counts[type, default: 0] &+= units
                for index in 0..<units {
                    let length = Int(try reader.uint16())
                    let unit = try reader.span(length)
                    guard type == 33, index == 0, configuration.width == nil else { continue }
                    if let set = H265SequenceParameterSet(unit) {
                        (configuration.width, configuration.height) = (set.width, set.height)
                        if set.profile != general & 0x1F || set.level != level { configuration.note(.profileDiffers) }
                    } else {
                        configuration.note(.parameterSet)
                    }
                }
            }
            configuration.parameterSets = [(32, "VPS"), (33, "SPS"), (34, "PPS")].map {
                Count(kind: $0.1, count: counts[$0.0] ?? 0)
            }
            if counts[33] ?? 0 == 0 || counts[34] ?? 0 == 0 { configuration.note(.noParameterSets) }
        } catch {
            configuration.note(.tooShort)
        }
        return configuration
    }

    private mutating func readLengthSize(_ octet: UInt8) {
        let octets = Int(octet & 3) &+ 1
        lengthOctets = octets
        if octets == 3 { note(.lengthSize) }
    }

    /// Records the first problem.
    mutating func note(_ problem: Problem) {
        if self.problem == nil { self.problem = problem }
    }
}
