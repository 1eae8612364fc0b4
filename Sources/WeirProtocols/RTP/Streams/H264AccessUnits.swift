import WeirPackets

/// Follows the access units of one H.264 stream: where key frames are, what the parameter sets say, and what RFC 6184
/// does not allow.
package struct H264AccessUnits: Sendable {
    /// How often something was met that RFC 6184 does not allow.
    package struct Oddities: Sendable, Hashable {
        /// Later fragments without the first, though no packet is missing before them (§5.8).
        package internal(set) var fragmentsWithoutStart = 0
        /// First fragments whose last did not come before another NAL unit, though no packet is missing (§5.8).
        package internal(set) var fragmentsWithoutEnd = 0
        /// Fragments whose type or NRI differs from those before (§5.8).
        package internal(set) var changedFragments = 0
        /// Fragments that are first and last at once (§5.8).
        package internal(set) var wholeFragments = 0
        /// Fragments without a payload (§5.8).
        package internal(set) var emptyFragments = 0
        /// Aggregation packets whose sizes do not add up (§5.7.1).
        package internal(set) var aggregationSizes = 0
        /// Aggregation packets that hold fragments or further aggregation packets (§5.7).
        package internal(set) var nestedUnits = 0
        /// Payloads with start codes of the byte stream format (§5.6 has one NAL unit, and nothing else).
        package internal(set) var startCodes = 0
        /// NAL units with the forbidden bit set (§1.3).
        package internal(set) var forbiddenBits = 0
        /// Packets of types without a meaning (§5.2).
        package internal(set) var undefinedTypes = 0
        /// Marked packets with more of the same access unit behind them (§5.1).
        package internal(set) var earlyMarkers = 0
        /// Access units that ended without a mark, though no packet is missing (§5.1).
        package internal(set) var missingMarkers = 0
        /// Packet structures beyond single NAL units, STAP-A and FU-A (§5.4: these need interleaved mode).
        package internal(set) var interleavedStructures = 0
    }

    private var unitHasKeyframe = false
    private var unitMayBeKeyframe = false
    private var lastHadMarker = true
    private var openFragment: UInt8?
    /// Structures seen, as bits by `H264Payload.Structure`.
    package private(set) var structures: UInt8 = 0
    /// What the last sequence parameter set says.
    package private(set) var parameters: H264SequenceParameterSet?
    /// The last sequence parameter set as it was sent, at most 512 octets.
    package private(set) var sequenceParameterSet: [UInt8] = []
    /// The last picture parameter set as it was sent, at most 512 octets.
    package private(set) var pictureParameterSet: [UInt8] = []
    /// What is not allowed.
    package private(set) var oddities = Oddities()

    private static let parameterOctets = 512
    /// SEI, SPS and PPS.
    private static let settings: UInt32 = 1 << 6 | 1 << 7 | 1 << 8

    /// Begins before the first packet.
    package init() {}

    /// Takes what the session description says of the sets: `sprop-parameter-sets`, decoded (RFC 6184 §8.1).
    package mutating func announce(_ units: [[UInt8]]) {
        for unit in units where parameters == nil {
            parameters = H264SequenceParameterSet(unit.rawSpan)
        }
    }

    /// Takes a packet that is no duplicate.
    ///
    /// - Parameters:
    ///   - payload: the payload's structure, read from `bytes`.
    ///   - bytes: the payload, as far as it was captured.
    ///   - isNewUnit: whether its timestamp is that of another access unit than the packet's before.
    ///   - isNext: whether no packet is missing between that one and this.
    ///   - marker: the RTP marker bit.
    /// - Returns: whether a key frame begins, told once for an access unit: an IDR picture, or an intra picture with a
    ///   sequence parameter set or a recovery point.
    @inline(__always)
    package mutating func observe(
        _ payload: H264Payload, _ bytes: RawSpan, isNewUnit: Bool, isNext: Bool, marker: Bool
    ) -> Bool {
        if isNext, isNewUnit == !lastHadMarker {
            if isNewUnit { oddities.missingMarkers &+= 1 } else { oddities.earlyMarkers &+= 1 }
        }
        lastHadMarker = marker
        if isNewUnit {
            unitHasKeyframe = false
            unitMayBeKeyframe = false
        }
        structures |= 1 << payload.structure.rawValue
        if payload.isFragment || openFragment != nil { observeFragment(payload, isNext) }
        if payload.oddities.rawValue != 0 { count(payload.oddities) }
        if payload.structure.rawValue & 5 != 0, payload.structure != .fuA { oddities.interleavedStructures &+= 1 }
        if payload.types & Self.settings != 0 { observeSettings(payload, bytes) }
        guard !unitHasKeyframe else { return false }
        if payload.holds(5) {
            unitHasKeyframe = true
        } else if unitMayBeKeyframe, payload.holds(1) {
            unitHasKeyframe = Self.beginsIntraSlice(payload, bytes)
            unitMayBeKeyframe = false
        }
        return unitHasKeyframe
    }

    private mutating func observeFragment(_ payload: H264Payload, _ isNext: Bool) {
        let open = openFragment
        guard payload.isFragment else {
            if isNext { oddities.fragmentsWithoutEnd &+= 1 }
            openFragment = nil
            return
        }
        let identity = payload.nri << 5 | payload.firstType
        if isNext {
            if payload.startsUnit, open != nil { oddities.fragmentsWithoutEnd &+= 1 }
            if !payload.startsUnit, open == nil { oddities.fragmentsWithoutStart &+= 1 }
            if !payload.startsUnit, let open, open != identity { oddities.changedFragments &+= 1 }
        }
        openFragment = payload.endsUnit ? nil : identity
    }

    private mutating func count(_ found: H264Payload.Oddities) {
        if found.contains(.forbiddenBit) { oddities.forbiddenBits &+= 1 }
        if found.contains(.aggregationSize) { oddities.aggregationSizes &+= 1 }
        if found.contains(.nested) { oddities.nestedUnits &+= 1 }
        if found.contains(.wholeFragment) { oddities.wholeFragments &+= 1 }
        if found.contains(.emptyFragment) { oddities.emptyFragments &+= 1 }
        if found.contains(.startCode) { oddities.startCodes &+= 1 }
        if found.contains(.undefinedType) { oddities.undefinedTypes &+= 1 }
    }

    @inline(never)
    private mutating func observeSettings(_ payload: H264Payload, _ bytes: RawSpan) {
        switch payload.structure {
        case .single: observeSetting(bytes)
        case .stapA, .stapB, .mtap16, .mtap24:
            var units = H264AggregatedUnits(payload.structure, bytes.byteCount)
            while let range = units.next(bytes) { observeSetting(bytes.clamped(range.lowerBound, range.upperBound)) }
        case .fuA, .fuB:
            if payload.firstType == 7 { unitMayBeKeyframe = true }
        }
    }

    private mutating func observeSetting(_ unit: RawSpan) {
        guard let header = unit.byte(at: 0) else { return }
        switch header & 0x1F {
        case 6:
            // Payload type 6 of supplemental information is the recovery point (H.264 §D.1.7).
            if unit.byte(at: 1) == 6 { unitMayBeKeyframe = true }
        case 7:
            unitMayBeKeyframe = true
            checkStartCodes(unit)
            let octets = unit.clamped(0, Self.parameterOctets).array()
            guard octets != sequenceParameterSet else { return }
            sequenceParameterSet = octets
            if let read = H264SequenceParameterSet(unit) { parameters = read }
        case 8:
            checkStartCodes(unit)
            let octets = unit.clamped(0, Self.parameterOctets).array()
            if octets != pictureParameterSet { pictureParameterSet = octets }
        default: break
        }
    }

    /// A parameter set that goes on behind a start code: some senders put a whole byte stream into one packet.
    private mutating func checkStartCodes(_ unit: RawSpan) {
        for offset in 1..<max(1, min(unit.byteCount, Self.parameterOctets)) where unit.byte(at: offset) == 0 {
            guard unit.clamped(offset, offset &+ 4).startsWithStartCode else { continue }
            oddities.startCodes &+= 1
            return
        }
    }

    /// Whether the slice that begins here is an intra slice: `slice_type` 2, 4, 7 or 9 (H.264 §7.4.3).
    private static func beginsIntraSlice(_ payload: H264Payload, _ bytes: RawSpan) -> Bool {
        guard payload.startsUnit else { return false }
        switch payload.structure {
        case .single: return isIntra(bytes.clamped(1))
        case .fuA: return isIntra(bytes.clamped(2))
        case .fuB: return isIntra(bytes.clamped(4))
        default:
            var units = H264AggregatedUnits(payload.structure, bytes.byteCount)
            while let range = units.next(bytes) {
                guard let header = bytes.byte(at: range.lowerBound), header & 0x1F == 1 else { continue }
                return isIntra(bytes.clamped(range.lowerBound &+ 1, range.upperBound))
            }
            return false
        }
    }

    private static func isIntra(_ slice: RawSpan) -> Bool {
        var bits = BitReader(slice.clamped(0, 16))
        guard bits.unsignedExpGolomb() != nil, let type = bits.unsignedExpGolomb() else { return false }
        return [2, 4, 7, 9].contains(type)
    }
}
