import WeirPackets

/// Tracks the access units of one H.264 stream: key frames, parameter sets, and violations of RFC 6184.
///
/// Faults are reported per packet (`faults`). Fragments are checked only if the previous packet was captured, so that a
/// lost fragment is a loss rather than a fault of the sender.
package struct H264AccessUnits: Sendable {
    /// Random access at a packet.
    package enum Entry: Sendable, Hashable {
        /// No random access.
        case nothing
        /// A key frame.
        case keyframe
        /// A recovery point: pictures are correct after so many frames.
        case recovery(frames: Int)
    }

    private var unitHasKeyframe = false
    private var unitMayBeKeyframe = false
    /// Frames after the current picture from which pictures are correct, from its recovery point.
    private var recoveryFrames: Int?
    private var openFragment: UInt8?
    /// Whether the previous packet contained slices.
    private var lastWasSlice = false
    /// Structures allowed by the packetization mode, as a bit set by `H264Payload.Structure` (RFC 6184 §5.4).
    private var allowed: UInt8 = 0xFF
    /// Faults of the last packet.
    package private(set) var faults: PacketFaults = []
    /// Structures seen, as a bit set by `H264Payload.Structure`.
    package private(set) var structures: UInt8 = 0
    /// The last sequence parameter set, parsed.
    package private(set) var parameters: H264SequenceParameterSet?
    /// The last sequence parameter set as sent, at most 512 octets.
    package private(set) var sequenceParameterSet: [UInt8] = []
    /// The last picture parameter set as sent, at most 512 octets.
    package private(set) var pictureParameterSet: [UInt8] = []
    /// The parameter sets, compared with the announced ones.
    package private(set) var sets = ParameterSetLog()

    private static let parameterOctets = 512
    /// SEI, SPS and PPS.
    private static let settings: UInt32 = 1 << 6 | 1 << 7 | 1 << 8
    /// Slices and data partitions.
    private static let slices: UInt32 = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5

    /// Creates a tracker without packets.
    package init() {}

    /// Sets the announced `packetization-mode`; the default is 0 (RFC 6184 §8.1).
    package mutating func announce(mode: Int) {
        let structures: [H264Payload.Structure] =
            switch mode {
            case 0: [.single]
            case 1: [.single, .stapA, .fuA]
            case 2: [.stapB, .mtap16, .mtap24, .fuA, .fuB]
            default: []
            }
        allowed = structures.isEmpty ? 0xFF : structures.reduce(0) { $0 | 1 << $1.rawValue }
    }

    /// Sets the decoded parameter sets from the description, `sprop-parameter-sets` (RFC 6184 §8.1).
    package mutating func announce(_ units: [[UInt8]]) {
        for unit in units where parameters == nil {
            parameters = H264SequenceParameterSet(unit.rawSpan)
        }
        sets.announce(units) { $0.first.map { $0 & 0x1F } }
    }

    /// Records the first key frame, if no packet before it is missing.
    mutating func noteFirstKeyframe(at place: ParameterSetLog.Place) { sets.noteKeyframe(at: place) }

    /// The first octets of a payload that is a later FU-A fragment of the slice of the last packet, but not its last, as
    /// most packets of video are: `observe` would find nothing in it. 0 if there is none.
    package var continuation: UInt16 {
        let isFragment: UInt8 = 1 << H264Payload.Structure.fuA.rawValue
        guard let openFragment, lastWasSlice, faults.isEmpty, structures & allowed & isFragment != 0 else { return 0 }
        let type = openFragment & 0x1F
        guard 1...5 ~= type, unitHasKeyframe || type != 5 && !(type == 1 && unitMayBeKeyframe) else { return 0 }
        // FU indicator: forbidden bit, NRI, type 28; FU header: start, end and reserved bit, type (RFC 6184 §5.8).
        return UInt16(openFragment & 0x60 | 28) << 8 | UInt16(type)
    }

    /// Processes a packet like `observe`, and returns its continuation and faults with it.
    @inline(__always)
    mutating func observe(
        _ payload: H264Payload, _ bytes: RawSpan, _ order: PacketOrder, _ continuation: inout UInt16,
        _ faults: inout PacketFaults
    ) -> Entry {
        let entry = observe(payload, bytes, order)
        continuation = self.continuation
        faults = self.faults
        return entry
    }

    /// Processes a packet that is not a duplicate.
    ///
    /// - Parameters:
    ///   - payload: the payload structure, parsed from `bytes`.
    ///   - bytes: the payload, as captured.
    ///   - order: its relation to the previous packet.
    /// - Returns: whether a key frame begins, once per access unit: an IDR picture, or an intra picture with a sequence
    ///   parameter set or a recovery point; or the recovery point of another picture.
    @inline(__always)
    package mutating func observe(_ payload: H264Payload, _ bytes: RawSpan, _ order: PacketOrder) -> Entry {
        faults = []
        if order.isNewUnit {
            unitHasKeyframe = false
            unitMayBeKeyframe = false
            recoveryFrames = nil
        }
        structures |= 1 << payload.structure.rawValue
        if allowed & 1 << payload.structure.rawValue == 0 { faults.insert(.packetizationMode) }
        if payload.isFragment || openFragment != nil { observeFragment(payload, bytes, order) }
        if payload.oddities.rawValue != 0 { note(payload.oddities) }
        if payload.types & Self.slices != 0 {
            if order.isTorn, lastWasSlice, Self.continuesPicture(payload, bytes) { faults.insert(.unitTimestamps) }
            lastWasSlice = true
        } else {
            if order.isTorn, payload.structure == .fuA, !payload.startsUnit { faults.insert(.unitTimestamps) }
            lastWasSlice = false
        }
        if payload.types & Self.settings != 0 { observeSettings(payload, bytes, order) }
        guard !unitHasKeyframe else { return .nothing }
        if payload.holds(5) {
            unitHasKeyframe = true
        } else if unitMayBeKeyframe, payload.holds(1) {
            unitHasKeyframe = Self.beginsIntraSlice(payload, bytes)
            unitMayBeKeyframe = false
            if !unitHasKeyframe, let recoveryFrames { return .recovery(frames: recoveryFrames) }
        }
        return unitHasKeyframe ? .keyframe : .nothing
    }

    /// Returns whether the packet continues the picture of the previous packet: a later fragment, or a slice that is
    /// not the first (`first_mb_in_slice`, H.264 §7.4.3, is 0 if its first bit is set).
    private static func continuesPicture(_ payload: H264Payload, _ bytes: RawSpan) -> Bool {
        switch payload.structure {
        case .single: bytes.byte(at: 1).map { $0 & 0x80 == 0 } ?? false
        case .fuA: !payload.startsUnit || (bytes.byte(at: 2).map { $0 & 0x80 == 0 } ?? false)
        default: false
        }
    }

    @inline(__always)
    private mutating func observeFragment(_ payload: H264Payload, _ bytes: RawSpan, _ order: PacketOrder) {
        let open = openFragment
        guard payload.isFragment else {
            if order.isNext { faults.insert(.fragmentWithoutEnd) }
            openFragment = nil
            return
        }
        let identity = payload.nri << 5 | payload.firstType
        if order.isNext {
            if payload.startsUnit, open != nil { faults.insert(.fragmentWithoutEnd) }
            if !payload.startsUnit, open == nil { faults.insert(.fragmentWithoutStart) }
            if !payload.startsUnit, let open, open != identity { faults.insert(.changedFragment) }
        }
        if payload.startsUnit, bytes.clamped(2, 6).startsWithStartCode { faults.insert(.startCode) }
        openFragment = payload.endsUnit ? nil : identity
    }

    @inline(never)
    private mutating func note(_ found: H264Payload.Oddities) {
        for (oddity, fault) in Self.faultsOfOddities where found.contains(oddity) { faults.insert(fault) }
    }

    private static let faultsOfOddities: [(H264Payload.Oddities, PacketFault)] = [
        (.forbiddenBit, .forbiddenBit), (.aggregationSize, .aggregationSize), (.nested, .nestedUnit),
        (.wholeFragment, .wholeFragment), (.emptyFragment, .emptyFragment), (.startCode, .startCode),
        (.undefinedType, .undefinedType), (.importance, .importance),
    ]

    @inline(never)
    private mutating func observeSettings(
        _ payload: H264Payload, _ bytes: RawSpan, _ order: PacketOrder
    ) {
        let place = (frame: order.frame, time: order.time)
        switch payload.structure {
        case .single: observeSetting(bytes, place, isWhole: order.isWhole)
        case .stapA, .stapB, .mtap16, .mtap24:
            var units = H264AggregatedUnits(payload.structure, bytes.byteCount)
            while let range = units.next(bytes) {
                observeSetting(bytes.clamped(range.lowerBound, range.upperBound), place, isWhole: true)
            }
        case .fuA, .fuB:
            if payload.firstType == 7 { unitMayBeKeyframe = true }
            if 7...8 ~= payload.firstType, payload.startsUnit { sets.note(payload.firstType, nil, at: place) }
        }
    }

    /// Processes a parameter set or SEI unit; a truncated set is not stored, since it differs from what was sent.
    private mutating func observeSetting(
        _ unit: RawSpan, _ place: (frame: Int, time: Timestamp), isWhole: Bool
    ) {
        guard let header = unit.byte(at: 0) else { return }
        switch header & 0x1F {
        case 6:
            // SEI payload type 6 is the recovery point (H.264 §D.1.7): `recovery_frame_cnt` follows the payload size.
            guard unit.byte(at: 1) == 6 else { return }
            unitMayBeKeyframe = true
            var bits = BitReader(unit.clamped(3, 11))
            recoveryFrames = bits.unsignedExpGolomb().map { Int($0) }
        case 7:
            unitMayBeKeyframe = true
            checkStartCodes(unit)
            guard isWhole else {
                sets.note(7, nil, at: place)
                if parameters == nil { parameters = H264SequenceParameterSet(unit) }
                return
            }
            let octets = unit.clamped(0, Self.parameterOctets)
            guard !octets.equals(sequenceParameterSet) else { return }
            sequenceParameterSet = octets.array()
            sets.note(7, sequenceParameterSet, at: place)
            if let read = H264SequenceParameterSet(unit) { parameters = read }
        case 8:
            checkStartCodes(unit)
            guard isWhole else { return sets.note(8, nil, at: place) }
            let octets = unit.clamped(0, Self.parameterOctets)
            guard !octets.equals(pictureParameterSet) else { return }
            pictureParameterSet = octets.array()
            sets.note(8, pictureParameterSet, at: place, replaces: Self.haveSameNumber)
        default: break
        }
    }

    /// Returns whether two picture parameter sets have the same `pic_parameter_set_id` (H.264 §7.4.2.2).
    private static func haveSameNumber(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard let number = pictureNumber(one) else { return false }
        return number == pictureNumber(other)
    }

    private static func pictureNumber(_ unit: [UInt8]) -> UInt32? {
        let octets = Array(unit.dropFirst().prefix(8))
        var bits = BitReader(octets.rawSpan)
        return bits.unsignedExpGolomb()
    }

    /// Checks for a parameter set followed by a start code: some senders put a whole byte stream into one packet.
    private mutating func checkStartCodes(_ unit: RawSpan) {
        for offset in 1..<max(1, min(unit.byteCount, Self.parameterOctets)) where unit.byte(at: offset) == 0 {
            guard unit.clamped(offset, offset &+ 4).startsWithStartCode else { continue }
            faults.insert(.startCode)
            return
        }
    }

    /// Returns whether an intra slice begins here: `slice_type` 2, 4, 7 or 9 (H.264 §7.4.3).
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
