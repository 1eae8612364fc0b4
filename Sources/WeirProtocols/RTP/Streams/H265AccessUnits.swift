import WeirPackets

/// Tracks the access units of one H.265 stream: key frames, parameter sets, and violations of RFC 7798.
package struct H265AccessUnits: Sendable {
    /// Faults of the last packet.
    package private(set) var faults: PacketFaults = []
    /// The last sequence parameter set, parsed.
    package private(set) var parameters: H265SequenceParameterSet?
    /// The last video, sequence and picture parameter sets as sent, at most 512 octets each.
    private var latest: [[UInt8]] = [[], [], []]
    /// The parameter sets, compared with the announced ones.
    package private(set) var sets = ParameterSetLog()
    private var openFragment: UInt8?
    private var lastWasSlice = false
    /// Whether the contents of the previous packet were not parsed.
    private var lastIsHidden = false
    private var keyframeTimestamp: UInt32?
    /// Whether packets contain decoding order numbers: `sprop-max-don-diff` is above 0 (RFC 7798 §7.1).
    private let hasOrderNumbers: Bool

    private static let parameterOctets = 512

    /// Creates a tracker without packets.
    package init(hasOrderNumbers: Bool = false) {
        self.hasOrderNumbers = hasOrderNumbers
    }

    /// Sets the decoded parameter sets from the session description (RFC 7798 §7.1).
    package mutating func announce(_ units: [[UInt8]]) {
        for unit in units where parameters == nil { parameters = H265SequenceParameterSet(unit.rawSpan) }
        sets.announce(units) { $0.first.map { $0 >> 1 & 0x3F } }
    }

    /// Records the first key frame, if no packet before it is missing.
    mutating func noteFirstKeyframe(at place: ParameterSetLog.Place) { sets.noteKeyframe(at: place) }

    /// Processes a packet that is not a duplicate.
    ///
    /// - Returns: whether a random access picture begins, once per access unit.
    @inline(__always)
    package mutating func observe(_ bytes: RawSpan, _ order: PacketOrder) -> Bool {
        faults = []
        guard let payload = H265Payload(bytes) else { return false }
        if let header = bytes.uint16(at: 0) { check(header) }
        switch payload.packetType {
        case 48: observeAggregation(bytes, order)
        case 49: observeFragment(payload, bytes, order)
        case 0...47:
            if openFragment != nil, order.isNext { faults.insert(.fragmentWithoutEnd) }
            openFragment = nil
            if bytes.startsWithStartCode { faults = [PacketFaults(.startCode)] }
            if !hasOrderNumbers { observeUnit(bytes, order, isWhole: order.isWhole) }
            lastIsHidden = false
        default:
            if payload.packetType > 50 { faults.insert(.undefinedType) }
            // The contents are not parsed; they may be a fragment, too.
            openFragment = nil
            lastIsHidden = true
        }
        let isSlice = payload.types & 0xFFFF_FFFF != 0
        let goesOn = payload.packetType == 49 && !payload.startsUnit
        if order.isTorn, goesOn || lastWasSlice && isSlice && continuesPicture(payload, bytes) {
            faults.insert(.unitTimestamps)
        }
        lastWasSlice = isSlice
        guard payload.holdsRandomAccess, keyframeTimestamp != order.timestamp else { return false }
        keyframeTimestamp = order.timestamp
        return true
    }

    /// Checks for invalid values in the header of a NAL unit or payload.
    @inline(__always)
    private mutating func check(_ header: UInt16) {
        if header & 0x8000 != 0 { faults.insert(.forbiddenBit) }
        if header & 7 == 0 { faults.insert(.temporalIdentifier) }
    }

    /// Returns whether the packet continues a picture: `first_slice_segment_in_pic_flag`, the first bit after a slice
    /// header, is clear (H.265 §7.3.6.1), or it is a later fragment.
    private func continuesPicture(_ payload: H265Payload, _ bytes: RawSpan) -> Bool {
        let extra = hasOrderNumbers ? 2 : 0
        switch payload.packetType {
        case 0...31: return bytes.byte(at: 2 &+ extra).map { $0 & 0x80 == 0 } ?? false
        case 49:
            return !payload.startsUnit || (bytes.byte(at: 3 &+ extra).map { $0 & 0x80 == 0 } ?? false)
        default: return false
        }
    }

    private mutating func observeFragment(_ payload: H265Payload, _ bytes: RawSpan, _ order: PacketOrder) {
        guard let header = bytes.byte(at: 2) else { return }
        let identity = header & 0x3F
        if payload.startsUnit, payload.endsUnit { faults.insert(.wholeFragment) }
        if identity >= 48 { faults.insert(.nestedUnit) }
        if bytes.byteCount <= 3 { faults.insert(.emptyFragment) }
        if order.isNext {
            if payload.startsUnit, openFragment != nil { faults.insert(.fragmentWithoutEnd) }
            if !payload.startsUnit, openFragment == nil, !lastIsHidden { faults.insert(.fragmentWithoutStart) }
            if !payload.startsUnit, let openFragment, openFragment != identity { faults.insert(.changedFragment) }
        }
        let body = hasOrderNumbers ? 5 : 3
        if payload.startsUnit, bytes.clamped(body, body &+ 4).startsWithStartCode { faults.insert(.startCode) }
        if payload.startsUnit, 32...34 ~= identity { sets.note(identity, nil, at: (order.frame, order.time)) }
        openFragment = payload.endsUnit ? nil : identity
        lastIsHidden = false
    }

    @inline(never)
    private mutating func observeAggregation(_ bytes: RawSpan, _ order: PacketOrder) {
        if openFragment != nil, order.isNext { faults.insert(.fragmentWithoutEnd) }
        openFragment = nil
        lastIsHidden = false
        var offset = 2
        var count = 0
        while offset < bytes.byteCount {
            // A 16-bit decoding order number before the first unit, and an 8-bit difference before each further one.
            if hasOrderNumbers { offset &+= count == 0 ? 2 : 1 }
            guard let size = bytes.uint16(at: offset), size > 0, offset &+ 2 &+ Int(size) <= bytes.byteCount else {
                faults.insert(.aggregationSize)
                break
            }
            let unit = bytes.clamped(offset &+ 2, offset &+ 2 &+ Int(size))
            if let header = unit.uint16(at: 0) {
                if header >> 9 & 0x3F >= 48 { faults.insert(.nestedUnit) }
                check(header)
            }
            observeUnit(unit, order, isWhole: true)
            count &+= 1
            offset &+= 2 &+ Int(size)
        }
        if count < 2, !faults.contains(PacketFaults(.aggregationSize)) { faults.insert(.loneUnit) }
    }

    /// Processes a parameter set; a truncated one is not stored, since it differs from what was sent.
    private mutating func observeUnit(_ unit: RawSpan, _ order: PacketOrder, isWhole: Bool) {
        guard let header = unit.byte(at: 0) else { return }
        let type = header >> 1 & 0x3F
        guard 32...34 ~= type else { return }
        let place = (frame: order.frame, time: order.time)
        guard isWhole else {
            sets.note(type, nil, at: place)
            if type == 33, parameters == nil { parameters = H265SequenceParameterSet(unit) }
            return
        }
        let octets = unit.clamped(0, Self.parameterOctets).array()
        let index = Int(type) - 32
        guard latest.indices.contains(index), latest[index] != octets else { return }
        latest[index] = octets
        sets.note(type, octets, at: place)
        guard type == 33 else { return }
        if let read = H265SequenceParameterSet(unit) { parameters = read }
    }
}
