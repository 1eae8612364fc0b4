package import WeirPackets

/// The packets of a capture by unidirectional flow, in the order captured.
package struct PacketTrace: Sendable {
    /// The endpoints of a unidirectional flow: a uniflow (RFC 5103 §2).
    package struct UniflowKey: Hashable, Sendable {
        package var source: Endpoint
        package var destination: Endpoint
        package var transport: TransportProtocol
        package var context: UInt32

        /// The opposite direction.
        package var reversed: Self {
            Self(source: destination, destination: source, transport: transport, context: context)
        }
    }

    /// TCP options of a SYN, which middleboxes rewrite.
    package struct Opening: Sendable, Hashable {
        package var maximumSegmentSize: UInt16
        package var windowScale: UInt8?
        package var permitsSelectiveAcknowledgment: Bool
        package var hasTimestamps: Bool
    }

    /// One direction of a flow.
    package struct Uniflow: Sendable {
        package let key: UniflowKey
        /// The packets, without capture duplicates.
        package var packets: [TracedPacket] = []
        /// The options of the latest SYN.
        package var opening: Opening?
        /// The packets captured twice.
        package var captureDuplicates = 0
    }

    /// The uniflows, in order of their first packets.
    package private(set) var uniflows: [Uniflow] = []
    /// The index of each uniflow.
    package private(set) var index: [UniflowKey: Int] = [:]
    /// The times of the first and of the latest frame.
    package private(set) var coverage: ClosedRange<Int64>?
    /// Times at which the capture reports that it dropped packets.
    package private(set) var drops: [Int64] = []
    /// The properties of the timestamps.
    package private(set) var stamps = StampQuality()
    /// Packets not stored, because of a limit.
    package private(set) var unstored = 0

    private var stored = 0
    private var decoder: PacketDecoder
    private let limits: ComparisonLimits
    private var latest: (key: UniflowKey, uniflow: Int)?

    /// Creates an empty trace.
    package init(_ limits: ComparisonLimits, decoding: Limits = Limits()) {
        self.limits = limits
        decoder = PacketDecoder(limits: decoding, verifyChecksums: false)
    }

    /// Extends the covered time to the end recorded in the file.
    mutating func cover(to end: Timestamp) {
        guard let known = coverage, known.upperBound < end.nanoseconds else { return }
        coverage = known.lowerBound...end.nanoseconds
    }

    /// Adds a frame.
    package mutating func add(_ frame: borrowing Frame) {
        let time = frame.info.time.nanoseconds
        coverage = coverage.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        stamps.add(time)
        if frame.info.followsDrops, drops.count < limits.listed { drops.append(time) }
        guard decoder.finds(frame) else { return }
        if decoder.unit.isReassembled {
            let octets = decoder.reassembled
            add(decoder.unit, octets.rawSpan, frame.info)
        } else {
            add(decoder.unit, frame.bytes, frame.info)
        }
    }

    private mutating func add(_ unit: TransportUnit, _ bytes: RawSpan, _ info: FrameInfo) {
        let key = UniflowKey(
            source: unit.source, destination: unit.destination, transport: unit.transport, context: unit.context)
        var packet = TracedPacket(unit, bytes, info)
        guard stored < limits.packets, let uniflow = uniflow(key) else {
            unstored &+= 1
            return
        }
        if unit.transport == .tcp, unit.tcp.flags.contains(.syn) {
            uniflows[uniflow].opening = Opening(
                maximumSegmentSize: unit.tcp.maximumSegmentSize, windowScale: unit.tcp.windowScale,
                permitsSelectiveAcknowledgment: unit.tcp.permitsSelectiveAcknowledgment,
                hasTimestamps: unit.tcp.hasTimestamps)
        }
        packet.origin = unit.linkOrigin
        if isCapturedTwice(packet, in: uniflow) {
            uniflows[uniflow].captureDuplicates &+= 1
            return
        }
        stored &+= 1
        uniflows[uniflow].packets.append(packet)
    }

    /// How long after a packet its duplicate from another interface may be captured, in nanoseconds.
    private static let duplicateSpan: Int64 = 10_000_000

    /// Whether the capture contains the packet already, taken from another interface.
    private func isCapturedTwice(_ packet: TracedPacket, in uniflow: Int) -> Bool {
        uniflows[uniflow].packets.suffix(8).contains {
            $0.origin != packet.origin && $0.key == packet.key && $0.content == packet.content
                && $0.isSameCopy(as: packet) && $0.flags == packet.flags && $0.kind == packet.kind
                && (packet.time &- $0.time).magnitude < Self.duplicateSpan.magnitude
        }
    }

    private mutating func uniflow(_ key: UniflowKey) -> Int? {
        if let latest, latest.key == key { return latest.uniflow }
        let found: Int
        if let known = index[key] {
            found = known
        } else {
            guard uniflows.count < limits.uniflows else { return nil }
            found = uniflows.count
            index[key] = found
            uniflows.append(Uniflow(key: key))
        }
        latest = (key, found)
        return found
    }

    /// Returns the uniflow of the opposite direction.
    package func reverse(of uniflow: Int) -> Int? { index[uniflows[uniflow].key.reversed] }
}

extension TracedPacket {
    /// The payload octets that identify a datagram, and the beginning of a segment.
    private static let identifyingOctets = 32

    /// Creates the trace of a packet.
    init(_ unit: TransportUnit, _ bytes: RawSpan, _ info: FrameInfo) {
        let payload = unit.payload
        let start = payload.lowerBound
        let wireLength = payload.count &+ unit.missingOctets
        let beginning = start..<min(payload.upperBound, start &+ Self.identifyingOctets)
        time = info.time.nanoseconds
        frame = Int32(truncatingIfNeeded: info.number)
        if unit.transport == .tcp {
            sequence = unit.tcp.sequence.value
            timestamp = unit.tcp.timestampValue
            flags = unit.tcp.flags
            let isControl = !flags.isDisjoint(with: [.syn, .fin, .rst])
            kind = wireLength == 0 && !isControl ? .acknowledgment : .segment
            content = ContentHash.of(bytes, beginning)
            key = Self.segmentKey(sequence: sequence, length: UInt32(clamping: wireLength), flags: flags)
        } else if wireLength >= 12, let first = bytes.byte(at: start), first >> 6 == 2,
            let second = bytes.byte(at: start &+ 1), !(192...223 ~= second),
            let words = bytes.uint64(at: start), let ssrc = bytes.uint32(at: start &+ 8)
        {
            kind = .rtp
            source = ssrc
            sequence = UInt32(truncatingIfNeeded: words >> 32) & 0xFFFF
            content = ContentHash.of(bytes, payload)
            key = ContentHash.add(words & 0xFFFF_FFFF_FFFF, to: UInt64(ssrc))
        } else {
            kind = .datagram
            content = ContentHash.of(bytes, payload)
            key = ContentHash.add(UInt64(truncatingIfNeeded: wireLength), to: ContentHash.of(bytes, beginning))
        }
        identification = unit.identification
        length = UInt32(clamping: wireLength)
        hopLimit = unit.hopLimit
        trafficClass = unit.trafficClass
        isCut = unit.missingOctets > 0
    }

    /// Returns the identity of a segment.
    static func segmentKey(sequence: UInt32, length: UInt32, flags: TCPFlags) -> UInt64 {
        let control = UInt64(flags.intersection([.syn, .fin, .rst]).rawValue)
        return ContentHash.add(UInt64(sequence) << 32 | UInt64(length), to: control)
    }
}
